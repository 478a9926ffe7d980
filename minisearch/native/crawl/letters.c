/* Letters: which of them are shown, which part words, and which are not there for the reader, in UTF-8.
 *
 * The same in Python, where marks are explained, too: minisearch/crawl/lines.py
 */
#include "native.h"

enum { LINE = 0x80, PRE = 0x82, PRE_END = 0x83, HEADING = 0x84, NUMBER_END = 0x86, HEADING_END = 0x87 };

/* The bytes of the mark of a heading, which is a sign, a number and another sign; 0 if this is none. */
static size_t
heading_mark(const uint8_t *at, const uint8_t *end)
{
    const uint8_t *here = at + 2;
    while (here < end && *here >= '0' && *here <= '9')
        here++;
    int is_one = here > at + 2 && end - here >= 2 && here[0] == 0xC2 && here[1] == NUMBER_END;
    return is_one ? (size_t)(here + 2 - at) : 0;
}

static Fate
fate_of_control(const uint8_t *at, const uint8_t *end, size_t *size)
{
    size_t mark;
    switch (at[1]) {
    case LINE: case PRE: case PRE_END: case HEADING_END:
        return BLANK;
    case HEADING:
        mark = heading_mark(at, end);
        if (!mark)
            return KEPT;
        *size = mark;
        return BLANK;
    case NUMBER_END:
        return KEPT;
    default:
        return at[1] == 0xA0 ? BLANK : at[1] < 0xA0 ? DROPPED : KEPT;
    }
}

/* What becomes of the letter at `at`, and how many bytes it has: of UTF-8 that is broken, one. */
Fate
fate_of(const uint8_t *at, const uint8_t *end, size_t *size)
{
    uint8_t first = *at;
    *size = 1;
    if (first < 0x80) {
        if (first > ' ')
            return first == 0x7F ? DROPPED : KEPT;
        if (first == '\n' || first == '\r')
            return BREAK;
        return first == ' ' || first == '\t' || first == '\f' ? BLANK : DROPPED;
    }
    size_t told = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1;
    if (told > (size_t)(end - at))
        return KEPT;
    *size = told;
    if (first == 0xC2)
        return fate_of_control(at, end, size);
    if (told != 3)
        return KEPT;
    switch (first << 16 | at[1] << 8 | at[2]) {
    case 0xE19A80: case 0xE280A8: case 0xE280A9: case 0xE280AF: case 0xE2819F: case 0xE38080:
        return BLANK;
    default:
        return first == 0xE2 && at[1] == 0x80 && at[2] <= 0x8A ? BLANK : KEPT;
    }
}

/* Append a text as one line, its words one space apart. */
int
collapse(Row *out, const uint8_t *text, size_t size)
{
    const uint8_t *at = text, *end = text + size;
    size_t before = out->size, step;
    int gap = 0;
    while (at < end) {
        const uint8_t *from = at;
        while (at < end && *at > ' ' && *at < 0x7F)
            at++;
        if (at == from) {
            Fate fate = fate_of(at, end, &step);
            at += step;
            if (fate != KEPT) {
                gap |= fate != DROPPED;
                continue;
            }
        }
        if (gap && out->size > before && row_append(out, " ", 1))
            return -1;
        gap = 0;
        if (row_append(out, from, (size_t)(at - from)))
            return -1;
    }
    return 0;
}

/* How many bytes the first so many letters of a text have. */
size_t
bytes_of_letters(const uint8_t *text, size_t size, size_t letters)
{
    size_t at = 0;
    if (size <= letters)
        return size;
    for (; at < size; at++)
        if ((text[at] & 0xC0) != 0x80 && !letters--)
            break;
    return at;
}
