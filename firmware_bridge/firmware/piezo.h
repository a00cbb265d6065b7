/* The piezo: tones from a timer, so that nothing waits for them. */
#ifndef PIEZO_H
#define PIEZO_H

#include <stdbool.h>
#include <stdint.h>

#include "wire.h"

#define PIEZO_LEAST_HZ 100
#define PIEZO_MOST_HZ 10000

void piezo_start(void);
/* Sounds a beep in place of any other. Gets whether its frequency is one the timer can make. */
bool piezo_beep(const struct wire_beep *beep);
/* Switches tones on and off when their time has come. */
void piezo_work(uint32_t ms);

#endif
