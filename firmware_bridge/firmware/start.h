/* How the board came to start, its watchdog, and how much memory was never used. */
#ifndef START_H
#define START_H

#include <stdint.h>

uint8_t start_cause(void);
void watchdog_start(void);
uint16_t never_used_bytes(void);

#endif
