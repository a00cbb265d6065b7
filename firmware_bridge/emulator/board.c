#include "emulator.h"

#include <simavr/avr_extint.h>
#include <simavr/sim_elf.h>
#include <stdio.h>
#include <string.h>

#define MCUSR_ADDRESS 0x54
#define RJMP_SELF 0xCFFF /* a jump to itself */

avr_t *avr;

static uint64_t last_reset_us;
static uint32_t resets;
static avr_flashaddr_t hung_at;
static uint16_t hung_instruction;
static bool hung, reset_seen;
static void (*reset_of_core)(avr_t *);

uint64_t simulated_cycles(void) { return avr->cycle; } /* resets do not turn it back */
uint64_t simulated_us(void) { return simulated_cycles() / CYCLES_PER_US; }
uint64_t board_last_reset_us(void) { return last_reset_us; }
uint32_t board_reset_count(void) { return resets; }

/* Sleep takes no real time here: the main loop keeps pace with the wall clock. */
static void no_sleep(avr_t *processor, avr_cycle_count_t how_long) {
    (void)processor;
    (void)how_long;
}

static void on_reset(avr_t *processor) {
    reset_seen = true;
    if (reset_of_core) reset_of_core(processor);
}

static void after_reset(void) {
    reset_seen = false;
    if (hung) memcpy(avr->flash + hung_at, &hung_instruction, sizeof hung_instruction);
    hung = false;
    last_reset_us = simulated_us();
    resets++;
    /* simavr polls PD2 and PD3 as level interrupts while they are low, though they are outputs here. */
    avr_extint_set_strict_lvl_trig(avr, 0, 0);
    avr_extint_set_strict_lvl_trig(avr, 1, 0);
    sensors_after_reset();
    chain_after_reset();
    line_after_reset();
}

bool board_start(const char *elf_path) {
    elf_firmware_t firmware = {0};
    if (elf_read_firmware(elf_path, &firmware) != 0) return false;
    avr = avr_make_mcu_by_name("atmega328p");
    if (!avr) return false;
    avr_init(avr);
    avr->frequency = CYCLES_PER_US * 1000000;
    avr->vcc = avr->avcc = avr->aref = 5000;
    avr->log = LOG_ERROR;
    avr->sleep = no_sleep;
    reset_of_core = avr->reset;
    avr->reset = on_reset;
    firmware.eeprom = NULL; /* a new chip: its EEPROM is erased, as the .hex leaves it */
    firmware.eesize = 0;
    avr_load_firmware(avr, &firmware);
    return true;
}

void board_run(uint64_t until_us) {
    while (simulated_us() < until_us) {
        int state = avr_run(avr);
        if (reset_seen) after_reset(); /* by the watchdog, within avr_run */
        if (state == cpu_Done || state == cpu_Crashed) {
            fprintf(stderr, "the emulated processor stopped (state %d) at %llu us, pc 0x%04x\n", state,
                    (unsigned long long)simulated_us(), avr->pc);
            avr->state = cpu_Running;
            board_reset(RESET_EXTERNAL);
        }
    }
}

void board_reset(enum board_reset cause) {
    static const uint8_t flags[] = {[RESET_POWER] = 0x01, [RESET_EXTERNAL] = 0x02, [RESET_BROWN_OUT] = 0x04};
    avr->state = cpu_Running; /* simavr would start it again asleep */
    avr_reset(avr);
    avr->data[MCUSR_ADDRESS] = flags[cause];
    after_reset();
}

void board_hang(void) {
    if (hung) return;
    hung = true;
    hung_at = avr->pc;
    uint16_t loop = RJMP_SELF;
    memcpy(&hung_instruction, avr->flash + hung_at, sizeof hung_instruction);
    memcpy(avr->flash + hung_at, &loop, sizeof loop);
}
