/* sensor_board_emulator ELF LINK_PATH CONTROL_FD [ws2812|apa102] [SEED]
 *
 * Runs the firmware at the pace of the wall clock with its serial port under LINK_PATH, until CONTROL_FD is closed:
 * so it ends with whoever started it. */
#define _GNU_SOURCE
#include "emulator.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SLICE_US 500
#define LATE_US 20000 /* further behind than this, the lost time is given up instead of made good */

static uint64_t wall_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* Waits for the cable or a command, at most this long. Gets false when the other end of the control is gone. */
static bool wait_for_input(int control, int64_t wait_us) {
    struct pollfd inputs[] = {{.fd = control, .events = POLLIN}, {.fd = line_descriptor(), .events = POLLIN}};
    struct timespec wait = {.tv_sec = wait_us / 1000000, .tv_nsec = wait_us % 1000000 * 1000};
    bool with_line = line_descriptor() >= 0 && !control_paused(); /* what comes while paused stays in the pty */
    if (ppoll(inputs, with_line ? 2 : 1, &wait, NULL) <= 0) return true;
    if (with_line && inputs[1].revents & POLLIN) line_read();
    return !inputs[0].revents || control_read();
}

static void run(int control) {
    int64_t ahead = (int64_t)simulated_us() - (int64_t)wall_us();
    for (;;) {
        if (control_paused()) {
            if (!wait_for_input(control, 1000000)) return;
            ahead = (int64_t)simulated_us() - (int64_t)wall_us();
            continue;
        }
        uint64_t now_us = simulated_us(), due_us = control_due(now_us);
        board_run(due_us < now_us + SLICE_US ? due_us : now_us + SLICE_US);
        line_flush();
        int64_t early_us = (int64_t)simulated_us() - ahead - (int64_t)wall_us();
        if (early_us < -LATE_US) ahead = (int64_t)simulated_us() - (int64_t)wall_us();
        if (!wait_for_input(control, early_us > 0 ? early_us : 0)) return;
    }
}

int main(int count, char **words) {
    if (count < 4) {
        fprintf(stderr, "usage: %s ELF LINK_PATH CONTROL_FD [ws2812|apa102] [SEED]\n", words[0]);
        return 2;
    }
    int control = atoi(words[3]);
    if (!freopen("/dev/null", "w", stdout)) return 2; /* simavr talks on stdout */
    if (!board_start(words[1])) {
        fprintf(stderr, "%s is no firmware for an ATmega328P; run make in firmware_bridge/firmware\n", words[1]);
        return 2;
    }
    if (!line_attach(words[2], count > 5 ? strtoull(words[5], NULL, 10) : 1)) {
        fprintf(stderr, "no pseudo-terminal could be opened at %s\n", words[2]);
        return 2;
    }
    sensors_attach();
    chain_attach(count > 4 && !strcmp(words[4], "apa102"));
    control_attach(control);
    board_reset(RESET_POWER);
    run(control);
    line_unplug();
    return 0;
}
