/* Deflated data (RFC 1951), written bit by bit: what deflate.c and repeats.c share. */
#ifndef MINISEARCH_DEFLATE_H
#define MINISEARCH_DEFLATE_H

#include "native.h"

enum { LEAST = 3, MOST = 258, END = 256, DEFLATED = 128 };

/* How a symbol is written: its bits, the first one lowest, and how many. */
typedef struct {
    uint16_t bits, count;
} Code;

typedef struct {
    uint8_t *out; /* has room for seven bytes more than come to be */
    uint64_t bits;
    int count; /* of the bits that wait to be written */
} Writer;

static inline void
write_bits(Writer *writer, uint32_t value, int count)
{
    writer->bits |= (uint64_t)value << writer->count;
    writer->count += count;
}

static inline void
write_code(Writer *writer, Code code)
{
    write_bits(writer, code.bits, code.count);
}

/* What is written at a time, a match at most, has 15 + 5 + 5 + 13 bits, and no more than 7 wait: there is room. */
static inline void
flush(Writer *writer)
{
    for (int i = 0; i < 8; i++) /* which becomes one store */
        writer->out[i] = (uint8_t)(writer->bits >> 8 * i);
    writer->out += writer->count >> 3;
    writer->bits >>= writer->count & ~7;
    writer->count &= 7;
}

/* Write what waits, in a last byte that may not be full. */
static inline void
finish(Writer *writer)
{
    writer->count += 7;
    flush(writer);
}

/* Codes are written from their highest bit on, all else from the lowest. */
static inline Code
turned(int code, int count)
{
    int bits = 0;
    for (int i = 0; i < count; i++)
        bits |= (code >> i & 1) << (count - 1 - i);
    return (Code){(uint16_t)bits, (uint16_t)count};
}

/* Lengths and distances are told by the two highest (distances) or three highest (lengths) bits, and the bits below. */
static inline int
bits_below(uint32_t number, int highest)
{
    int size = 0;
    while (number >> size >= 1u << highest)
        size++;
    return size;
}

/* The symbol of a length, and how many of its lowest bits are told apart. */
static inline int
length_symbol(uint32_t length, int *below)
{
    *below = length == MOST ? 0 : bits_below(length - LEAST, 3); /* the longest has a symbol of its own */
    return length == MOST ? 285 : 257 + 4 * *below + (int)((length - LEAST) >> *below);
}

extern Code fixed_codes[288]; /* of literal bytes, the end, and lengths; there once make_fixed_codes was called */
void make_fixed_codes(void);

/* Nine bits a byte at the worst, the head and the end of each block, and what is written beyond it. */
static inline size_t
most_of(size_t size)
{
    return size + size / 8 + size / 1024 + 24;
}

/* Deflate some bytes, fewer than 2**31; gives how many there are then, `most_of` them at most. The second looks for
 * nothing but bytes that are repeated at once. */
size_t deflate_into(uint8_t *out, const uint8_t *data, size_t size);        /* deflate.c */
size_t deflate_repeats_into(uint8_t *out, const uint8_t *data, size_t size); /* repeats.c */

/* Room that is used again and again. */
PyObject *deflated_in(Row *room, const uint8_t *blob, size_t size, size_t head, size_t shortest,
                      size_t (*deflate)(uint8_t *, const uint8_t *, size_t)); /* deflate.c */

#endif
