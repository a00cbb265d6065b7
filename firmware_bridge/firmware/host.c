#include "host.h"

#include <string.h>

#include "events.h"
#include "frame.h"
#include "leds.h"
#include "piezo.h"
#include "saturate.h"
#include "scan.h"
#include "settings.h"
#include "start.h"
#include "ticks.h"
#include "uart.h"

#ifndef BOARD_ID
#define BOARD_ID "BOARD01"
#endif

#ifdef LEDS_APA102
#define CAPABILITY_LEDS CAPABILITY_LEDS_APA102
#else
#define CAPABILITY_LEDS CAPABILITY_LEDS_WS2812
#endif

/* The longest answer but RAW, whose request waits for an empty line. */
#define ANSWER_ROOM FRAME_SIZE(sizeof(struct wire_ident) + 16)
#define RAW_ROOM FRAME_SIZE(sizeof(struct wire_raw) + 2 * RAW_MAX_CHANNELS)
/* A request with the sequence of one this recent is its resend: the acknowledgement was lost, not the request. */
#define RESEND_MEMORY_MS 2000

static struct frame_reader reader;
static uint16_t frames, crc_errors, framing_errors, worst_loop;
static bool greeted, waiting; /* waiting: a whole request is in the reader and its answer had no room yet */
static uint32_t heard_ms, state_due, beep_ms, leds_ms;
static uint8_t beep_sequence, leds_sequence;

bool host_present(uint32_t ms) { return greeted && ms - heard_ms < config.host_lost_ms; }

void host_note_loop(uint16_t ticks) {
    if (ticks > worst_loop) worst_loop = ticks;
}

static void answer(uint8_t type, uint8_t sequence, const void *payload, uint8_t size) {
    uart_begin(type, sequence);
    uart_put(payload, size);
    uart_end();
}

static void acknowledge(uint8_t request, uint8_t sequence) {
    struct wire_ack ack = {.request = request};
    answer(TYPE_ACK, sequence, &ack, sizeof ack);
}

static void refuse(uint8_t request, uint8_t sequence, uint8_t code, uint16_t detail) {
    struct wire_error error = {.request = request, .code = code, .detail = detail};
    answer(TYPE_ERROR, sequence, &error, sizeof error);
}

static void identify(uint8_t sequence) {
    struct wire_ident ident = {
        .major = PROTOCOL_MAJOR,
        .minor = PROTOCOL_MINOR,
        .firmware_version = {FIRMWARE_VERSION_MAJOR, FIRMWARE_VERSION_MINOR, FIRMWARE_VERSION_PATCH},
        .board_id = BOARD_ID,
        .capabilities = CAPABILITY_REFLECTANCE | CAPABILITY_HALL | CAPABILITY_LEDS | CAPABILITY_PIEZO |
                        CAPABILITY_SEAT_BUTTONS,
        .channel_count = CHANNEL_COUNT,
        .led_count = LED_COUNT,
        .reset_cause = start_cause(),
        .boot_id = boot_id(),
        .uptime_ms = now_ms(),
        .config_crc = config_crc(),
        .oldest_event = events_oldest(),
        .next_event = events_next(),
    };
    answer(TYPE_IDENT, sequence, &ident, sizeof ident);
}

static void tell_state(uint8_t sequence) {
    struct wire_state state = {
        .boot_id = boot_id(),
        .next_event = events_next(),
        .device_ms = now_ms(),
        .buttons = scan_buttons(),
        .overflow_count = events_lost_count(),
    };
    for (uint8_t channel = 0; channel < CHANNEL_COUNT; channel++)
        state.classes[channel / 4] |= scan_class(channel) << 2 * (channel % 4);
    answer(TYPE_STATE, sequence, &state, sizeof state);
}

static void tell_config(uint8_t sequence) { answer(TYPE_CONFIG_STATE, sequence, &config, sizeof config); }

static void take_hello(uint8_t sequence) {
    greeted = true;
    leds_ms = 0; /* another host may count from anywhere */
    state_due = now_ms() + config.state_period_ms;
    events_restart();
    identify(sequence);
}

