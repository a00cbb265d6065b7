#include "ticks.h"

#include <avr/interrupt.h>
#include <util/atomic.h>

static volatile uint32_t milliseconds;

ISR(TIMER0_COMPA_vect) { milliseconds++; }

EMPTY_INTERRUPT(TIMER1_COMPA_vect) /* only ends sleep */

void ticks_start(void) {
    TCCR0A = _BV(WGM01); /* clear on compare: 16 MHz / 64 / 250 = 1 kHz */
    OCR0A = 249;
    TIMSK0 = _BV(OCIE0A);
    TCCR0B = _BV(CS01) | _BV(CS00);
    TCCR1A = 0;
    TIMSK1 = _BV(OCIE1A);
    TCCR1B = _BV(CS11); /* free running at 2 MHz */
}

uint32_t now_ms(void) {
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { now = milliseconds; }
    return now;
}
