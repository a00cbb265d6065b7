/* The wire, C side: types, numbers and payloads of every message. The one source for the firmware;
 * tests hold it against the Python side and against the golden frames both share.
 * All numbers are little-endian, as this processor has them. */
#ifndef WIRE_H
#define WIRE_H

#include <stdint.h>

#ifndef PROTOCOL_MAJOR /* another one makes a firmware that hosts refuse, for tests */
#define PROTOCOL_MAJOR 1
#endif
#define PROTOCOL_MINOR 0
#define FIRMWARE_VERSION_MAJOR 0
#define FIRMWARE_VERSION_MINOR 1
#define FIRMWARE_VERSION_PATCH 0

#define CHANNEL_COUNT 128
#define LED_COUNT 60
#define MAX_PAYLOAD 200
#define MAX_BODY (MAX_PAYLOAD + 4)  /* type, sequence, payload, crc */
#define EVENTS_MAX_RECORDS 24
#define RAW_MAX_CHANNELS 96
#define BUTTON_BASE CHANNEL_COUNT

enum message_type {
    TYPE_HELLO = 0x01,
    TYPE_STATE_REQUEST = 0x02,
    TYPE_LEDS = 0x03,
    TYPE_CONFIG = 0x04,
    TYPE_CONFIG_REQUEST = 0x05,
    TYPE_RAW_REQUEST = 0x06,
    TYPE_CALIBRATE = 0x07,
    TYPE_BEEP = 0x08,
    TYPE_PING = 0x09,
    TYPE_STATS_REQUEST = 0x0A,
    TYPE_EVENT_ACK = 0x0B,
    TYPE_IDENT = 0x81,
    TYPE_STATE = 0x82,
    TYPE_CONFIG_STATE = 0x84,
    TYPE_RAW = 0x86,
    TYPE_CALIBRATED = 0x87,
    TYPE_PONG = 0x89,
    TYPE_STATS = 0x8A,
    TYPE_ACK = 0x90,
    TYPE_ERROR = 0x91,
    TYPE_EVENTS = 0xA0,
    TYPE_LOG = 0xA1,
};

enum channel_class { CLASS_EMPTY = 0, CLASS_LIGHT = 1, CLASS_DARK = 2, CLASS_UNKNOWN = 3 };

enum reset_cause {
    CAUSE_UNKNOWN = 0,
    CAUSE_POWER_ON = 1,
    CAUSE_EXTERNAL = 2,
    CAUSE_BROWN_OUT = 3,
    CAUSE_WATCHDOG = 4,
};

enum capability {
    CAPABILITY_REFLECTANCE = 1,
    CAPABILITY_HALL = 2,
    CAPABILITY_COUNT = 4,
    CAPABILITY_LEDS_WS2812 = 16,
    CAPABILITY_LEDS_APA102 = 32,
    CAPABILITY_PIEZO = 64,
    CAPABILITY_SEAT_BUTTONS = 128,
};

enum error_code {
    ERROR_UNKNOWN_TYPE = 1,
    ERROR_BAD_PAYLOAD = 2,
    ERROR_OUT_OF_RANGE = 3,
    ERROR_BUSY = 4,
    ERROR_NOT_CALIBRATED = 5,
    ERROR_EEPROM = 6,
};

enum calibration_step { STEP_FORGET = 0, STEP_EMPTY = 1, STEP_LIGHT = 2, STEP_DARK = 3, STEP_STORE = 4 };

enum sensor_kind { SENSOR_REFLECTANCE = 0, SENSOR_HALL = 1 };

#define WIRE_PACKED __attribute__((packed))

struct wire_hello {
    uint8_t major, minor;
} WIRE_PACKED;

struct wire_leds {  /* followed by runs */
    uint8_t first, show;
} WIRE_PACKED;

struct wire_led_run {
    uint8_t led_count, red, green, blue, pattern;
} WIRE_PACKED;

struct wire_config {
    uint8_t sensor_kind, debounce_scans;
    uint16_t empty_below, light_from, hysteresis;
    uint8_t brightness;
    uint16_t current_budget_ma, state_period_ms, host_lost_ms;
    uint8_t scan_period_ms;
} WIRE_PACKED;

struct wire_raw_request {
    uint8_t first, count;
} WIRE_PACKED;

struct wire_calibrate {
    uint8_t step, first, count;
} WIRE_PACKED;

struct wire_beep {
    uint16_t frequency_hz, duration_ms;
    uint8_t repeats;
} WIRE_PACKED;

struct wire_ping {
    uint32_t host_ms;
} WIRE_PACKED;

struct wire_event_ack {
    uint16_t boot_id, next_number;
} WIRE_PACKED;

struct wire_ident {
    uint8_t major, minor, firmware_version[3];
    char board_id[8];
    uint16_t capabilities;
    uint8_t channel_count, led_count, reset_cause;
    uint16_t boot_id;
    uint32_t uptime_ms;
    uint16_t config_crc, oldest_event, next_event;
} WIRE_PACKED;

struct wire_state {
    uint16_t boot_id, next_event;
    uint32_t device_ms;
    uint8_t buttons, overflow_count, classes[CHANNEL_COUNT / 4];
} WIRE_PACKED;

struct wire_raw {  /* followed by int16_t values */
    uint8_t first;
} WIRE_PACKED;

struct wire_calibrated {
    uint8_t step, weak[CHANNEL_COUNT / 8];
} WIRE_PACKED;

struct wire_pong {
    uint16_t boot_id;
    uint32_t host_ms, device_ms;
} WIRE_PACKED;

struct wire_stats {
    uint32_t uptime_ms;
    uint16_t frames_received, crc_errors, framing_errors, uart_overruns, events_made, events_resent, overflow_count,
        led_frames, led_current_ma, worst_scan_us, worst_loop_us, free_ram_bytes;
    uint8_t reset_cause;
} WIRE_PACKED;

struct wire_ack {
    uint8_t request;
} WIRE_PACKED;

struct wire_error {
    uint8_t request, code;
    uint16_t detail;
} WIRE_PACKED;

struct wire_events {  /* followed by records */
    uint16_t boot_id, first_number;
    uint8_t overflow_count;
} WIRE_PACKED;

struct wire_event_record {
    uint32_t device_ms;
    uint8_t source, value;
} WIRE_PACKED;

struct wire_log {  /* followed by text */
    uint8_t level;
    uint32_t device_ms;
} WIRE_PACKED;

#endif
