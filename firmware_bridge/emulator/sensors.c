#include "emulator.h"

#include <simavr/avr_adc.h>
#include <simavr/avr_ioport.h>
#include <string.h>

#define PORTB_ADDRESS 0x25
#define PORTD_ADDRESS 0x2B
#define EMITTER_BIT 1
#define SELECT_SHIFT 2
#define BUTTON_FIRST_BIT 6
#define BUTTON_COUNT 2
#define SUPPLY_MV 5000
#define SILENCE_US 20000 /* longer than half a period of the lowest tone */
#define TONE_LIMIT 64

static unsigned reflected[CHANNEL_COUNT], ambient[CHANNEL_COUNT];
static bool buttons_down[BUTTON_COUNT];
static struct tone tones[TONE_LIMIT + 1];
static size_t tone_count;
static bool sounding;

static unsigned seen_mv(unsigned mux) {
    unsigned select = avr->data[PORTD_ADDRESS] >> SELECT_SHIFT & 15;
    bool lit = avr->data[PORTB_ADDRESS] >> EMITTER_BIT & 1;
    unsigned channel = mux * 16 + select;
    unsigned mv = ambient[channel] + (lit ? reflected[channel] : 0);
    return mv < SUPPLY_MV ? mv : SUPPLY_MV;
}

static void on_conversion(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    (void)param;
    union {
        uint32_t value;
        avr_adc_mux_t mux;
    } asked = {.value = value};
    if (asked.mux.kind == ADC_MUX_SINGLE && asked.mux.src < 8)
        avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, asked.mux.src), seen_mv(asked.mux.src));
}

static void close_tone(void) {
    struct tone *tone = &tones[tone_count];
    if (!sounding || simulated_us() - tone->ended_us < SILENCE_US) return;
    sounding = false;
    if (tone->edges < 4) return; /* the pin was only set to its resting level */
    if (tone_count == TONE_LIMIT - 1)
        memmove(tones, tones + 1, (TONE_LIMIT - 1) * sizeof *tones);
    else
        tone_count++;
}

static void on_piezo(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    (void)value;
    (void)param;
    close_tone();
    struct tone *tone = &tones[tone_count];
    if (!sounding) *tone = (struct tone){.begun_us = simulated_us()};
    sounding = true;
    tone->ended_us = simulated_us();
    tone->edges++;
}

size_t tones_ended(const struct tone **ended) {
    close_tone();
    *ended = tones;
    return tone_count;
}

/* As outer drive, not only as a level: simavr takes every write to the port for the pull-up winning again. */
static void drive_buttons(void) {
    avr_ioport_external_t outside = {.name = 'D'};
    for (unsigned button = 0; button < BUTTON_COUNT; button++) {
        unsigned bit = BUTTON_FIRST_BIT + button;
        bool level = !buttons_down[button]; /* to ground when down */
        outside.mask |= 1UL << bit;
        outside.value |= (unsigned long)level << bit;
        avr_irq_t *pin = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), (int)bit);
        avr_raise_irq(pin, !level); /* an unchanged level would be filtered out, though a reset has cleared the pin */
        avr_raise_irq(pin, level);
    }
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('D'), &outside);
}

void sensors_attach(void) {
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), on_conversion, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 0), on_piezo, NULL);
    sensors_after_reset();
}

void sensors_after_reset(void) { drive_buttons(); }

void sensor_set(unsigned channel, unsigned reflected_mv, unsigned ambient_mv) {
    reflected[channel] = reflected_mv;
    ambient[channel] = ambient_mv;
}

void button_set(unsigned button, bool down) {
    buttons_down[button] = down;
    drive_buttons();
}
