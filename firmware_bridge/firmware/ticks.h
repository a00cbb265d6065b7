/* Time: milliseconds since the start, and a counter of half microseconds for short spans. */
#ifndef TICKS_H
#define TICKS_H

#include <avr/io.h>
#include <stdint.h>

#define TICKS_PER_US 2
#define TICKS_PER_MS 2000

void ticks_start(void);
uint32_t now_ms(void);

/* Half microseconds, modulo 65536: spans up to 32 ms. */
static inline uint16_t ticks(void) { return TCNT1; }

/* Wakes a sleeping processor at this tick. */
static inline void wake_at(uint16_t tick) { OCR1A = tick; }

#endif
