/* Commands, one a line, each answered by one line: "ok ..." or "error ...".
 * "@<us> <command>" carries it out at that simulated time and is answered at once. */
#define _GNU_SOURCE
#include "emulator.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LATER_LIMIT 1024

struct later {
    uint64_t due_us, order;
    char *command;
};

static int control = -1;
static char text[65536];
static size_t text_size;
static bool paused;
static struct later later[LATER_LIMIT];
static size_t later_count;
static uint64_t later_order;

bool control_paused(void) { return paused; }

void control_attach(int descriptor) { control = descriptor; }

static void reply(const char *format, ...) {
    char line[8192];
    va_list values;
    va_start(values, format);
    int size = vsnprintf(line, sizeof line - 1, format, values);
    va_end(values);
    line[size++] = '\n';
    if (write(control, line, (size_t)size) < 0) perror("control");
}

static void tell_leds(void) {
    const struct chain_view *view = chain_view();
    char hex[LED_COUNT * 6 + 1];
    for (unsigned byte = 0; byte < LED_COUNT * 3; byte++) sprintf(hex + 2 * byte, "%02x", view->colours[byte / 3][byte % 3]);
    reply("ok %llu %s", (unsigned long long)view->shown_us, hex);
}

static void tell_tones(void) {
    const struct tone *tones;
    char line[4096] = "";
    size_t count = tones_ended(&tones), used = 0;
    for (size_t tone = 0; tone < count && used < sizeof line - 64; tone++)
        used += (size_t)sprintf(line + used, " %llu:%llu:%u", (unsigned long long)tones[tone].begun_us,
                                (unsigned long long)tones[tone].ended_us, tones[tone].edges);
    reply("ok%s", line);
}

static void tell_health(void) {
    const struct chain_view *view = chain_view();
    reply("ok %u %u %u %u %u %llu", view->frames, view->bad_frames, view->worst_gap_ns, line_overruns(),
          board_reset_count(), (unsigned long long)board_last_reset_us());
}

static bool set_sensors(char *list) {
    for (char *entry = strtok(list, " "); entry; entry = strtok(NULL, " ")) {
        unsigned channel, reflected_mv, ambient_mv;
        if (sscanf(entry, "%u:%u:%u", &channel, &reflected_mv, &ambient_mv) != 3 || channel >= CHANNEL_COUNT) return false;
        sensor_set(channel, reflected_mv, ambient_mv);
    }
    return true;
}

static bool babble(const char *hex) {
    uint8_t bytes[4096];
    size_t count = strlen(hex) / 2;
    if (count > sizeof bytes) return false;
    for (size_t place = 0; place < count; place++)
        if (sscanf(hex + 2 * place, "%2hhx", &bytes[place]) != 1) return false;
    line_babble(bytes, count);
    return true;
}

/* Gets whether the command is one that only acts; those that tell something answer themselves. */
static bool act(char *command) {
    unsigned number;
    int down;
    double lose, flip;
    if (!strncmp(command, "sensors ", 8)) return set_sensors(command + 8);
    if (!strncmp(command, "babble ", 7)) return babble(command + 7);
    if (sscanf(command, "button %u %d", &number, &down) == 2 && number < 2) return button_set(number, down), true;
    if (sscanf(command, "noise %lf %lf", &lose, &flip) == 2) return line_noise(lose, flip), true;
    if (!strcmp(command, "reset power")) return paused = false, board_reset(RESET_POWER), true;
    if (!strcmp(command, "reset external")) return paused = false, board_reset(RESET_EXTERNAL), true;
    if (!strcmp(command, "reset brown-out")) return paused = false, board_reset(RESET_BROWN_OUT), true;
    if (!strcmp(command, "hang")) return board_hang(), true;
    if (!strcmp(command, "pause")) return paused = true, true;
    if (!strcmp(command, "resume")) return paused = false, true;
    if (!strcmp(command, "unplug")) return line_unplug(), true;
    if (!strcmp(command, "plug")) return line_plug();
    return false;
}

static bool put_off(const char *command) {
    char *rest;
    uint64_t due_us = strtoull(command + 1, &rest, 10);
    if (*rest != ' ' || later_count == LATER_LIMIT) return false;
    later[later_count++] = (struct later){due_us, later_order++, strdup(rest + 1)};
    return true;
}

static void carry_out(char *command) {
    if (!strcmp(command, "time"))
        reply("ok %llu", (unsigned long long)simulated_us());
    else if (!strcmp(command, "leds"))
        tell_leds();
    else if (!strcmp(command, "tones"))
        tell_tones();
    else if (!strcmp(command, "health"))
        tell_health();
    else {
        char asked[64];
        snprintf(asked, sizeof asked, "%.60s", command);
        if (*command == '@' ? put_off(command) : act(command))
            reply("ok");
        else
            reply("error not understood: %s", asked);
    }
}

bool control_read(void) {
    ssize_t count = read(control, text + text_size, sizeof text - text_size - 1);
    if (count <= 0) return false;
    text_size += (size_t)count;
    text[text_size] = 0;
    char *begin = text, *end;
    while ((end = strchr(begin, '\n'))) {
        *end = 0;
        carry_out(begin);
        begin = end + 1;
    }
    text_size -= (size_t)(begin - text);
    memmove(text, begin, text_size);
    return text_size < sizeof text - 1;
}

uint64_t control_due(uint64_t now_us) {
    for (;;) {
        size_t next = later_count;
        for (size_t place = 0; place < later_count; place++)
            if (next == later_count || later[place].due_us < later[next].due_us ||
                (later[place].due_us == later[next].due_us && later[place].order < later[next].order))
                next = place;
        if (next == later_count) return UINT64_MAX;
        if (later[next].due_us > now_us) return later[next].due_us;
        char *command = later[next].command;
        later[next] = later[--later_count];
        if (!act(command)) fprintf(stderr, "put off, and not understood: %s\n", command);
        free(command);
    }
}