/* Whether a part of a frame has been overtaken by a later one: then it says what has long been replaced. */
static bool overtaken(uint8_t sequence) {
    uint32_t ms = now_ms();
    bool late = leds_ms && ms - leds_ms < RESEND_MEMORY_MS && (int8_t)(sequence - leds_sequence) <= 0;
    if (!late) {
        leds_ms = ms;
        leds_sequence = sequence;
    }
    return late;
}

static void take_leds(uint8_t sequence, const uint8_t *payload, uint8_t size) {
    uint8_t runs = (size - sizeof(struct wire_leds)) / sizeof(struct wire_led_run);
    const struct wire_leds *part = (const struct wire_leds *)payload;
    if (sizeof(struct wire_leds) + runs * sizeof(struct wire_led_run) != size)
        refuse(TYPE_LEDS, sequence, ERROR_BAD_PAYLOAD, size);
    else if (overtaken(sequence))
        acknowledge(TYPE_LEDS, sequence);
    else if (!leds_take(part, (const struct wire_led_run *)(part + 1), runs))
        refuse(TYPE_LEDS, sequence, ERROR_OUT_OF_RANGE, part->first);
    else
        acknowledge(TYPE_LEDS, sequence);
}

static void take_config(uint8_t sequence, const uint8_t *payload) {
    uint8_t field = config_change((const struct wire_config *)payload);
    if (field) {
        refuse(TYPE_CONFIG, sequence, ERROR_OUT_OF_RANGE, field);
        return;
    }
    leds_rescale();
    tell_config(sequence);
}

static void take_raw_request(uint8_t sequence, const uint8_t *payload) {
    const struct wire_raw_request *request = (const struct wire_raw_request *)payload;
    if (request->count > RAW_MAX_CHANNELS || request->first + (uint16_t)request->count > CHANNEL_COUNT) {
        refuse(TYPE_RAW_REQUEST, sequence, ERROR_OUT_OF_RANGE, request->first);
        return;
    }
    struct wire_raw raw = {.first = request->first};
    uart_begin(TYPE_RAW, sequence);
    uart_put(&raw, sizeof raw);
    for (uint8_t channel = 0; channel < request->count; channel++) {
        int16_t signal = scan_signal(request->first + channel);
        uart_put(&signal, sizeof signal);
    }
    uart_end();
}

static void take_calibrate(uint8_t sequence, const uint8_t *payload) {
    const struct wire_calibrate *request = (const struct wire_calibrate *)payload;
    struct wire_calibrated calibrated = {.step = request->step};
    uint8_t code = calibrate(request, calibrated.weak);
    if (code)
        refuse(TYPE_CALIBRATE, sequence, code, request->step);
    else
        answer(TYPE_CALIBRATED, sequence, &calibrated, sizeof calibrated);
}

static void take_beep(uint8_t sequence, const uint8_t *payload) {
    const struct wire_beep *beep = (const struct wire_beep *)payload;
    uint32_t ms = now_ms();
    bool resent = beep_ms && beep_sequence == sequence && ms - beep_ms < RESEND_MEMORY_MS;
    if (!resent && !piezo_beep(beep)) {
        refuse(TYPE_BEEP, sequence, ERROR_OUT_OF_RANGE, beep->frequency_hz);
        return;
    }
    beep_sequence = sequence;
    beep_ms = ms;
    acknowledge(TYPE_BEEP, sequence);
}

static void take_ping(uint8_t sequence, const uint8_t *payload) {
    struct wire_pong pong = {
        .boot_id = boot_id(), .host_ms = ((const struct wire_ping *)payload)->host_ms, .device_ms = now_ms()};
    answer(TYPE_PONG, sequence, &pong, sizeof pong);
}

