/* Deflating short blobs: matches are looked for as zlib does it, but the codes are the fixed ones of RFC 1951.
 *
 * The blobs of an index are some hundred bytes each, by the ten thousand. zlib makes codes for every one of them, which
 * takes it most of its time and makes them 3% shorter. Whatever reads deflated data reads these as well.
 *
 * With zlib: minisearch/index/pack.py
 */
#include "native.h"

enum { LEAST = 3, MOST = 258, HASH_BITS = 12, WINDOW = 1 << 15, TRIES = 4, END = 256, DEFLATED = 128 };

/* How a symbol is written: its bits, the first one lowest, and how many. */
typedef struct {
    uint16_t bits, count;
} Code;

static Code symbols[288], distances[30];

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

/* What is written at a time, a match at most, has 8 + 5 + 5 + 13 bits, and no more than 7 wait: there is room. */
static inline void
flush(Writer *writer)
{
    for (int i = 0; i < 8; i++) /* which becomes one store */
        writer->out[i] = (uint8_t)(writer->bits >> 8 * i);
    writer->out += writer->count >> 3;
    writer->bits >>= writer->count & ~7;
    writer->count &= 7;
}

/* Codes are written from their highest bit on, all else from the lowest. */
static Code
turned(int code, int count)
{
    int bits = 0;
    for (int i = 0; i < count; i++)
        bits |= (code >> i & 1) << (count - 1 - i);
    return (Code){(uint16_t)bits, (uint16_t)count};
}

/* The codes of literal bytes, the end, and lengths; and those of distances (RFC 1951, 3.2.6). */
static void
make_codes(void)
{
    for (int symbol = 0; symbol < 288; symbol++)
        symbols[symbol] = symbol < 144   ? turned(0x30 + symbol, 8)
                          : symbol < 256 ? turned(0x190 + symbol - 144, 9)
                          : symbol < 280 ? turned(symbol - 256, 7)
                                         : turned(0xC0 + symbol - 280, 8);
    for (int symbol = 0; symbol < 30; symbol++)
        distances[symbol] = turned(symbol, 5);
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

static void
write_match(Writer *writer, uint32_t length, uint32_t distance)
{
    uint32_t rest = length - LEAST;
    int below = bits_below(rest, 3);
    if (length == MOST) { /* which has a symbol of its own */
        write_code(writer, symbols[285]);
    } else {
        write_code(writer, symbols[257 + 4 * below + (int)(rest >> below)]);
        write_bits(writer, rest & ((1u << below) - 1), below);
    }
    rest = distance - 1;
    below = bits_below(rest, 2);
    write_code(writer, distances[2 * below + (int)(rest >> below)]);
    write_bits(writer, rest & ((1u << below) - 1), below);
}

/* Where the same three bytes stood before: the last place of each hash, plus 1, and the place before each place. They
 * are not cleared between two blobs, which would take longer than many a blob does: places are counted on, and those of
 * blobs before are less than `base`. Whoever holds Python's lock has them for himself. */
static struct {
    uint32_t base, last[1 << HASH_BITS], before[WINDOW];
} places;

static inline uint32_t
note(const uint8_t *data, size_t at)
{
    uint32_t three = (uint32_t)data[at] | (uint32_t)data[at + 1] << 8 | (uint32_t)data[at + 2] << 16;
    uint32_t *last = &places.last[three * 2654435761u >> (32 - HASH_BITS)], found = *last;
    places.before[at % WINDOW] = found;
    *last = places.base + (uint32_t)at + 1;
    return found;
}

/* The longest match of some that are tried; gives its length, or 0. */
static uint32_t
longest(const uint8_t *data, size_t size, size_t at, uint32_t found, uint32_t *distance)
{
    uint32_t best = 0, most = (uint32_t)(size - at < MOST ? size - at : MOST);
    for (int tries = 0; found > places.base && best < most && tries < TRIES; tries++) {
        size_t place = found - places.base - 1;
        if (at - place >= WINDOW)
            break;
        if (data[place + best] == data[at + best]) { /* or it cannot be longer */
            uint32_t length = 0;
            while (length < most && data[place + length] == data[at + length])
                length++;
            if (length > best) {
                best = length;
                *distance = (uint32_t)(at - place);
            }
        }
        uint32_t before = places.before[place % WINDOW];
        if (before >= found)
            break; /* it is of a later place that came round */
        found = before;
    }
    return best == LEAST && *distance > 1024 ? 0 : best; /* which would take more bits than the bytes themselves */
}

/* Nine bits a byte at the worst, the head and the end, and what is written beyond it. */
static inline size_t
most_of(size_t size)
{
    return size + size / 8 + 16;
}

/* Deflate some bytes, fewer than 2**31; gives how many there are then, `most_of` them at most. */
static size_t
deflate_into(uint8_t *out, const uint8_t *data, size_t size)
{
    if (!symbols[END].count)
        make_codes();
    if (places.base > INT32_MAX) {
        memset(places.last, 0, sizeof(places.last)); /* what is before is read only where it was written */
        places.base = 0;
    }
    Writer writer = {out, 0, 0};
    write_bits(&writer, 3, 3); /* the last block, and one of fixed codes */
    for (size_t at = 0; at < size;) {
        uint32_t distance = 0, length = 0;
        if (size - at >= LEAST)
            length = longest(data, size, at, note(data, at), &distance);
        if (length < LEAST) {
            write_code(&writer, symbols[data[at++]]);
            flush(&writer);
            continue;
        }
        write_match(&writer, length, distance);
        flush(&writer);
        for (size_t end = at + length; ++at < end;)
            if (size - at >= LEAST)
                note(data, at);
    }
    write_code(&writer, symbols[END]);
    writer.count += 7; /* a last byte that is not full */
    flush(&writer);
    places.base += (uint32_t)size;
    return (size_t)(writer.out - out);
}

/* deflated(blob, head, short) */
PyObject *
deflated(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *blob;
    Py_ssize_t head, shortest;
    if (!PyArg_ParseTuple(args, "Snn:deflated", &blob, &head, &shortest))
        return NULL;
    const uint8_t *bytes = (const uint8_t *)PyBytes_AsString(blob);
    size_t size = (size_t)PyBytes_Size(blob);
    if (head < 1 || shortest < head)
        return PyErr_Format(PyExc_ValueError, "a head of %zd bytes, where %zd may be all", head, shortest);
    if (size <= (size_t)shortest)
        return Py_NewRef(blob);
    size_t rest = size - (size_t)head;
    PyObject *made =
        size < INT32_MAX ? PyBytes_FromStringAndSize(NULL, head + (Py_ssize_t)most_of(rest)) : PyErr_NoMemory();
    if (!made)
        return NULL;
    uint8_t *out = (uint8_t *)PyBytes_AsString(made);
    size_t packed = deflate_into(out + head, bytes + head, rest);
    if (packed >= rest) {
        Py_DECREF(made);
        return Py_NewRef(blob);
    }
    memcpy(out, bytes, (size_t)head);
    out[0] |= DEFLATED;
    _PyBytes_Resize(&made, head + (Py_ssize_t)packed);
    return made;
}
