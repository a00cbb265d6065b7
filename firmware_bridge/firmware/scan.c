#include "scan.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <util/delay.h>

#include "events.h"
#include "pins.h"
#include "settings.h"
#include "ticks.h"

/* A CD74HC4067 switches in 0.1 us; its 70 ohm into the converter's 14 pF and the sensor's 10 kilohm settle in 2 us. */
#define SELECT_SETTLE_US 5
/* Rise of a phototransistor with 10 kilohm: three times what the QRE1113's data sheet has with 1 kilohm (20 us). Not yet
 * measured: step 8 of the bench checklist in docs/hardware.md does. */
#define EMITTER_SETTLE_US 60
/* More ambient light than this, in counts, leaves no room to measure reflection on top. */
#define AMBIENT_LIMIT 900

/* Rows that are late, after an LED frame, hurry until they are in time again, unless they are later than this. */
#define LATE_TICKS (4 * TICKS_PER_MS)

#define CHANNEL(mux, select) ((mux) * SELECT_COUNT + (select))

/* One byte a channel: bits 0-1 reported class, 2-3 candidate, 4-7 scans the candidate has stood. */
static uint8_t channels[CHANNEL_COUNT];
#define REPORTED(channel) (channels[channel] & 3)

static uint8_t select_now;
static uint16_t row_due, scan_begun, worst_scan;
static bool silent; /* the first scans after the start tell no events: they are the state the host will ask for */
static uint8_t buttons, button_candidate, button_scans, buttons_held_back;

EMPTY_INTERRUPT(ADC_vect) /* only ends sleep */

static uint16_t convert(uint8_t mux) {
    ADMUX = _BV(REFS0) | mux;
    ADCSRA |= _BV(ADSC);
    for (;;) {
        cli();
        if (!(ADCSRA & _BV(ADSC))) break;
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
    }
    sei();
    return ADC;
}

static void choose(uint8_t select) {
    SELECT_PORT = (SELECT_PORT & ~SELECT_MASK) | select << SELECT_SHIFT;
    _delay_us(SELECT_SETTLE_US);
}

/* Hall sensors have their power from the same pin, all the time. */
static void emitters(bool on) {
    if (on || config.sensor_kind == SENSOR_HALL) {
        if (PORTB & _BV(EMITTER_BIT)) return;
        PORTB |= _BV(EMITTER_BIT);
        _delay_us(EMITTER_SETTLE_US);
    } else {
        PORTB &= ~_BV(EMITTER_BIT);
    }
}

static uint8_t classify(uint8_t channel, int16_t signal, uint16_t ambient) {
    int16_t empty = bounds[channel].empty_below * BOUND_UNIT, light = bounds[channel].light_from * BOUND_UNIT;
    uint8_t now = REPORTED(channel);
    int16_t margin = config.hysteresis;
    if (config.sensor_kind == SENSOR_HALL) { /* presence only: a checker's magnet shows no colour */
        int16_t field = (int16_t)ambient - 512;
        if (field < 0) field = -field;
        return field >= empty + (now == CLASS_EMPTY ? margin : -margin) ? CLASS_UNKNOWN : CLASS_EMPTY;
    }
    if (ambient > AMBIENT_LIMIT) return CLASS_UNKNOWN;
    if (signal < empty + (now == CLASS_EMPTY ? margin : -margin)) return CLASS_EMPTY;
    return signal >= light + (now == CLASS_LIGHT ? -margin : margin) ? CLASS_LIGHT : CLASS_DARK;
}

static void debounce(uint8_t channel, uint8_t seen) {
    uint8_t state = channels[channel], reported = state & 3, candidate = state >> 2 & 3, scans = state >> 4;
    if (seen == reported) {
        if (scans >= config.debounce_scans) event_lost(); /* it had settled elsewhere, found no room, and is gone */
        channels[channel] = reported | reported << 2;
        return;
    }
    if (seen != candidate) scans = 0;
    if (scans < config.debounce_scans) scans++;
    if (scans >= config.debounce_scans && (silent || events_have_room())) {
        channels[channel] = seen | seen << 2;
        if (!silent) event_note(channel, seen);
        return;
    }
    channels[channel] = reported | seen << 2 | scans << 4;
}

