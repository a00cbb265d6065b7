/* What happened, kept until the host has acknowledged it. */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#define EVENT_RING 32
#define RESEND_MS 60

bool events_have_room(void);
/* Notes one event; there must be room. */
void event_note(uint8_t source, uint8_t value);
/* Counts that something could not be noted and is gone. */
void event_lost(void);

uint16_t events_oldest(void);
uint16_t events_next(void);
uint8_t events_lost_count(void);
uint16_t events_made(void);
uint16_t events_resent(void);

/* The host has everything before `next_number`. */
void events_acknowledge(uint16_t boot, uint16_t next_number);
/* Sends what is new, or again what has waited too long, as far as there is room on the line. */
void events_send(uint32_t ms);
/* A host has greeted: everything kept is sent again at once. */
void events_restart(void);

#endif
