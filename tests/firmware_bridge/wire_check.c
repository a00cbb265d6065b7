/* Reads frames as hex, one a line, and writes for each what the firmware's own code makes of it:
 * the result of reading, and the frame that its writer makes of the same body. Then the sizes of all payloads. */
#include <stdio.h>
#include <string.h>

#include "frame.h"

#define SIZE(name) printf("size " #name " %zu\n", sizeof(struct wire_##name))

static void rewrite(const struct frame_reader *reader) {
    static uint8_t ring[256];
    static uint8_t at = 200; /* so that long frames go over the ring's end */
    struct frame_writer writer;
    uint8_t begin = at;
    frame_begin(&writer, ring, at, reader->body[0], reader->body[1]);
    for (uint8_t place = 2; place < reader->length; place++) frame_put(&writer, reader->body[place]);
    at = frame_end(&writer);
    for (uint8_t place = begin; place != at; place++) printf("%02x", ring[place]);
}

int main(void) {
    static char line[2048];
    struct frame_reader reader = {0};
    uint16_t check = 0;
    for (const char *byte = "123456789"; *byte; byte++) check = crc16_byte(check, (uint8_t)*byte);
    printf("crc %04x\n", check);
    while (fgets(line, sizeof line, stdin)) {
        unsigned byte;
        for (char *hex = line; sscanf(hex, "%2x", &byte) == 1; hex += 2) {
            enum frame_result result = frame_feed(&reader, (uint8_t)byte);
            if (result == FRAME_COMPLETE) {
                printf("frame ");
                rewrite(&reader);
                printf("\n");
            } else if (result != FRAME_NOTHING) {
                printf("fault %d\n", result);
            }
        }
    }
    SIZE(hello), SIZE(leds), SIZE(led_run), SIZE(config), SIZE(raw_request), SIZE(calibrate), SIZE(beep), SIZE(ping);
    SIZE(event_ack), SIZE(ident), SIZE(state), SIZE(raw), SIZE(calibrated), SIZE(pong), SIZE(stats), SIZE(ack);
    SIZE(error), SIZE(events), SIZE(event_record), SIZE(log);
    return 0;
}
