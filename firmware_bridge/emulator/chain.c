#include "emulator.h"

#include <simavr/avr_spi.h>
#include <stdio.h>
#include <string.h>

#define SPCR_ADDRESS 0x4C
#define SPSR_ADDRESS 0x4D
#define SPDR_ADDRESS 0x4E
#define SPIF 0x80
#define LATCH_CYCLES (50 * CYCLES_PER_US) /* WS2812B, first series: a low of 50 us ends a frame */
#define BITS (LED_COUNT * 24)

static struct chain_view view;
static bool is_apa102, busy;
static uint64_t byte_ended; /* in simulated cycles */
static uint8_t bytes[LED_COUNT * 4];
static unsigned bits, zeros, apa_bytes;
static bool broken, apa_frame;

const struct chain_view *chain_view(void) { return &view; }

static void publish(unsigned stride, unsigned red, unsigned green, unsigned blue) {
    for (unsigned led = 0; led < LED_COUNT; led++) {
        view.colours[led][0] = bytes[led * stride + red];
        view.colours[led][1] = bytes[led * stride + green];
        view.colours[led][2] = bytes[led * stride + blue];
    }
    view.shown_us = simulated_us();
    view.frames++;
}

static void take_bit(bool one) {
    if (bits >= BITS) return; /* the chain ends here and hands the rest to nobody */
    if (bits % 8 == 0) bytes[bits / 8] = 0;
    bytes[bits / 8] = (uint8_t)(bytes[bits / 8] << 1 | one);
    if (++bits == BITS && !broken) publish(3, 1, 0, 2);
}

static void take_ws2812(uint8_t byte, uint64_t begun) {
    if (begun - byte_ended > LATCH_CYCLES) {
        if (bits && (bits < BITS || broken)) view.bad_frames++;
        bits = 0;
        broken = false;
    } else if (bits && bits < BITS) {
        uint32_t gap_ns = (uint32_t)((begun - byte_ended) * 1000 / CYCLES_PER_US);
        if (gap_ns > view.worst_gap_ns) view.worst_gap_ns = gap_ns;
    }
    if (!bits && !byte) return; /* low before the first bit */
    for (int shift = 4; shift >= 0; shift -= 4) {
        uint8_t nibble = byte >> shift & 15;
        if (nibble == 0x8 || nibble == 0xE)
            take_bit(nibble == 0xE);
        else
            broken = true;
    }
}

static void take_apa102(uint8_t byte) {
    zeros = byte ? 0 : zeros + 1;
    if (!apa_frame) {
        if (zeros >= 4) apa_frame = true, apa_bytes = 0;
        return;
    }
    if (apa_bytes % 4 == 0 && (byte & 0xE0) != 0xE0) {
        if (byte || apa_bytes) view.bad_frames++, apa_frame = false;
        return;
    }
    bytes[apa_bytes++] = byte;
    if (apa_bytes < sizeof bytes) return;
    apa_frame = false;
    zeros = 0;
    publish(4, 3, 2, 1);
}

static avr_cycle_count_t byte_done(avr_t *processor, avr_cycle_count_t when, void *param) {
    (void)when;
    (void)param;
    processor->data[SPSR_ADDRESS] |= SPIF;
    busy = false;
    return 0;
}

/* In place of simavr's own handler, whose bytes take 100 us whatever the clock. */
static void on_data(avr_t *processor, avr_io_addr_t address, uint8_t byte, void *param) {
    (void)param;
    static const unsigned dividers[] = {4, 16, 64, 128};
    if (busy) {
        view.bad_frames++; /* a write collision: the byte is lost */
        return;
    }
    processor->data[address] = byte;
    processor->data[SPSR_ADDRESS] &= (uint8_t)~SPIF;
    unsigned cycles = 8 * dividers[processor->data[SPCR_ADDRESS] & 3] >> (processor->data[SPSR_ADDRESS] & 1);
    uint64_t begun = simulated_cycles();
    if (is_apa102)
        take_apa102(byte);
    else
        take_ws2812(byte, begun);
    byte_ended = begun + cycles;
    busy = true;
    avr_cycle_timer_register(processor, cycles, byte_done, NULL);
}

void chain_attach(bool apa102) {
    is_apa102 = apa102;
    avr->io[AVR_DATA_TO_IO(SPDR_ADDRESS)].w.c = on_data;
    avr->io[AVR_DATA_TO_IO(SPDR_ADDRESS)].w.param = NULL;
}

void chain_after_reset(void) {
    busy = false;
    bits = 0;
    apa_frame = false;
    broken = false;
}
