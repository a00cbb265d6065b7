/* The conversation with the host: requests in, answers and news out. */
#ifndef HOST_H
#define HOST_H

#include <stdbool.h>
#include <stdint.h>

/* Says unasked who has started. */
void host_announce(void);
/* Takes what has come over the line and answers it; sends events and states that are due. */
void host_work(uint32_t ms);
/* Whether a host has greeted this boot and was heard lately. */
bool host_present(uint32_t ms);
/* Notes how long one turn of the main loop took, for the statistics. */
void host_note_loop(uint16_t ticks);

#endif
