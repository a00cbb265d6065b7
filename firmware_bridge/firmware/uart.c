#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "frame.h"
#include "saturate.h"

#ifndef BAUD
#define BAUD 115200UL
#endif
/* 115200 gives 117647 (2.1 % fast, within what 8N1 bears); 500000 is exact. */
#define BAUD_DIVIDER ((F_CPU + 4 * BAUD) / (8 * BAUD) - 1)

#define RECEIVE_SIZE 128 /* 11 ms at 115200: longer than any turn of the main loop */

static uint8_t received[RECEIVE_SIZE];
static volatile uint8_t receive_head, receive_tail;
static volatile uint16_t overruns;

static uint8_t sending[256]; /* 256, so that indices wrap by themselves */
static volatile uint8_t send_head, send_tail;
static struct frame_writer writer;

ISR(USART_RX_vect) {
    if (UCSR0A & _BV(DOR0)) SATURATING_ADD(overruns, 1);
    uint8_t byte = UDR0;
    uint8_t next = (receive_head + 1) % RECEIVE_SIZE;
    if (next == receive_tail) {
        SATURATING_ADD(overruns, 1);
        return;
    }
    received[receive_head] = byte;
    receive_head = next;
}

ISR(USART_UDRE_vect) {
    uint8_t tail = send_tail;
    UDR0 = sending[tail++];
    send_tail = tail;
    if (tail == send_head) UCSR0B &= ~_BV(UDRIE0);
}

void uart_start(void) {
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UBRR0 = BAUD_DIVIDER;
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

bool uart_waiting(void) { return receive_head != receive_tail; }

int16_t uart_get(void) {
    uint8_t tail = receive_tail;
    if (receive_head == tail) return -1;
    uint8_t byte = received[tail];
    receive_tail = (tail + 1) % RECEIVE_SIZE;
    return byte;
}

uint8_t uart_room(void) { return send_tail - send_head - 1; }

void uart_begin(uint8_t type, uint8_t sequence) { frame_begin(&writer, sending, send_head, type, sequence); }

void uart_put(const void *data, uint8_t size) {
    const uint8_t *byte = data;
    while (size--) frame_put(&writer, *byte++);
}

void uart_end(void) {
    send_head = frame_end(&writer);
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { UCSR0B |= _BV(UDRIE0); }
}

uint16_t uart_overruns(void) {
    uint16_t count;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { count = overruns; }
    return count;
}
