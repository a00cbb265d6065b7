#include "frame.h"

#ifdef __AVR__
#include <util/crc16.h>

uint16_t crc16_byte(uint16_t crc, uint8_t byte) { return _crc_xmodem_update(crc, byte); }
#else
uint16_t crc16_byte(uint16_t crc, uint8_t byte) {
    crc ^= (uint16_t)byte << 8;
    for (uint8_t bit = 0; bit < 8; bit++)
        crc = crc & 0x8000 ? (uint16_t)(crc << 1) ^ 0x1021 : (uint16_t)(crc << 1);
    return crc;
}
#endif

static void append(struct frame_reader *reader, uint8_t byte) {
    if (reader->length < MAX_BODY)
        reader->body[reader->length++] = byte;
    else
        reader->broken = true;
}

static enum frame_result finish(struct frame_reader *reader) {
    if (!reader->begun) return FRAME_NOTHING; /* zeros in a row clear the line */
    reader->begun = false;
    if (reader->broken || reader->block_left || reader->length < 4) return FRAME_BAD_FRAMING;
    uint16_t crc = 0;
    reader->length -= 2;
    for (uint8_t place = 0; place < reader->length; place++) crc = crc16_byte(crc, reader->body[place]);
    if (reader->body[reader->length] != (uint8_t)crc || reader->body[reader->length + 1] != crc >> 8)
        return FRAME_BAD_CRC;
    return FRAME_COMPLETE;
}

enum frame_result frame_feed(struct frame_reader *reader, uint8_t byte) {
    if (!byte) return finish(reader);
    if (!reader->begun) {
        reader->begun = true;
        reader->broken = false;
        reader->length = 0;
        reader->block_left = byte - 1;
        reader->block_full = byte == 0xFF;
    } else if (reader->block_left) {
        reader->block_left--;
        append(reader, byte);
    } else {
        if (!reader->block_full) append(reader, 0);
        reader->block_left = byte - 1;
        reader->block_full = byte == 0xFF;
    }
    return FRAME_NOTHING;
}

static void put_encoded(struct frame_writer *writer, uint8_t byte) {
    if (byte) {
        writer->ring[writer->at++] = byte;
        writer->code++; /* a body is shorter than 254 bytes, so a code never reaches its limit */
    } else {
        writer->ring[writer->code_at] = writer->code;
        writer->code_at = writer->at++;
        writer->code = 1;
    }
}

void frame_begin(struct frame_writer *writer, uint8_t *ring, uint8_t at, uint8_t type, uint8_t sequence) {
    writer->ring = ring;
    writer->code_at = at;
    writer->at = at + 1;
    writer->code = 1;
    writer->crc = 0;
    frame_put(writer, type);
    frame_put(writer, sequence);
}

void frame_put(struct frame_writer *writer, uint8_t byte) {
    writer->crc = crc16_byte(writer->crc, byte);
    put_encoded(writer, byte);
}

uint8_t frame_end(struct frame_writer *writer) {
    uint16_t crc = writer->crc;
    put_encoded(writer, (uint8_t)crc);
    put_encoded(writer, crc >> 8);
    writer->ring[writer->code_at] = writer->code;
    writer->ring[writer->at++] = 0;
    return writer->at;
}
