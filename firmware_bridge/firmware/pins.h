/* The wiring of the reference board (ATmega328P, Arduino Nano). */
#ifndef PINS_H
#define PINS_H

#include <avr/io.h>

#define SELECT_PORT PORTD /* D2-D5: mux select S0-S3 */
#define SELECT_DDR DDRD
#define SELECT_SHIFT 2
#define SELECT_MASK 0x3C

#define BUTTON_PORT PORTD /* D6, D7: seat buttons to ground */
#define BUTTON_PIN PIND
#define BUTTON_SHIFT 6
#define BUTTON_MASK 0xC0

#define PIEZO_BIT PB0 /* D8 */
#define EMITTER_BIT PB1 /* D9: infrared emitters, or the power of Hall sensors */
#define SS_BIT PB2 /* D10: must be an output, or SPI falls back to slave */
#define LED_DATA_BIT PB3 /* D11: MOSI */
#define LED_CLOCK_BIT PB5 /* D13: SCK, used by APA102 only */

#define MUX_COUNT 8 /* A0-A7: one multiplexer of 16 channels each */
#define SELECT_COUNT 16

#endif
