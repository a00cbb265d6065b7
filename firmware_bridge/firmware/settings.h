/* What survives without power: the settings, the calibration of every channel, the count of starts. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "wire.h"

/* Bounds of one channel in units of BOUND_UNIT converter counts, light on minus light off. */
#define BOUND_UNIT 4
struct bounds {
    uint8_t empty_below, light_from;
};

extern struct wire_config config;
extern struct bounds bounds[CHANNEL_COUNT];

/* Reads everything and counts this start. */
void settings_start(void);
uint16_t boot_id(void);
uint16_t config_crc(void);

/* Takes new settings. Gets 0, or 1 + the index of the field that is out of range; then nothing changes. */
uint8_t config_change(const struct wire_config *wanted);

/* One step of a calibration over `count` channels from `first` on, with what they see now.
 * Fills `weak` with a bit for each channel whose grounds lie too close together. Gets 0 or an error code. */
uint8_t calibrate(const struct wire_calibrate *request, uint8_t weak[CHANNEL_COUNT / 8]);

/* Writes at most one waiting byte to the EEPROM; never waits for it. */
void settings_work(void);

#endif
