/* Deflating short blobs: matches are looked for as zlib does it, but the codes are the fixed ones of RFC 1951.
 *
 * The blobs of an index are some hundred bytes each, by the ten thousand. zlib makes codes for every one of them, which
 * takes it most of its time and makes them 3% shorter. Whatever reads deflated data reads these as well.
 *
 * With zlib: minisearch/index/pack.py
 */
#include "native.h"

enum { LEAST = 3, MOST = 258, HASH_BITS = 12, WINDOW = 1 << 15, TRIES = 4, END = 256 };

typedef struct {
    uint8_t *out;
    uint64_t bits;
    int count; /* of the bits that wait to be written */
} Writer;

static inline void
write_bits(Writer *writer, uint32_t value, int count)
{
    writer->bits |= (uint64_t)value << writer->count;
    for (writer->count += count; writer->count >= 8; writer->count -= 8) {
        *writer->out++ = (uint8_t)writer->bits;
        writer->bits >>= 8;
    }
}

/* Codes are written from their highest bit on, all else from the lowest. */
static inline void
write_code(Writer *writer, uint32_t code, int count)
{
    uint32_t turned = 0;
    for (int i = 0; i < count; i++)
        turned |= (code >> i & 1) << (count - 1 - i);
    write_bits(writer, turned, count);
}

/* A literal byte, the end, or the symbol of a length (RFC 1951, 3.2.6). */
static inline void
write_symbol(Writer *writer, int symbol)
{
    if (symbol < 144)
        write_code(writer, (uint32_t)(0x30 + symbol), 8);
    else if (symbol < 256)
        write_code(writer, (uint32_t)(0x190 + symbol - 144), 9);
    else if (symbol < 280)
        write_code(writer, (uint32_t)(symbol - 256), 7);
    else
        write_code(writer, (uint32_t)(0xC0 + symbol - 280), 8);
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
        write_symbol(writer, 285);
    } else {
        write_symbol(writer, 257 + 4 * below + (int)(rest >> below));
        write_bits(writer, rest & ((1u << below) - 1), below);
    }
    rest = distance - 1;
    below = bits_below(rest, 2);
    write_code(writer, (uint32_t)(2 * below) + (rest >> below), 5);
    write_bits(writer, rest & ((1u << below) - 1), below);
}

/* Where the same three bytes stood before: the last place of each hash, plus 1, and the place before each place. */
typedef struct {
    uint32_t last[1 << HASH_BITS], before[WINDOW];
} Places;

static inline uint32_t
note(Places *places, const uint8_t *data, size_t at)
{
    uint32_t three = (uint32_t)data[at] | (uint32_t)data[at + 1] << 8 | (uint32_t)data[at + 2] << 16;
    uint32_t *last = &places->last[three * 2654435761u >> (32 - HASH_BITS)], found = *last;
    places->before[at % WINDOW] = found;
    *last = (uint32_t)at + 1;
    return found;
}

/* The longest match of some that are tried; gives its length, or 0. */
static uint32_t
longest(const Places *places, const uint8_t *data, size_t size, size_t at, uint32_t found, uint32_t *distance)
{
    uint32_t best = 0, most = (uint32_t)(size - at < MOST ? size - at : MOST);
    for (int tries = 0; found && at - (found - 1) < WINDOW && tries < TRIES; tries++) {
        size_t place = found - 1;
        uint32_t length = 0;
        while (length < most && data[place + length] == data[at + length])
            length++;
        if (length > best) {
            best = length;
            *distance = (uint32_t)(at - place);
        }
        found = places->before[place % WINDOW];
        if (found > place)
            break; /* it is of a later place that came round */
    }
    return best == LEAST && *distance > 1024 ? 0 : best; /* which would take more bits than the bytes themselves */
}

/* deflate(data) */
PyObject *
deflate(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer data;
    if (!PyArg_ParseTuple(args, "y*:deflate", &data))
        return NULL;
    PyObject *made = NULL;
    Places *places = data.len < INT32_MAX ? malloc(sizeof(Places)) : NULL;
    if (!places) {
        PyErr_NoMemory();
        goto done;
    }
    memset(places->last, 0, sizeof(places->last)); /* what is before is read only where it was written */
    size_t size = (size_t)data.len, most = size + size / 8 + 16; /* nine bits a byte at the worst */
    made = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)most);
    if (!made)
        goto done;
    const uint8_t *bytes = data.buf;
    Writer writer = {(uint8_t *)PyBytes_AsString(made), 0, 0};
    write_bits(&writer, 3, 3); /* the last block, and one of fixed codes */
    for (size_t at = 0; at < size;) {
        uint32_t distance = 0, length = 0;
        if (size - at >= LEAST)
            length = longest(places, bytes, size, at, note(places, bytes, at), &distance);
        if (length < LEAST) {
            write_symbol(&writer, bytes[at++]);
            continue;
        }
        write_match(&writer, length, distance);
        for (size_t end = at + length; ++at < end;)
            if (size - at >= LEAST)
                note(places, bytes, at);
    }
    write_symbol(&writer, END);
    if (writer.count)
        *writer.out++ = (uint8_t)writer.bits;
    _PyBytes_Resize(&made, writer.out - (uint8_t *)PyBytes_AsString(made));
done:
    free(places);
    PyBuffer_Release(&data);
    return made;
}
