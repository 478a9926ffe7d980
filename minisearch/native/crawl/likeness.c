/* Likeness: which lines of a page are nothing but a link, and the fingerprint of the others and of those.
 *
 * The same in Python, and what it is good for: minisearch/crawl/likeness.py
 */
#include "native.h"

typedef struct {
    const uint8_t *text;
    size_t size;
    uint64_t hash;
} Line;

enum { GLANCES = 1 << 12 };

/* Lines that are links. */
typedef struct {
    Line *slots; /* without a text, if they are free */
    size_t mask;
    uint8_t glance[GLANCES]; /* whether one may be a link that looks like this at its beginning */
} Links;

/* Most lines are seen at a glance to be no link: none is as long and begins like them. */
static size_t
glance_at(const uint8_t *text, size_t size)
{
    uint64_t eight = 0;
    memcpy(&eight, text, size < 8 ? size : 8);
    return (size_t)((eight + size) * 0x9E3779B97F4A7C15u >> 52);
}

/* `seed` is nobody else's to know: no page can be made whose links all come to the same slot. */
static uint64_t
hash_of(const uint8_t *text, size_t size, uint64_t seed)
{
    uint64_t hash = seed + size, eight;
    for (; size >= 8; text += 8, size -= 8) {
        memcpy(&eight, text, 8);
        hash = mixed(hash ^ eight);
    }
    eight = 0;
    memcpy(&eight, text, size);
    return mixed(hash ^ eight);
}

/* The slot of a line, which may be free. */
static Line *
slot_of(const Links *links, Line line)
{
    size_t at = (size_t)line.hash & links->mask;
    Line *slot = &links->slots[at];
    while (slot->text && (slot->hash != line.hash || slot->size != line.size || memcmp(slot->text, line.text, line.size)))
        slot = &links->slots[at = (at + 1) & links->mask];
    return slot;
}

/* Read what the links of a page are called. 1: one of them is no text that can be written down; -1: an exception. */
static int
read_links(Links *links, PyObject *page, uint64_t seed)
{
    Py_ssize_t count = PyTuple_GET_SIZE(page);
    size_t slots = 16;
    while (slots < 2 * (size_t)count)
        slots *= 2;
    links->mask = slots - 1;
    links->slots = calloc(slots, sizeof *links->slots);
    if (!links->slots) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *link = PyTuple_GET_ITEM(page, i);
        if (!PyTuple_Check(link) || PyTuple_GET_SIZE(link) < 2 || !PyUnicode_Check(PyTuple_GET_ITEM(link, 1))) {
            PyErr_SetString(PyExc_TypeError, "a link has to be a tuple of its url, its text and more");
            return -1;
        }
        Py_ssize_t size;
        const char *text = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(link, 1), &size);
        if (!text) {
            if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
                return -1;
            PyErr_Clear();
            return 1;
        }
        Line line = {(const uint8_t *)text, (size_t)size, 0};
        line.hash = hash_of(line.text, line.size, seed);
        *slot_of(links, line) = line;
        links->glance[glance_at(line.text, line.size)] = 1;
    }
    return 0;
}

/* Letters that are words by themselves: the first and the last of each range of them. */
typedef struct {
    const uint32_t *bounds;
    size_t count;
} Ranges;

static int
is_among(const Ranges *ranges, Py_UCS4 letter)
{
    for (size_t i = 0; i + 1 < ranges->count; i += 2)
        if (letter <= ranges->bounds[i + 1])
            return letter >= ranges->bounds[i];
    return 0;
}

/* Whether a text has no letters beyond ASCII but small ones, none of them a word by itself; not if it is no UTF-8. */
static int
is_easy(const uint8_t *text, const uint8_t *end, const Ranges *words)
{
    Py_UCS4 letter;
    while (text < end) {
        uint64_t eight;
        while (end - text >= 8 && (memcpy(&eight, text, 8), !(eight & 0x8080808080808080u)))
            text += 8;
        if (text == end)
            break;
        size_t size = letter_at(text, end, &letter);
        if (!size || (size > 1 && (Py_UNICODE_TOLOWER(letter) != letter || is_among(words, letter))))
            return 0;
        text += size;
    }
    return 1;
}

static int
write_letter(Row *out, Py_UCS4 letter)
{
    uint8_t bytes[4];
    size_t size = letter < 0x80 ? 1 : letter < 0x800 ? 2 : letter < 0x10000 ? 3 : 4;
    for (size_t i = size - 1; i; i--, letter >>= 6)
        bytes[i] = (uint8_t)(0x80 | (letter & 0x3F));
    bytes[0] = (uint8_t)(size == 1 ? letter : (0xF00u >> size & 0xF0) | letter);
    return row_append(out, bytes, size);
}

