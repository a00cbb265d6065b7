/* The LED chain: an absolute frame that blinks by itself and keeps its current budget. */
#ifndef LEDS_H
#define LEDS_H

#include <stdbool.h>
#include <stdint.h>

#include "wire.h"

void leds_start(void);
/* Takes a part of a frame. Gets whether it fits the chain; if not, nothing changes. */
bool leds_take(const struct wire_leds *part, const struct wire_led_run *runs, uint8_t run_count);
/* Sends the frame down the chain when it has changed, or when a pattern may have. */
void leds_work(uint32_t ms, bool host_present);
/* The settings have changed: scale again. */
void leds_rescale(void);
uint16_t leds_frames(void);
uint16_t leds_current_ma(void);

#endif
