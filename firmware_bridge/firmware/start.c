#include "start.h"

#include <avr/io.h>
#include <avr/wdt.h>

#include "wire.h"

#define PAINT 0xC5

extern uint8_t _end;

static uint8_t cause_flags __attribute__((section(".noinit")));
static uint8_t loader_flags __attribute__((section(".noinit")));

/* Optiboot, the Nano's boot loader, clears the flags and hands them over in r2. */
void keep_loader_flags(void) __attribute__((naked, used, section(".init0")));
void keep_loader_flags(void) { __asm__ volatile("sts %0, r2" ::"i"(&loader_flags)); }

/* After a watchdog reset the watchdog runs on with its shortest time, so it is stopped before anything else. */
void keep_cause(void) __attribute__((naked, used, section(".init3")));
void keep_cause(void) {
    cause_flags = MCUSR;
    if (!cause_flags) cause_flags = loader_flags;
    MCUSR = 0;
    wdt_disable();
    for (uint8_t *byte = &_end; byte < (uint8_t *)RAMEND - 16; byte++) *byte = PAINT;
}

uint8_t start_cause(void) {
    if (cause_flags & _BV(WDRF)) return CAUSE_WATCHDOG;
    if (cause_flags & _BV(PORF)) return CAUSE_POWER_ON; /* a rising supply sets the brown-out flag too */
    if (cause_flags & _BV(BORF)) return CAUSE_BROWN_OUT;
    if (cause_flags & _BV(EXTRF)) return CAUSE_EXTERNAL;
    return CAUSE_UNKNOWN;
}

void watchdog_start(void) { wdt_enable(WDTO_500MS); }

uint16_t never_used_bytes(void) {
    uint16_t count = 0;
    for (const uint8_t *byte = &_end; byte < (uint8_t *)RAMEND && *byte == PAINT; byte++) count++;
    return count;
}