static void look_at_buttons(void) {
    uint8_t down = (~BUTTON_PIN & BUTTON_MASK) >> BUTTON_SHIFT;
    if (down != button_candidate) button_scans = 0;
    button_candidate = down;
    if (button_scans < config.debounce_scans) button_scans++;
    if (button_scans < config.debounce_scans) return;
    for (uint8_t button = 0; button < 2; button++) {
        uint8_t bit = _BV(button);
        if (!((down ^ buttons) & bit)) {
            if (buttons_held_back & bit) event_lost();
            buttons_held_back &= ~bit;
        } else if (silent || events_have_room()) {
            buttons ^= bit;
            buttons_held_back &= ~bit;
            if (!silent) event_note(BUTTON_BASE + button, !!(down & bit));
        } else {
            buttons_held_back |= bit;
        }
    }
}

static void look_at_row(uint8_t select) {
    uint16_t dark[MUX_COUNT];
    emitters(false);
    choose(select);
    for (uint8_t mux = 0; mux < MUX_COUNT; mux++) dark[mux] = convert(mux);
    emitters(true);
    for (uint8_t mux = 0; mux < MUX_COUNT; mux++) {
        uint8_t channel = CHANNEL(mux, select);
        int16_t signal = convert(mux) - dark[mux];
        debounce(channel, classify(channel, signal, dark[mux]));
    }
    emitters(false);
}

void scan_start(void) {
    SELECT_DDR |= SELECT_MASK;
    BUTTON_PORT |= BUTTON_MASK; /* pull-ups */
    DDRB |= _BV(EMITTER_BIT);
    DIDR0 = 0x3F;
    /* 16 MHz / 16 = 1 MHz, 13 us a conversion. The data sheet promises 10 bits up to 200 kHz; at 1 MHz about 8 are left,
     * and the bounds are held in units of 4 counts for that reason. */
    ADCSRA = _BV(ADEN) | _BV(ADIE) | _BV(ADPS2);
    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
    silent = true;
    for (uint8_t round = 0; round < config.debounce_scans; round++) {
        for (uint8_t select = 0; select < SELECT_COUNT; select++) look_at_row(select);
        look_at_buttons();
    }
    look_at_buttons();
    silent = false;
    row_due = scan_begun = ticks();
}

uint16_t scan_due(void) { return row_due; }

bool scan_work(void) {
    uint16_t now = ticks();
    if ((int16_t)(now - row_due) < 0) return false;
    uint16_t pace = config.scan_period_ms * (TICKS_PER_MS / SELECT_COUNT);
    row_due += pace;
    if ((int16_t)(now - row_due) > LATE_TICKS) row_due = now;
    look_at_row(select_now);
    if (++select_now < SELECT_COUNT) return true;
    select_now = 0;
    look_at_buttons();
    now = ticks();
    if ((uint16_t)(now - scan_begun) > worst_scan) worst_scan = now - scan_begun;
    scan_begun = now;
    return true;
}

uint8_t scan_class(uint8_t channel) { return REPORTED(channel); }

int16_t scan_signal(uint8_t channel) {
    uint8_t mux = channel / SELECT_COUNT;
    emitters(false);
    choose(channel % SELECT_COUNT);
    uint16_t dark = convert(mux);
    if (config.sensor_kind == SENSOR_HALL) return (int16_t)dark - 512;
    emitters(true);
    int16_t signal = convert(mux) - dark;
    emitters(false);
    return signal;
}

uint8_t scan_buttons(void) { return buttons; }

uint16_t scan_worst_us(void) { return worst_scan / TICKS_PER_US; }
