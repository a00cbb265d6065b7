#define _GNU_SOURCE
#include "emulator.h"

#include <fcntl.h>
#include <pty.h>
#include <simavr/avr_uart.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define UCSR0A_ADDRESS 0xC0
#define DOR0 0x08
#define HOST_BAUD 115200
#define CYCLES_PER_BYTE (10 * CYCLES_PER_US * 1000000 / HOST_BAUD) /* eight bits, start and stop */
#define QUEUE 65536 /* a power of two */
#define RECEIVER_DEPTH 3 /* two bytes in the receiver's buffer and one in its shift register */
#define UDR0_ADDRESS 0xC6
#define RXEN0 0x10
#define UCSR0B_ADDRESS 0xC1

static int master = -1, slave = -1;
static char path[512];
static uint8_t queue[QUEUE], sent[QUEUE];
static size_t queue_head, queue_tail, sent_count;
static bool feeding;
static double lose, flip;
static uint64_t random_state = 1;
static uint32_t overruns;
static uint8_t received[RECEIVER_DEPTH];
static unsigned received_count;
static avr_uart_t *uart;

static double chance(void) { /* xorshift64*, in per cent */
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (double)(random_state * 2685821657736338717ULL >> 11) / 9007199254740992.0 * 100;
}

static bool through_the_cable(uint8_t *byte) {
    if (lose > 0 && chance() < lose) return false;
    if (flip > 0 && chance() < flip) *byte ^= (uint8_t)(1 << (unsigned)(chance() / 12.5));
    return true;
}

static avr_cycle_count_t feed(avr_t *processor, avr_cycle_count_t when, void *param) {
    (void)param;
    if (queue_head == queue_tail) {
        feeding = false;
        return 0;
    }
    uint8_t byte = queue[queue_tail++ % QUEUE];
    if (!(processor->data[UCSR0B_ADDRESS] & RXEN0)) return when + CYCLES_PER_BYTE; /* nobody listens yet */
    if (received_count == RECEIVER_DEPTH) {
        overruns++;
        processor->data[UCSR0A_ADDRESS] |= DOR0;
    } else {
        received[received_count++] = byte;
        avr_raise_interrupt(processor, &uart->rxc);
    }
    return when + CYCLES_PER_BYTE;
}

/* In place of simavr's own receiver, which holds 64 bytes and hands them out at a pace of its own. */
static uint8_t on_read(avr_t *processor, avr_io_addr_t address, void *param) {
    (void)param;
    if (received_count) {
        processor->data[address] = received[0];
        memmove(received, received + 1, --received_count);
        processor->data[UCSR0A_ADDRESS] &= (uint8_t)~DOR0;
    }
    if (received_count)
        avr_raise_interrupt(processor, &uart->rxc);
    else {
        avr_clear_interrupt(processor, &uart->rxc);
        avr_regbit_clear(processor, uart->rxc.raised);
    }
    return processor->data[address];
}

static void on_sent(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    (void)param;
    uint8_t byte = (uint8_t)value;
    if (sent_count < QUEUE && through_the_cable(&byte)) sent[sent_count++] = byte;
}

bool line_attach(const char *link_path, uint64_t seed) {
    random_state = seed * 2654435761ULL + 1;
    snprintf(path, sizeof path, "%s", link_path);
    uint32_t flags = 0; /* no lines on the console, no sleeping while the firmware polls */
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    for (avr_io_t *part = avr->io_port; part; part = part->next)
        if (!strcmp(part->kind, "uart")) uart = (avr_uart_t *)part;
    avr->io[AVR_DATA_TO_IO(UDR0_ADDRESS)].r.c = on_read;
    avr->io[AVR_DATA_TO_IO(UDR0_ADDRESS)].r.param = NULL;
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_sent, NULL);
    return uart && line_plug();
}

void line_after_reset(void) {
    feeding = false;
    received_count = 0;
}

int line_descriptor(void) { return master; }

void line_read(void) {
    uint8_t bytes[4096];
    ssize_t count = master < 0 ? 0 : read(master, bytes, sizeof bytes);
    for (ssize_t place = 0; place < count; place++)
        if (through_the_cable(&bytes[place]) && queue_head - queue_tail < QUEUE) queue[queue_head++ % QUEUE] = bytes[place];
    if (!feeding && queue_head != queue_tail) {
        feeding = true;
        avr_cycle_timer_register(avr, CYCLES_PER_BYTE, feed, NULL);
    }
}

void line_flush(void) {
    /* What a full pty does not take is lost, as on a serial line that nobody reads. */
    if (sent_count && master >= 0 && write(master, sent, sent_count) < 0) { /* nothing to do about it */
    }
    sent_count = 0;
}

bool line_plug(void) {
    if (master >= 0) return true;
    struct termios raw;
    char name[256], fresh[sizeof path + 8];
    if (openpty(&master, &slave, name, NULL, NULL)) return false;
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    fcntl(master, F_SETFL, O_NONBLOCK);
    snprintf(fresh, sizeof fresh, "%s.new", path);
    unlink(fresh);
    return !symlink(name, fresh) && !rename(fresh, path);
}

void line_unplug(void) {
    if (master < 0) return;
    unlink(path);
    close(master);
    close(slave);
    master = slave = -1;
    queue_tail = queue_head;
    sent_count = 0;
}

void line_babble(const uint8_t *bytes, size_t count) {
    for (size_t place = 0; place < count && sent_count < QUEUE; place++) sent[sent_count++] = bytes[place];
}

void line_noise(double lose_percent, double flip_percent) {
    lose = lose_percent;
    flip = flip_percent;
}

uint32_t line_overruns(void) { return overruns; }
