#include "settings.h"

#include <avr/eeprom.h>
#include <avr/pgmspace.h>
#include <string.h>

#include "frame.h"
#include "scan.h"

#define MAGIC 0xB0A2
#define CALIBRATED 0xA5
#define LEAST_CONTRAST 10 /* in bound units: 40 counts, 0.2 V, four times the noise allowed for by the default hysteresis */
#define GROUND_COUNT 3

struct stored {
    uint16_t magic, boot_id;
    struct wire_config config;
    uint16_t config_crc;
    uint8_t calibrated;
    uint16_t grounds_crc;
    uint8_t grounds[GROUND_COUNT][CHANNEL_COUNT]; /* empty, light, dark, in bound units */
};

static struct stored EEMEM stored;

struct wire_config config;
struct bounds bounds[CHANNEL_COUNT];

static uint16_t this_boot;
static uint8_t grounds_taken; /* bit n: ground n was recorded since the last forget or start */
static uint8_t ground[CHANNEL_COUNT];

/* One write at a time, done in the background: 3.4 ms a byte. */
static struct {
    const uint8_t *from;
    uint8_t *to;
    uint8_t left;
} write_job;
static bool config_unsaved;
static uint16_t saved_crc;

static const struct wire_config PROGMEM defaults = {
    .sensor_kind = SENSOR_REFLECTANCE,
    .debounce_scans = 3,
    .empty_below = 60,
    .light_from = 320,
    .hysteresis = 16,
    .brightness = 255,
    .current_budget_ma = 2000,
    .state_period_ms = 2000,
    .host_lost_ms = 3000,
    .scan_period_ms = 8,
};

static uint16_t crc_of(const void *data, uint8_t size) {
    const uint8_t *byte = data;
    uint16_t crc = 0;
    while (size--) crc = crc16_byte(crc, *byte++);
    return crc;
}

static uint16_t grounds_crc(void) {
    uint16_t crc = 0;
    const uint8_t *end = stored.grounds[0] + sizeof stored.grounds;
    for (const uint8_t *byte = stored.grounds[0]; byte < end; byte++) crc = crc16_byte(crc, eeprom_read_byte(byte));
    return crc;
}

static uint8_t ground_of(uint8_t step, uint8_t channel) {
    return eeprom_read_byte(&stored.grounds[step - STEP_EMPTY][channel]);
}

static uint8_t in_units(uint16_t counts) { return counts / BOUND_UNIT > 255 ? 255 : counts / BOUND_UNIT; }

static void set_bounds(void) {
    bool calibrated = eeprom_read_byte(&stored.calibrated) == CALIBRATED &&
                      eeprom_read_word(&stored.grounds_crc) == grounds_crc();
    for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++) {
        struct bounds *bound = &bounds[channel];
        if (calibrated) {
            uint8_t dark = ground_of(STEP_DARK, channel);
            bound->empty_below = (ground_of(STEP_EMPTY, channel) + dark) / 2;
            bound->light_from = (dark + ground_of(STEP_LIGHT, channel)) / 2;
        } else {
            bound->empty_below = in_units(config.empty_below);
            bound->light_from = in_units(config.light_from);
        }
    }
}

static uint8_t out_of_range(const struct wire_config *wanted) {
    if (wanted->sensor_kind > SENSOR_HALL) return 1;
    if (wanted->debounce_scans < 1 || wanted->debounce_scans > 15) return 2;
    if (wanted->current_budget_ma < 100 || wanted->current_budget_ma > 4000) return 7;
    if (wanted->state_period_ms < 100 || wanted->state_period_ms > 60000) return 8;
    if (wanted->host_lost_ms < 500 || wanted->host_lost_ms > 60000) return 9;
    if (wanted->scan_period_ms < 1 || wanted->scan_period_ms > 100) return 10;
    return 0;
}

void settings_start(void) {
    bool known = eeprom_read_word(&stored.magic) == MAGIC;
    this_boot = known ? eeprom_read_word(&stored.boot_id) + 1 : 1;
    if (!this_boot) this_boot = 1;
    eeprom_update_word(&stored.boot_id, this_boot);
    if (!known) eeprom_update_word(&stored.magic, MAGIC);
    eeprom_read_block(&config, &stored.config, sizeof config);
    /* The range is checked as well: the CRC of nothing but zeros is zero. */
    if (eeprom_read_word(&stored.config_crc) != config_crc() || out_of_range(&config))
        memcpy_P(&config, &defaults, sizeof config);
    set_bounds();
}

uint16_t boot_id(void) { return this_boot; }

uint16_t config_crc(void) { return crc_of(&config, sizeof config); }

uint8_t config_change(const struct wire_config *wanted) {
    uint8_t field = out_of_range(wanted);
    if (field) return field;
    config = *wanted;
    config_unsaved = true;
    set_bounds();
    return 0;
}

static void write_later(const void *from, void *to, uint8_t size) {
    write_job.from = from;
    write_job.to = to;
    write_job.left = size;
}

void settings_work(void) {
    if (!eeprom_is_ready()) return;
    if (write_job.left) {
        eeprom_update_byte(write_job.to++, *write_job.from++);
        write_job.left--;
    } else if (config_unsaved) {
        config_unsaved = false;
        saved_crc = config_crc();
        eeprom_update_word(&stored.config_crc, saved_crc);
        write_later(&config, &stored.config, sizeof config);
    }
}

static void mark_weak(uint8_t step, uint8_t channel, uint8_t weak[]) {
    /* Each ground is held against the one below it: empty < dark < light. Empty has nothing to be held against. */
    uint8_t below = step == STEP_LIGHT ? STEP_DARK : STEP_EMPTY;
    if (step == STEP_EMPTY || !(grounds_taken & _BV(below))) return;
    uint8_t floor = ground_of(below, channel);
    if (ground[channel] < floor || ground[channel] - floor < LEAST_CONTRAST) weak[channel / 8] |= _BV(channel % 8);
}

uint8_t calibrate(const struct wire_calibrate *request, uint8_t weak[CHANNEL_COUNT / 8]) {
    if (request->step > STEP_STORE) return ERROR_BAD_PAYLOAD;
    if (request->first + (uint16_t)request->count > CHANNEL_COUNT) return ERROR_OUT_OF_RANGE;
    if (write_job.left || !eeprom_is_ready()) return ERROR_BUSY;
    if (request->step == STEP_FORGET) {
        grounds_taken = 0;
        eeprom_update_byte(&stored.calibrated, 0);
        set_bounds();
        return 0;
    }
    if (request->step == STEP_STORE) {
        if (grounds_taken != (_BV(STEP_EMPTY) | _BV(STEP_LIGHT) | _BV(STEP_DARK))) return ERROR_NOT_CALIBRATED;
        eeprom_update_word(&stored.grounds_crc, grounds_crc());
        eeprom_update_byte(&stored.calibrated, CALIBRATED);
        set_bounds();
        return 0;
    }
    for (uint8_t channel = request->first; channel < request->first + request->count; channel++) {
        int16_t signal = scan_signal(channel);
        ground[channel] = signal < 0 ? 0 : in_units(signal);
        mark_weak(request->step, channel, weak);
    }
    grounds_taken |= _BV(request->step);
    write_later(ground + request->first, stored.grounds[request->step - STEP_EMPTY] + request->first, request->count);
    return 0;
}
