/* Frames: COBS(type, sequence, payload, crc) 0x00. No input or output; the same code runs in the host-side test. */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "wire.h"

/* CRC-16/XMODEM: polynomial 0x1021, start 0; "123456789" gives 0x31C3. */
uint16_t crc16_byte(uint16_t crc, uint8_t byte);

enum frame_result { FRAME_NOTHING, FRAME_COMPLETE, FRAME_BAD_FRAMING, FRAME_BAD_CRC };

struct frame_reader {
    uint8_t body[MAX_BODY];
    uint8_t length;     /* bytes in body */
    uint8_t block_left; /* data bytes until the next COBS code */
    bool block_full;    /* the block had the longest code, so no zero follows it */
    bool begun, broken;
};

/* Takes one byte. On FRAME_COMPLETE body holds type, sequence and payload, and length counts them;
 * both stay until the next byte is fed. */
enum frame_result frame_feed(struct frame_reader *reader, uint8_t byte);

/* Writes a frame byte by byte into a ring of 256, so that index arithmetic wraps by itself. */
struct frame_writer {
    uint8_t *ring;
    uint8_t at, code_at, code;
    uint16_t crc;
};

void frame_begin(struct frame_writer *writer, uint8_t *ring, uint8_t at, uint8_t type, uint8_t sequence);
void frame_put(struct frame_writer *writer, uint8_t byte);
/* Adds CRC and closing zero, and gets the ring index behind them. */
uint8_t frame_end(struct frame_writer *writer);

/* What a frame with this payload takes in the ring, at most. */
#define FRAME_SIZE(payload) ((payload) + 7)

#endif
