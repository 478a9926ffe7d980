/* Deflating short blobs: matches are looked for as zlib does it, but the codes are the fixed ones of RFC 1951.
 *
 * The blobs of an index are some hundred bytes each, by the ten thousand. zlib makes codes for every one of them, which
 * takes it most of its time and makes them 3% shorter. Whatever reads deflated data reads these as well.
 *
 * With zlib: minisearch/index/pack.py
 */
#include "deflate.h"

enum { HASH_BITS = 12, WINDOW = 1 << 15, TRIES = 4 };

Code fixed_codes[288];
static Code distances[30];

/* The codes of literal bytes, the end, and lengths; and those of distances (RFC 1951, 3.2.6). */
void
make_fixed_codes(void)
{
    if (fixed_codes[END].count)
        return;
    for (int symbol = 0; symbol < 288; symbol++)
        fixed_codes[symbol] = symbol < 144   ? turned(0x30 + symbol, 8)
                              : symbol < 256 ? turned(0x190 + symbol - 144, 9)
                              : symbol < 280 ? turned(symbol - 256, 7)
                                             : turned(0xC0 + symbol - 280, 8);
    for (int symbol = 0; symbol < 30; symbol++)
        distances[symbol] = turned(symbol, 5);
}

static void
write_match(Writer *writer, uint32_t length, uint32_t distance)
{
    int below, symbol = length_symbol(length, &below);
    write_code(writer, fixed_codes[symbol]);
    write_bits(writer, (length - LEAST) & ((1u << below) - 1), below);
    uint32_t rest = distance - 1;
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

size_t
deflate_into(uint8_t *out, const uint8_t *data, size_t size)
{
    make_fixed_codes();
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
            write_code(&writer, fixed_codes[data[at++]]);
            flush(&writer);
            continue;
        }
        write_match(&writer, length, distance);
        flush(&writer);
        for (size_t end = at + length; ++at < end;)
            if (size - at >= LEAST)
                note(data, at);
    }
    write_code(&writer, fixed_codes[END]);
    finish(&writer);
    places.base += (uint32_t)size;
    return (size_t)(writer.out - out);
}

/* A blob, deflated but for its head, whose first byte then says so; as it is if it is short, or would not become
 * shorter. */
PyObject *
deflated_in(Row *room, const uint8_t *blob, size_t size, size_t head, size_t shortest,
            size_t (*deflate)(uint8_t *, const uint8_t *, size_t))
{
    if (size <= shortest)
        return PyBytes_FromStringAndSize((const char *)blob, (Py_ssize_t)size);
    size_t rest = size - head, most = head + most_of(rest);
    if (size >= INT32_MAX)
        return PyErr_NoMemory();
    if (most > room->room && row_make_room(room, most)) /* nothing in it has to be kept */
        return NULL;
    uint8_t *out = (uint8_t *)room->bytes;
    size_t packed = deflate(out + head, blob + head, rest);
    if (packed >= rest)
        return PyBytes_FromStringAndSize((const char *)blob, (Py_ssize_t)size);
    memcpy(out, blob, head);
    out[0] |= DEFLATED;
    return PyBytes_FromStringAndSize(room->bytes, (Py_ssize_t)(head + packed));
}

static PyObject *
deflated_by(PyObject *args, const char *form, size_t (*deflate)(uint8_t *, const uint8_t *, size_t))
{
    PyObject *blob;
    Py_ssize_t head, shortest;
    if (!PyArg_ParseTuple(args, form, &blob, &head, &shortest))
        return NULL;
    if (head < 1 || shortest < head)
        return PyErr_Format(PyExc_ValueError, "a head of %zd bytes, where %zd may be all", head, shortest);
    if (PyBytes_Size(blob) <= shortest)
        return Py_NewRef(blob);
    Row room = {0};
    PyObject *made = deflated_in(&room, (const uint8_t *)PyBytes_AsString(blob), (size_t)PyBytes_Size(blob),
                                 (size_t)head, (size_t)shortest, deflate);
    row_free(&room);
    return made;
}

/* deflated(blob, head, short) */
PyObject *
deflated(PyObject *Py_UNUSED(module), PyObject *args)
{
    return deflated_by(args, "Snn:deflated", deflate_into);
}

/* deflated_repeats(blob, head, short) */
PyObject *
deflated_repeats(PyObject *Py_UNUSED(module), PyObject *args)
{
    return deflated_by(args, "Snn:deflated_repeats", deflate_repeats_into);
}
