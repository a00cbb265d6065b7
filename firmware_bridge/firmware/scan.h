/* The sensors: 128 channels through eight multiplexers, classified and debounced; and the seat buttons. */
#ifndef SCAN_H
#define SCAN_H

#include <stdbool.h>
#include <stdint.h>

void scan_start(void);
/* Looks at one select (eight channels) when its time has come. Gets whether it did. */
bool scan_work(void);
/* When scan_work has something to do, in ticks. */
uint16_t scan_due(void);

/* The class of a channel as the host was told, or will be by the events kept. */
uint8_t scan_class(uint8_t channel);
/* The analogue value of a channel in converter counts: light on minus light off. */
int16_t scan_signal(uint8_t channel);
/* Bit n: seat button n is down. */
uint8_t scan_buttons(void);
uint16_t scan_worst_us(void);

#endif
