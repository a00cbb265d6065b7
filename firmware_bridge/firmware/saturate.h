/* Counters that stop at their end instead of starting again. */
#ifndef SATURATE_H
#define SATURATE_H

#include <stdint.h>

#define SATURATING_ADD(counter, amount)                                                  \
    do {                                                                                 \
        uint16_t before_ = (counter);                                                    \
        (counter) = before_ > UINT16_MAX - (amount) ? UINT16_MAX : before_ + (amount);   \
    } while (0)

#endif
