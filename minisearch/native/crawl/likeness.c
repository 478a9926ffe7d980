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

/* Whether all letters beyond ASCII are small, and none of them is of those that need care; not if it is no UTF-8. */
static int
is_easy(const uint8_t *text, size_t size, const uint8_t *needy)
{
    const uint8_t *end = text + size;
    while (text < end) {
        uint64_t eight;
        while (end - text >= 8 && (memcpy(&eight, text, 8), !(eight & 0x8080808080808080u)))
            text += 8;
        if (text == end)
            break;
        if (*text < 0x80) {
            text++;
            continue;
        }
        int more = *text >= 0xF0 ? 3 : *text >= 0xE0 ? 2 : 1;
        if (needy[*text] || *text < 0xC2 || *text > 0xF4 || end - text <= more)
            return 0;
        Py_UCS4 letter = *text++ & (0x3F >> more);
        for (; more; more--) {
            if ((*text & 0xC0) != 0x80)
                return 0;
            letter = letter << 6 | (*text++ & 0x3F);
        }
        if (letter > 0x10FFFF || Py_UNICODE_TOLOWER(letter) != letter)
            return 0;
    }
    return 1;
}

static PyObject *
read_lines(const Links *links, const uint8_t *text, size_t size, const uint8_t *kinds, uint64_t seed)
{
    Words own = {0}, beside = {0};
    size_t lines = 0, letters = 0, blanks = 0; /* of its own */
    uint64_t bits;
    int failed = 0;
    for (size_t at = 0, next; at <= size && !failed; at = next + 1) {
        const uint8_t *end = at < size ? memchr(text + at, '\n', size - at) : NULL;
        next = end ? (size_t)(end - text) : size;
        Line line = {text + at, next - at, 0};
        int is_link = links->glance[glance_at(line.text, line.size)];
        if (is_link) {
            line.hash = hash_of(line.text, line.size, seed);
            is_link = slot_of(links, line)->text != NULL;
        }
        failed = words_add(is_link ? &beside : &own, line.text, line.size, kinds);
        if (is_link)
            continue;
        lines++;
        letters += line.size;
        for (size_t i = 0; i < line.size; i++)
            blanks += line.text[i] == ' ';
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
    const uint8_t *kinds, *needy;
    Py_ssize_t kinds_size, needy_size;
    unsigned long long seed;
    if (!PyArg_ParseTuple(arguments, "y*O!y#y#K:likeness", &text, &PyTuple_Type, &page, &kinds, &kinds_size, &needy,
                          &needy_size, &seed))
        return NULL;
    Links links = {0};
    if (kinds_size != 256 || needy_size != 256)
        PyErr_SetString(PyExc_ValueError, "the kind of each of 256 bytes has to be told");
    else if (!is_easy(text.buf, (size_t)text.len, needy))
        found = Py_NewRef(Py_None);
    else {
        int odd = read_links(&links, page, seed);
        if (odd > 0)
            found = Py_NewRef(Py_None);
        else if (!odd)
            found = read_lines(&links, text.buf, (size_t)text.len, kinds, seed);
    }
    free(links.slots);
    PyBuffer_Release(&text);
    return found;
}
