#include "piezo.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "pins.h"

static uint8_t halves_left; /* sound and silence in turn */
static uint16_t half_ms;
static uint32_t half_due;

/* Writing a one to a PIN bit turns the pin over. Written whole instead of by sbi, which the emulator takes for
 * reading and writing back, turning every pin over that is high. No flag changes, so one register is all to save. */
ISR(TIMER2_COMPA_vect, ISR_NAKED) {
    __asm__ volatile(
        "push r24\n\t"
        "ldi r24, %1\n\t"
        "out %0, r24\n\t"
        "pop r24\n\t"
        "reti" ::"I"(_SFR_IO_ADDR(PINB)), "M"(_BV(PIEZO_BIT)));
}

void piezo_start(void) {
    DDRB |= _BV(PIEZO_BIT);
    TCCR2A = _BV(WGM21); /* clear on compare */
}

static void sound(bool on) {
    if (on) {
        TCNT2 = 0;
        TIFR2 = _BV(OCF2A);
        TIMSK2 = _BV(OCIE2A);
    } else {
        TIMSK2 = 0;
        PORTB &= ~_BV(PIEZO_BIT);
    }
}

bool piezo_beep(const struct wire_beep *beep) {
    static const uint16_t dividers[] = {1, 8, 32, 64, 128, 256, 1024};
    if (beep->frequency_hz < PIEZO_LEAST_HZ || beep->frequency_hz > PIEZO_MOST_HZ) return false;
    sound(false);
    uint32_t turns_hz = 2UL * beep->frequency_hz;
    for (uint8_t step = 0; step < sizeof dividers / sizeof dividers[0]; step++) {
        uint32_t count = (F_CPU / dividers[step] + turns_hz / 2) / turns_hz;
        if (count > 256) continue;
        TCCR2B = step + 1;
        OCR2A = count - 1;
        break;
    }
    half_ms = beep->duration_ms;
    halves_left = beep->repeats > 127 ? 254 : beep->repeats * 2;
    half_due = 0;
    if (halves_left) sound(true);
    return true;
}

void piezo_work(uint32_t ms) {
    if (!halves_left) return;
    if (!half_due) half_due = ms + half_ms;
    if ((int32_t)(ms - half_due) < 0) return;
    halves_left--;
    half_due += half_ms;
    sound(halves_left && !(halves_left & 1));
}
