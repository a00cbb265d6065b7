/* The serial line: bytes in by interrupt, whole frames out. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_start(void);

/* Gets the next byte received, or -1. */
int16_t uart_get(void);
bool uart_waiting(void);

/* Bytes that still fit behind what is being sent. */
uint8_t uart_room(void);

/* Builds one frame; it is sent from uart_end on. There must be room for it. */
void uart_begin(uint8_t type, uint8_t sequence);
void uart_put(const void *data, uint8_t size);
void uart_end(void);

/* Bytes lost because the receiver was read too late, since the start. */
uint16_t uart_overruns(void);

#endif
