/* The sensor board: one loop that looks at the sensors, talks with the host, and drives LEDs and piezo.
 * Nothing in it waits longer than one row of sensors or one LED frame. */
#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "host.h"
#include "leds.h"
#include "piezo.h"
#include "scan.h"
#include "settings.h"
#include "start.h"
#include "ticks.h"
#include "uart.h"

static void sleep_until(uint16_t due) {
    wake_at(due);
    cli();
    /* A wake-up that is already less than 8 us away could slip by before the processor sleeps; then go on at once. */
    if (!uart_waiting() && (int16_t)(due - ticks()) > 8 * TICKS_PER_US) {
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

int main(void) {
    watchdog_start();
    ticks_start();
    settings_start();
    uart_start();
    leds_start();
    piezo_start();
    scan_start();
    host_announce();
    for (;;) {
        uint16_t begun = ticks();
        wdt_reset();
        uint32_t ms = now_ms();
        scan_work();
        host_work(ms);
        leds_work(ms, host_present(ms));
        piezo_work(ms);
        settings_work();
        host_note_loop(ticks() - begun);
        sleep_until(scan_due());
    }
}
