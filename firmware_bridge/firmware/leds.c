#include "leds.h"

#include <avr/io.h>

#include "pins.h"
#include "saturate.h"
#include "settings.h"

#define PATTERN_SLOT_MS 125
#define COLOUR_CURRENT_MA 20 /* one colour of a WS2812B at full brightness (data sheet) */
#define HOLD_MS 500          /* a frame whose rest never comes is shown as it is after this long */
#define FULL 256

struct light {
    uint8_t red, green, blue, pattern;
};

#define NO_HOST_FIRST 48 /* the bar breathes dim blue, once a second */
#define NO_HOST_LAST 51
static const struct light no_host = {0, 0, 40, 0x0F};
static const struct light dark;

static struct light lights[LED_COUNT];
static uint16_t scale_256 = FULL, current_ma, frames;
static uint8_t slot_shown = 0xFF;
static bool changed = true, held, host_shown;
static uint16_t held_slots;

static const struct light *light_at(uint8_t led) {
    if (host_shown) return &lights[led];
    return led >= NO_HOST_FIRST && led <= NO_HOST_LAST ? &no_host : &dark;
}

static uint8_t scaled(uint8_t value, uint8_t part_of_256) { return (uint16_t)(value * part_of_256) >> 8; }

static uint8_t dimmed(uint8_t value) {
    return config.brightness == 255 ? value : scaled(value, config.brightness + 1);
}

static inline uint8_t driven(uint8_t value) {
    value = dimmed(value);
    return scale_256 == FULL ? value : scaled(value, scale_256);
}

static uint16_t colour_sum(uint8_t (*of)(uint8_t)) {
    uint16_t sum = 0; /* at most 60 x 3 x 255 = 45900 */
    for (uint8_t led = 0; led < LED_COUNT; led++) {
        const struct light *light = light_at(led);
        if (light->pattern) sum += of(light->red) + of(light->green) + of(light->blue);
    }
    return sum;
}

/* The same whole-number arithmetic as LedFrame.within on the host, so both sides agree to the last bit. */
static void rescale(void) {
    uint32_t drawn = (uint32_t)colour_sum(dimmed) * COLOUR_CURRENT_MA;
    uint32_t allowed = (uint32_t)config.current_budget_ma * 255;
    scale_256 = drawn <= allowed ? FULL : (uint16_t)(allowed * 256 / drawn);
    current_ma = (uint32_t)colour_sum(driven) * COLOUR_CURRENT_MA / 255;
}

#ifdef LEDS_APA102

/* SPI at 4 MHz: 32 zero bits, then 111, five bits of brightness, blue, green, red for each LED, then clock for the rest. */
static void spi_send(uint8_t byte) {
    SPDR = byte;
    while (!(SPSR & _BV(SPIF)));
}

static void send_chain(uint8_t slot_bit) {
    for (uint8_t zero = 4; zero; zero--) spi_send(0);
    for (uint8_t led = 0; led < LED_COUNT; led++) {
        const struct light *light = light_at(led);
        bool lit = light->pattern & slot_bit;
        spi_send(0xFF);
        spi_send(lit ? driven(light->blue) : 0);
        spi_send(lit ? driven(light->green) : 0);
        spi_send(lit ? driven(light->red) : 0);
    }
    for (uint8_t rest = LED_COUNT / 16 + 1; rest; rest--) spi_send(0);
}

#else

/* WS2812B from MOSI: at 4 MHz one nibble is one bit of 1 us, 1000 a zero (0.25 us high), 1110 a one (0.75 us high).
 * Every nibble ends low, so an interrupt between two bytes only stretches a low, which the chain bears below its
 * latch time of 50 us (first series) or 280 us (later ones). */
#define TWO_BITS(byte, shift)                                                                               \
    ((uint8_t)(0x88 | ((byte) & (2 << (shift)) ? 0x60 : 0) | ((byte) & (1 << (shift)) ? 0x06 : 0)))

static inline void spi_send(uint8_t byte) {
    while (!(SPSR & _BV(SPIF)));
    SPDR = byte;
}

/* A byte on SPI takes 32 cycles, and the next one is worked out meanwhile: first the bits of this colour, and between
 * its last two bytes what the colour behind it will be. */
#define SEND_COLOUR(now, next)          \
    do {                                \
        spi_send(TWO_BITS(now, 6));     \
        spi_send(TWO_BITS(now, 4));     \
        spi_send(TWO_BITS(now, 2));     \
        uint8_t last_ = TWO_BITS(now, 0); \
        now = (next);                   \
        spi_send(last_);                \
    } while (0)

__attribute__((optimize("O2"))) static void send_chain(uint8_t slot_bit) {
    const bool as_sent = scale_256 == FULL && config.brightness == 255, from_host = host_shown;
#define DRIVEN(value) (as_sent ? (value) : driven(value))
    SPDR = 0; /* a low byte, so that the first wait finds a finished one */
    const struct light *light = light_at(0);
    uint8_t colour = light->pattern & slot_bit ? DRIVEN(light->green) : 0;
    for (uint8_t led = 1; led <= LED_COUNT; led++) {
        const bool lit = light->pattern & slot_bit;
        SEND_COLOUR(colour, lit ? DRIVEN(light->red) : 0);
        SEND_COLOUR(colour, lit ? DRIVEN(light->blue) : 0);
        if (led < LED_COUNT) light = from_host ? light + 1 : light_at(led);
        SEND_COLOUR(colour, light->pattern & slot_bit ? DRIVEN(light->green) : 0);
    }
#undef DRIVEN
}

#endif

void leds_start(void) {
    DDRB |= _BV(SS_BIT) | _BV(LED_DATA_BIT) | _BV(LED_CLOCK_BIT);
    SPCR = _BV(SPE) | _BV(MSTR); /* mode 0, 16 MHz / 4 */
    SPSR = 0;
    rescale();
}

bool leds_take(const struct wire_leds *part, const struct wire_led_run *runs, uint8_t run_count) {
    uint16_t end = part->first;
    for (uint8_t run = 0; run < run_count; run++) end += runs[run].led_count;
    if (end > LED_COUNT) return false;
    struct light *light = &lights[part->first];
    for (; run_count; run_count--, runs++)
        for (uint8_t left = runs->led_count; left; left--)
            *light++ = (struct light){runs->red, runs->green, runs->blue, runs->pattern};
    held = !(part->show & 1);
    held_slots = 0;
    if (!held) {
        SATURATING_ADD(frames, 1);
        leds_rescale();
    }
    return true;
}

void leds_rescale(void) {
    rescale();
    changed = true;
}

void leds_work(uint32_t ms, bool host_present) {
    if (host_present != host_shown) {
        host_shown = host_present;
        leds_rescale();
    }
    uint8_t slot = ms / PATTERN_SLOT_MS % 8;
    if (slot != slot_shown && held && ++held_slots > HOLD_MS / PATTERN_SLOT_MS) {
        held = false;
        leds_rescale();
    }
    if (slot == slot_shown && !changed) return;
    if (held && host_shown) { /* half a frame is not shown, and nothing blinks until the rest is there */
        slot_shown = slot;
        return;
    }
    slot_shown = slot;
    changed = false;
    send_chain(_BV(slot));
}

uint16_t leds_frames(void) { return frames; }
uint16_t leds_current_ma(void) { return current_ma; }
