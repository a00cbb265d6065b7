/* An ATmega328P that runs the sensor board's firmware, with the board around it: sensors, buttons, LED chain, piezo, cable. */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <simavr/sim_avr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CYCLES_PER_US 16
#define LED_COUNT 60
#define CHANNEL_COUNT 128

/* board.c: the processor and its time */
extern avr_t *avr;
uint64_t simulated_us(void);
uint64_t simulated_cycles(void);
enum board_reset { RESET_POWER, RESET_EXTERNAL, RESET_BROWN_OUT };
bool board_start(const char *elf_path);
/* Runs until this simulated time. */
void board_run(uint64_t until_us);
void board_reset(enum board_reset cause);
void board_hang(void);
uint64_t board_last_reset_us(void);
uint32_t board_reset_count(void);

/* sensors.c: what the firmware measures */
void sensors_attach(void);
void sensors_after_reset(void);
/* What the sensor gives with its emitter on comes on top of what it gives by ambient light alone. */
void sensor_set(unsigned channel, unsigned reflected_mv, unsigned ambient_mv);
void button_set(unsigned button, bool down);
struct tone {
    uint64_t begun_us, ended_us;
    uint32_t edges;
};
/* Gets the tones that have ended, oldest first; the pointer stays valid until the next run. */
size_t tones_ended(const struct tone **tones);

/* chain.c: what the LEDs show */
void chain_attach(bool apa102);
void chain_after_reset(void);
struct chain_view {
    uint8_t colours[LED_COUNT][3]; /* red, green, blue */
    uint64_t shown_us;
    uint32_t frames, bad_frames;
    uint32_t worst_gap_ns; /* longest low between two bytes of one frame */
};
const struct chain_view *chain_view(void);

/* line.c: the serial cable, a pty under a fixed name */
bool line_attach(const char *link_path, uint64_t seed);
void line_after_reset(void);
int line_descriptor(void); /* -1 while unplugged */
void line_read(void);      /* takes what the host has sent */
void line_flush(void);     /* hands the host what the board has sent */
bool line_plug(void);
void line_unplug(void);
void line_babble(const uint8_t *bytes, size_t count);
void line_noise(double lose_percent, double flip_percent);
uint32_t line_overruns(void);

/* control.c: commands from the test or the demo */
void control_attach(int descriptor);
/* Takes what has come. Gets false when the other end is gone. */
bool control_read(void);
/* Carries out the commands whose simulated time has come; gets when the next one is due. */
uint64_t control_due(uint64_t now_us);
bool control_paused(void);

#endif
