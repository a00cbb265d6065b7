#include "events.h"

#include "frame.h"
#include "saturate.h"
#include "settings.h"
#include "ticks.h"
#include "uart.h"

static struct wire_event_record ring[EVENT_RING];
static uint8_t first, count, sent; /* place of the oldest, how many, how many of them were sent */
static uint16_t oldest, made, resent;
static uint8_t lost;
static uint32_t resend_due;

bool events_have_room(void) { return count < EVENT_RING; }

void event_note(uint8_t source, uint8_t value) {
    struct wire_event_record *record = &ring[(first + count) % EVENT_RING];
    record->device_ms = now_ms();
    record->source = source;
    record->value = value;
    count++;
    SATURATING_ADD(made, 1);
}

void event_lost(void) { lost++; }

uint16_t events_oldest(void) { return oldest; }
uint16_t events_next(void) { return oldest + count; }
uint8_t events_lost_count(void) { return lost; }
uint16_t events_made(void) { return made; }
uint16_t events_resent(void) { return resent; }

void events_acknowledge(uint16_t boot, uint16_t next_number) {
    uint16_t done = next_number - oldest;
    if (boot != boot_id() || done == 0 || done > count) return;
    first = (first + done) % EVENT_RING;
    count -= done;
    sent = sent > done ? sent - done : 0;
    oldest = next_number;
    resend_due = now_ms() + RESEND_MS;
}

void events_restart(void) {
    sent = 0;
    resend_due = now_ms();
}

void events_send(uint32_t ms) {
    if (sent == count && (!count || (int32_t)(ms - resend_due) < 0)) return;
    const uint8_t head = FRAME_SIZE(sizeof(struct wire_events));
    uint8_t room = uart_room();
    if (room < head + sizeof ring[0]) return;
    if (sent == count) {
        SATURATING_ADD(resent, count);
        sent = 0;
    }
    uint8_t fit = (room - head) / sizeof ring[0];
    uint8_t batch = count - sent;
    if (batch > fit) batch = fit;
    if (batch > EVENTS_MAX_RECORDS) batch = EVENTS_MAX_RECORDS;
    struct wire_events events = {
        .boot_id = boot_id(), .first_number = oldest + sent, .overflow_count = lost};
    uart_begin(TYPE_EVENTS, 0);
    uart_put(&events, sizeof events);
    for (uint8_t left = batch; left; left--, sent++) uart_put(&ring[(first + sent) % EVENT_RING], sizeof ring[0]);
    uart_end();
    resend_due = ms + RESEND_MS;
}
