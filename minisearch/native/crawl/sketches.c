/* Sketches: the smallest hashes of the words of a page, or the words themselves, in one pass over its bytes.
 *
 * The same in Python, and what it is good for: minisearch/crawl/sketches.py
 */
#include "native.h"

enum { SPACE = 1, BAR = 2 /* makes an address of what it stands in */, PART = 4 /* of a word, but no letter */, LETTER = 8 };

typedef struct {
    uint32_t hash;
    const uint8_t *word;
    size_t size;
} Entry;

typedef struct {
    Entry *entries; /* the smallest so far, in order */
    size_t count, most;
    Row *words; /* where words are written, if they are wanted and not their hashes */
    int failed; /* no memory is left for them */
} Sketch;

static uint8_t kinds[128];   /* of ASCII; 0 is a sign */
static uint32_t crcs[256];   /* of all bytes, as zlib has it */

static void
get_ready(void)
{
    if (kinds['a'])
        return;
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1)));
        crcs[byte] = crc;
    }
    for (Py_UCS4 letter = 0; letter < 128; letter++)
        kinds[letter] = Py_UNICODE_ISSPACE(letter) ? SPACE
            : letter == '/' || letter == '=' ? BAR
            : Py_UNICODE_ISDECIMAL(letter) || letter == '_' ? PART
            : Py_UNICODE_ISALNUM(letter) ? LETTER
                                         : 0;
}

static inline uint8_t
small(uint8_t byte)
{
    return byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte;
}

static int
is_same(const Entry *entry, const uint8_t *word, size_t size)
{
    if (entry->size != size)
        return 0;
    for (size_t i = 0; i < size; i++)
        if (small(entry->word[i]) != small(word[i]))
            return 0;
    return 1;
}

/* Write a word behind the others. */
static int
write_word(Row *words, const uint8_t *word, size_t size)
{
    if (row_append(words, " ", words->size ? 1 : 0) || row_append(words, word, size))
        return -1;
    uint8_t *written = (uint8_t *)words->bytes + words->size - size;
    for (size_t i = 0; i < size; i++)
        written[i] = small(written[i]);
    return 0;
}

/* Take in a word, if it is new and its hash is among the smallest. Other words may have the same hash. */
static void
take(Sketch *sketch, const uint8_t *word, size_t size)
{
    if (sketch->words) {
        sketch->failed |= write_word(sketch->words, word, size);
        return;
    }
    uint32_t hash = 0xFFFFFFFFu;
    for (size_t i = 0; i < size; i++)
        hash = crcs[(hash ^ small(word[i])) & 0xFF] ^ hash >> 8;
    hash = ~hash;
    size_t at = sketch->count;
    if (at == sketch->most && hash >= sketch->entries[at - 1].hash)
        return;
    for (; at && sketch->entries[at - 1].hash >= hash; at--)
        if (sketch->entries[at - 1].hash == hash && is_same(&sketch->entries[at - 1], word, size))
            return;
    sketch->count += sketch->count < sketch->most;
    memmove(sketch->entries + at + 1, sketch->entries + at, (sketch->count - at - 1) * sizeof *sketch->entries);
    sketch->entries[at] = (Entry){hash, word, size};
}

/* The kind of a letter, and how many bytes it has; -1 if it is no small letter, or no UTF-8. */
static inline int
kind_of(const uint8_t *text, const uint8_t *end, size_t *size)
{
    Py_UCS4 letter;
    *size = 1;
    if (*text < 0x80)
        return kinds[*text];
    *size = letter_at(text, end, &letter);
    if (!*size || Py_UNICODE_TOLOWER(letter) != letter)
        return -1;
    if (Py_UNICODE_ISSPACE(letter))
        return SPACE;
    return Py_UNICODE_ISDECIMAL(letter) ? PART : Py_UNICODE_ISALNUM(letter) ? LETTER : 0;
}

/* Take in the words between some signs: two letters or more, and nothing but letters. */
static void
take_words(Sketch *sketch, const uint8_t *text, const uint8_t *end)
{
    size_t size;
    while (text < end) {
        const uint8_t *start = text;
        size_t letters = 0;
        int all = 0, kind;
        while (text < end && ((kind = kind_of(text, end, &size)) & (PART | LETTER))) {
            all |= kind;
            letters++;
            text += size;
        }
        if (all == LETTER && letters > 1)
            take(sketch, start, (size_t)(text - start));
        if (text < end) {
            kind_of(text, end, &size);
            text += size;
        }
    }
}

/* Whether what stands between two spaces is an address, of which only its bars are known yet. */
static int
is_address(const Sketch *sketch, const uint8_t *start, const uint8_t *end)
{
    if (sketch->words && end[-1] == '/') /* the name of a folder may stay where words are wanted */
        end--;
    for (; start < end; start++)
        if (kinds[*start & 0x7F] == BAR && *start < 0x80)
            return 1;
    return 0;
}

/* 0, or -1 if there are letters that Python has to look after. */
static int
read_text(Sketch *sketch, const uint8_t *text, const uint8_t *end)
{
    size_t size;
    while (text < end) {
        const uint8_t *start = text;
        int all = 0, kind = 0;
        while (text < end && (kind = kind_of(text, end, &size)) != SPACE) {
            if (kind < 0)
                return -1;
            all |= kind;
            text += size;
        }
        if ((all & LETTER) && !((all & BAR) && is_address(sketch, start, text)))
            take_words(sketch, start, text);
        if (text < end)
            text += size;
    }
    return 0;
}

PyObject *
sketch(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    Py_buffer text;
    Py_ssize_t most;
    PyObject *found = NULL;
    if (!PyArg_ParseTuple(arguments, "y*n:sketch", &text, &most))
        return NULL;
    get_ready();
    Sketch sketch = {NULL, 0, (size_t)most, NULL, 0};
    if (most < 1 || (size_t)most > SIZE_MAX / sizeof(Entry))
        PyErr_SetString(PyExc_ValueError, "a sketch has to have room for some hashes");
    else if (!(sketch.entries = malloc(sketch.most * sizeof(Entry))))
        PyErr_NoMemory();
    else if (read_text(&sketch, text.buf, (const uint8_t *)text.buf + text.len))
        found = Py_NewRef(Py_None);
    else if ((found = PyTuple_New((Py_ssize_t)sketch.count)))
        for (size_t i = 0; found && i < sketch.count; i++) {
            PyObject *hash = PyLong_FromUnsignedLong(sketch.entries[i].hash);
            if (hash)
                PyTuple_SET_ITEM(found, (Py_ssize_t)i, hash);
            else
                Py_CLEAR(found);
        }
    free(sketch.entries);
    PyBuffer_Release(&text);
    return found;
}

PyObject *
wording(PyObject *Py_UNUSED(module), PyObject *text)
{
    Py_buffer view;
    PyObject *found = NULL;
    if (PyObject_GetBuffer(text, &view, PyBUF_SIMPLE))
        return NULL;
    get_ready();
    Row words = {0};
    Sketch sketch = {NULL, 0, 0, &words, 0};
    if (read_text(&sketch, view.buf, (const uint8_t *)view.buf + view.len))
        found = Py_NewRef(Py_None);
    else if (sketch.failed)
        PyErr_NoMemory();
    else
        found = PyBytes_FromStringAndSize(words.bytes, (Py_ssize_t)words.size);
    row_free(&words);
    PyBuffer_Release(&view);
    return found;
}