/* Write a text in small letters beyond ASCII, with blanks around those that are words by themselves. 1: it has letters
 * that only Python can make small, for it depends on those around them; -1: no memory is left. */
static int
write_small(Row *out, const uint8_t *text, const uint8_t *end, const Ranges *words)
{
    enum { DOTTED_I = 0x130, SIGMA = 0x3A3 };
    Py_UCS4 letter;
    for (size_t size; text < end; text += size) {
        const uint8_t *plain = text;
        while (plain < end && *plain < 0x80)
            plain++;
        size = (size_t)(plain - text);
        if (size) {
            if (row_append(out, text, size))
                return -1;
            continue;
        }
        size = letter_at(text, end, &letter);
        if (!size || letter == DOTTED_I || letter == SIGMA)
            return 1;
        letter = Py_UNICODE_TOLOWER(letter);
        int alone = is_among(words, letter);
        if ((alone && row_append(out, " ", 1)) || write_letter(out, letter) || (alone && row_append(out, " ", 1)))
            return -1;
    }
    return 0;
}

static const uint8_t *
end_of_line(const uint8_t *text, const uint8_t *end)
{
    const uint8_t *found = text < end ? memchr(text, '\n', (size_t)(end - text)) : NULL;
    return found ? found : end;
}

/* The fingerprint, and how many words there are beside the links. `small` is the same text, line by line. */
static PyObject *
read_lines(const Links *links, const uint8_t *text, const uint8_t *end, const uint8_t *small, const uint8_t *small_end,
           const uint8_t *kinds, uint64_t seed)
{
    Words own = {0}, beside = {0};
    size_t lines = 0, letters = 0, blanks = 0; /* of its own */
    uint64_t bits;
    int failed = 0, more = 1;
    while (more && !failed) {
        const uint8_t *stop = end_of_line(text, end), *small_stop = text == small ? stop : end_of_line(small, small_end);
        Line line = {text, (size_t)(stop - text), 0};
        int is_link = links->glance[glance_at(line.text, line.size)];
        if (is_link) {
            line.hash = hash_of(line.text, line.size, seed);
            is_link = slot_of(links, line)->text != NULL;
        }
        failed = words_add(is_link ? &beside : &own, small, (size_t)(small_stop - small), kinds);
        if (!is_link) {
            lines++;
            letters += line.size;
            for (size_t i = 0; i < line.size; i++)
                blanks += text[i] == ' ';
        }
        more = stop < end;
        if (more) {
            text = stop + 1;
            small = small_stop + 1;
        }
    }
    failed = failed || words_vote(&own, &beside, seed, &bits);
    words_free(&own);
    words_free(&beside);
    if (failed)
        return NULL;
    return Py_BuildValue("Kn", (unsigned long long)bits, letters || lines > 1 ? (Py_ssize_t)(blanks + lines) : 0);
}

PyObject *
likeness(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    Py_buffer text;
    PyObject *page, *found = NULL;
    const uint8_t *kinds;
    const char *bounds;
    Py_ssize_t kinds_size, bounds_size;
    unsigned long long seed;
    if (!PyArg_ParseTuple(arguments, "y*O!y#y#K:likeness", &text, &PyTuple_Type, &page, &kinds, &kinds_size, &bounds,
                          &bounds_size, &seed))
        return NULL;
    Links links = {0};
    Row small = {0}, room = {0};
    if (kinds_size != 256)
        PyErr_SetString(PyExc_ValueError, "the kind of each of 256 bytes has to be told");
    else if (!row_append(&room, bounds, (size_t)bounds_size)) {
        const uint8_t *start = text.buf, *end = start + text.len;
        Ranges words = {(const uint32_t *)(const void *)room.bytes, room.size / sizeof(uint32_t)};
        int easy = is_easy(start, end, &words), odd = easy ? 0 : write_small(&small, start, end, &words);
        const uint8_t *first = easy ? start : (const uint8_t *)small.bytes;
        odd = odd ? odd : read_links(&links, page, seed);
        if (odd > 0)
            found = Py_NewRef(Py_None);
        else if (!odd)
            found = read_lines(&links, start, end, first, easy ? end : first + small.size, kinds, seed);
    }
    free(links.slots);
    row_free(&small);
    row_free(&room);
    PyBuffer_Release(&text);
    return found;
}
