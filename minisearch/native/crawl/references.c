/* References: &amp; and its kin, and letters by their numbers, where they are written by the book.
 *
 * The same in Python: parse in minisearch/crawl/extract.py, by a parser that is ready for any page
 */
#include "strict.h"

enum { LONGEST_REFERENCE = 8 };

typedef struct {
    char name[LONGEST_REFERENCE];
    char said[4];
    int is_old; /* and needs no semicolon */
} Reference;

/* The most frequent. */
static const Reference REFERENCES[] = {
    {"amp", "&", 1}, {"lt", "<", 1}, {"gt", ">", 1}, {"quot", "\"", 1}, {"apos", "'", 0}, {"nbsp", "\xC2\xA0", 1}, {"copy", "\xC2\xA9", 1},
    {"reg", "\xC2\xAE", 1}, {"para", "\xC2\xB6", 1}, {"sect", "\xC2\xA7", 1}, {"middot", "\xC2\xB7", 1}, {"laquo", "\xC2\xAB", 1},
    {"raquo", "\xC2\xBB", 1}, {"times", "\xC3\x97", 1}, {"deg", "\xC2\xB0", 1}, {"ndash", "\xE2\x80\x93", 0},
    {"mdash", "\xE2\x80\x94", 0}, {"hellip", "\xE2\x80\xA6", 0}, {"lsquo", "\xE2\x80\x98", 0}, {"rsquo", "\xE2\x80\x99", 0},
    {"ldquo", "\xE2\x80\x9C", 0}, {"rdquo", "\xE2\x80\x9D", 0}, {"bull", "\xE2\x80\xA2", 0}, {"trade", "\xE2\x84\xA2", 0},
    {"larr", "\xE2\x86\x90", 0}, {"uarr", "\xE2\x86\x91", 0}, {"rarr", "\xE2\x86\x92", 0}, {"darr", "\xE2\x86\x93", 0},
    {"le", "\xE2\x89\xA4", 0}, {"ge", "\xE2\x89\xA5", 0}, {"minus", "\xE2\x88\x92", 0},
};

static size_t
put_letter(uint8_t *out, uint32_t letter)
{
    if (letter < 0x80) {
        out[0] = (uint8_t)letter;
        return 1;
    }
    if (letter < 0x800) {
        out[0] = (uint8_t)(0xC0 | letter >> 6);
        out[1] = (uint8_t)(0x80 | (letter & 63));
        return 2;
    }
    if (letter < 0x10000) {
        out[0] = (uint8_t)(0xE0 | letter >> 12);
        out[1] = (uint8_t)(0x80 | (letter >> 6 & 63));
        out[2] = (uint8_t)(0x80 | (letter & 63));
        return 3;
    }
    out[0] = (uint8_t)(0xF0 | letter >> 18);
    out[1] = (uint8_t)(0x80 | (letter >> 12 & 63));
    out[2] = (uint8_t)(0x80 | (letter >> 6 & 63));
    out[3] = (uint8_t)(0x80 | (letter & 63));
    return 4;
}

/* A letter by its number (&#183; or &#xB7;); those that stand for other letters, or for none, are not by the book. */
static const uint8_t *
read_number(const uint8_t *at, const uint8_t *end, uint8_t *out, size_t *size)
{
    uint32_t letter = 0;
    int base = at < end && (*at | 32) == 'x' ? 16 : 10, digits = 0;
    for (at += base == 16; at < end && *at != ';'; at++, digits++) {
        int digit = Py_ISDIGIT(*at) ? *at - '0' : base == 16 && Py_ISXDIGIT(*at) ? (*at | 32) - 'a' + 10 : -1;
        if (digit < 0 || digits == 6)
            return NULL;
        letter = letter * (uint32_t)base + (uint32_t)digit;
    }
    if (at == end || !digits || letter > 0x10FFFF || (letter >= 0xD800 && letter < 0xE000) ||
        (letter < 0x20 && letter != '\t' && letter != '\n') || (letter >= 0x7F && letter < 0xA0))
        return NULL;
    *size = put_letter(out, letter);
    return at + 1;
}

static const uint8_t *
read_name(const uint8_t *at, const uint8_t *end, uint8_t *out, size_t *size, int in_attribute)
{
    const uint8_t *name = at;
    while (at < end && Py_ISALNUM(*at))
        at++;
    size_t length = (size_t)(at - name);
    if (!length || (in_attribute && at < end && *at == '=')) { /* "a & b"; or "?a=b&c=d" */
        *out = '&';
        *size = 1;
        return name;
    }
    int is_closed = at < end && *at == ';';
    if (length >= LONGEST_REFERENCE)
        return NULL;
    for (size_t i = 0; i < sizeof REFERENCES / sizeof *REFERENCES; i++) {
        const Reference *known = &REFERENCES[i];
        if (!memcmp(known->name, name, length) && !known->name[length]) {
            *size = strnlen(known->said, sizeof known->said);
            memcpy(out, known->said, *size);
            return is_closed ? at + 1 : known->is_old ? at : NULL;
        }
    }
    return NULL;
}

const uint8_t *
read_references(Block **blocks, const uint8_t *text, uint32_t *size, int in_attribute)
{
    const uint8_t *end = text + *size, *at = memchr(text, '&', *size);
    if (!at)
        return text;
    uint8_t *read = block_take(blocks, *size), *out = read; /* a reference is longer than what it stands for */
    if (!read)
        return NULL;
    while (at) {
        size_t before = (size_t)(at - text), length;
        memcpy(out, text, before);
        out += before;
        text = ++at < end && *at == '#' ? read_number(at + 1, end, out, &length)
                                        : read_name(at, end, out, &length, in_attribute);
        if (!text)
            return NULL;
        out += length;
        at = memchr(text, '&', (size_t)(end - text));
    }
    memcpy(out, text, (size_t)(end - text));
    *size = (uint32_t)(out - read + (end - text));
    return read;
}