static void tell_stats(uint8_t sequence) {
    struct wire_stats stats = {
        .uptime_ms = now_ms(),
        .frames_received = frames,
        .crc_errors = crc_errors,
        .framing_errors = framing_errors,
        .uart_overruns = uart_overruns(),
        .events_made = events_made(),
        .events_resent = events_resent(),
        .overflow_count = events_lost_count(),
        .led_frames = leds_frames(),
        .led_current_ma = leds_current_ma(),
        .worst_scan_us = scan_worst_us(),
        .worst_loop_us = worst_loop / TICKS_PER_US,
        .free_ram_bytes = never_used_bytes(),
        .reset_cause = start_cause(),
    };
    answer(TYPE_STATS, sequence, &stats, sizeof stats);
}

/* The least payload of a request; 0xFF: no request of this version. */
static uint8_t least_size(uint8_t type) {
    switch (type) {
        case TYPE_HELLO: return sizeof(struct wire_hello);
        case TYPE_STATE_REQUEST: return 0;
        case TYPE_LEDS: return sizeof(struct wire_leds);
        case TYPE_CONFIG: return sizeof(struct wire_config);
        case TYPE_CONFIG_REQUEST: return 0;
        case TYPE_RAW_REQUEST: return sizeof(struct wire_raw_request);
        case TYPE_CALIBRATE: return sizeof(struct wire_calibrate);
        case TYPE_BEEP: return sizeof(struct wire_beep);
        case TYPE_PING: return sizeof(struct wire_ping);
        case TYPE_STATS_REQUEST: return 0;
        case TYPE_EVENT_ACK: return sizeof(struct wire_event_ack);
        default: return 0xFF;
    }
}

static void take_request(void) {
    uint8_t type = reader.body[0], sequence = reader.body[1], size = reader.length - 2;
    const uint8_t *payload = reader.body + 2;
    uint8_t least = least_size(type);
    if (least == 0xFF) {
        refuse(type, sequence, ERROR_UNKNOWN_TYPE, type);
        return;
    }
    if (size < least) {
        refuse(type, sequence, ERROR_BAD_PAYLOAD, size);
        return;
    }
    switch (type) {
        case TYPE_HELLO: take_hello(sequence); break;
        case TYPE_STATE_REQUEST: tell_state(sequence); break;
        case TYPE_LEDS: take_leds(sequence, payload, size); break;
        case TYPE_CONFIG: take_config(sequence, payload); break;
        case TYPE_CONFIG_REQUEST: tell_config(sequence); break;
        case TYPE_RAW_REQUEST: take_raw_request(sequence, payload); break;
        case TYPE_CALIBRATE: take_calibrate(sequence, payload); break;
        case TYPE_BEEP: take_beep(sequence, payload); break;
        case TYPE_PING: take_ping(sequence, payload); break;
        case TYPE_STATS_REQUEST: tell_stats(sequence); break;
        case TYPE_EVENT_ACK: {
            const struct wire_event_ack *ack = (const struct wire_event_ack *)payload;
            events_acknowledge(ack->boot_id, ack->next_number);
            break;
        }
    }
}

static bool room_for_answer(void) {
    return uart_room() >= (reader.body[0] == TYPE_RAW_REQUEST ? RAW_ROOM : ANSWER_ROOM);
}

static void receive(uint32_t ms) {
    while (!waiting) {
        int16_t byte = uart_get();
        if (byte < 0) return;
        switch (frame_feed(&reader, byte)) {
            case FRAME_COMPLETE:
                SATURATING_ADD(frames, 1);
                heard_ms = ms;
                waiting = true;
                break;
            case FRAME_BAD_FRAMING: SATURATING_ADD(framing_errors, 1); break;
            case FRAME_BAD_CRC: SATURATING_ADD(crc_errors, 1); break;
            case FRAME_NOTHING: break;
        }
    }
}

void host_announce(void) { identify(0); }

void host_work(uint32_t ms) {
    receive(ms);
    if (waiting && room_for_answer()) {
        take_request();
        waiting = false;
    }
    if (!host_present(ms)) return;
    events_send(ms);
    if ((int32_t)(ms - state_due) >= 0 && uart_room() >= ANSWER_ROOM) {
        state_due = ms + config.state_period_ms;
        tell_state(0);
    }
}
