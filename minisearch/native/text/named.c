/* Naming: the number of the term that each of many lines is as a whole. Its words are joined with blanks between; long
 * names are kept as a fingerprint: BLAKE2b (Aumasson, Neves, Wilcox-O'Hearn, Winnerlein; RFC 7693), and of its 64 bits
 * the first 60 as letters.
 *
 * The same in Python: _named in minisearch/text/names.py. How it is used: minisearch/text/calling.py
 */
#include "native.h"

enum { BLOCK = 128, ROUNDS = 12, DIGEST = 8, LETTERS = 10 };

static const uint64_t START[8] = {
    0x6A09E667F3BCC908u, 0xBB67AE8584CAA73Bu, 0x3C6EF372FE94F82Bu, 0xA54FF53A5F1D36F1u,
    0x510E527FADE682D1u, 0x9B05688C2B3E6C1Fu, 0x1F83D9ABFB41BD6Bu, 0x5BE0CD19137E2179u,
};
static const uint8_t ORDER[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

static inline uint64_t
turned(uint64_t number, int bits)
{
    return number >> bits | number << (64 - bits);
}

static inline void
mix(uint64_t *v, int a, int b, int c, int d, uint64_t x, uint64_t y)
{
    v[a] += v[b] + x;
    v[d] = turned(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = turned(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[d] = turned(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = turned(v[b] ^ v[c], 63);
}

static inline uint64_t
word_at(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (int i = 7; i >= 0; i--)
        word = word << 8 | bytes[i];
    return word;
}

static void
compress(uint64_t *state, const uint8_t *block, uint64_t so_far, int is_last)
{
    uint64_t v[16], m[16];
    for (int i = 0; i < 16; i++)
        m[i] = word_at(block + 8 * i);
    memcpy(v, state, 64);
    memcpy(v + 8, START, 64);
    v[12] ^= so_far; /* of which there are less than 2^64 bytes */
    v[14] ^= is_last ? UINT64_MAX : 0;
    for (int round = 0; round < ROUNDS; round++) {
        const uint8_t *s = ORDER[round % 10];
        mix(v, 0, 4, 8, 12, m[s[0]], m[s[1]]);
        mix(v, 1, 5, 9, 13, m[s[2]], m[s[3]]);
        mix(v, 2, 6, 10, 14, m[s[4]], m[s[5]]);
        mix(v, 3, 7, 11, 15, m[s[6]], m[s[7]]);
        mix(v, 0, 5, 10, 15, m[s[8]], m[s[9]]);
        mix(v, 1, 6, 11, 12, m[s[10]], m[s[11]]);
        mix(v, 2, 7, 8, 13, m[s[12]], m[s[13]]);
        mix(v, 3, 4, 9, 14, m[s[14]], m[s[15]]);
    }
    for (int i = 0; i < 8; i++)
        state[i] ^= v[i] ^ v[i + 8];
}

/* The first letters of the fingerprint of a text, in the alphabet of addresses. */
static void
digest(const uint8_t *text, size_t size, char *letters)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    uint64_t state[8], bits = 0;
    size_t at = 0;
    memcpy(state, START, sizeof(state));
    state[0] ^= 0x01010000 ^ DIGEST;
    for (; size - at > BLOCK; at += BLOCK)
        compress(state, text + at, at + BLOCK, 0);
    uint8_t last[BLOCK] = {0};
    memcpy(last, text + at, size - at);
    compress(state, last, size, 1);
    for (int i = 0; i < DIGEST; i++)
        bits = bits << 8 | (state[0] >> 8 * i & 255);
    for (int i = 0; i < LETTERS; i++)
        letters[i] = alphabet[bits >> (58 - 6 * i) & 63];
}

/* How many dashes there are before the name of an option; -1: who knows other letters has to tell. */
static int
dashes_of(const uint8_t *line, size_t size)
{
    size_t at = 0, dashes;
    if (size && line[0] >= 128) { /* it may be a blank */
        for (at = 1; at < size && (line[at] & 0xC0) == 0x80; at++)
            ;
        return at < size && line[at] == '-' ? -1 : 0;
    }
    at += size && (line[0] == ' ' || (line[0] >= '\t' && line[0] <= '\r') || (line[0] >= 28 && line[0] <= 31));
    if (at >= size || line[at] != '-')
        return 0;
    dashes = 1 + (at + 1 < size && line[at + 1] == '-');
    uint8_t next = at + dashes < size ? line[at + dashes] : 0;
    if (next >= 128)
        return -1;
    return (next | 32) >= 'a' && (next | 32) <= 'z' ? (int)dashes : next == '_' ? (int)dashes : 0;
}

/* The same, if need be by asking. */
static int
told_dashes(PyObject *line, PyObject *ask)
{
    int dashes = dashes_of((const uint8_t *)PyBytes_AsString(line), (size_t)PyBytes_Size(line));
    if (dashes >= 0)
        return dashes;
    PyObject *text = PyUnicode_FromEncodedObject(line, "utf-8", "strict");
    PyObject *told = text ? PyObject_CallOneArg(ask, text) : NULL;
    Py_ssize_t count = told ? PyUnicode_GetLength(told) : -1;
    Py_XDECREF(text);
    Py_XDECREF(told);
    if (count > 2)
        PyErr_SetString(PyExc_ValueError, "two dashes at most");
    return count > 2 ? -1 : (int)count;
}

static size_t
letters_in(const char *text, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += (text[i] & 0xC0) != 0x80;
    return count;
}

typedef struct {
    Table *table;
    long next;
    PyObject *words, *ask;
    const char *mark;
    size_t mark_size, longest, most;
    Row row; /* the mark, room for two dashes, and the words */
} Naming;

/* Put words together with blanks between, empty ones left out; gives how many blanks there are, or -1. */
static Py_ssize_t
join(Naming *naming, const int32_t *which, const int32_t *end)
{
    Py_ssize_t known = PyList_Size(naming->words), blanks = 0, size;
    size_t first = naming->row.size;
    for (; which < end; which++) {
        if (*which < 0 || *which >= known) {
            PyErr_SetString(PyExc_ValueError, "a word that nobody knows");
            return -1;
        }
        const char *letters = PyUnicode_AsUTF8AndSize(PyList_GetItem(naming->words, *which), &size);
        if (!letters)
            return -1;
        if (!size)
            continue;
        if (naming->row.size > first) {
            if (row_append(&naming->row, " ", 1))
                return -1;
            blanks++;
        }
        if (row_append(&naming->row, letters, (size_t)size))
            return -1;
        for (Py_ssize_t i = 0; i < size; i++)
            blanks += letters[i] == ' ';
    }
    return blanks;
}

/* The number of the name that a line has; -1 if it has none, or there is an exception. */
static int32_t
name_of(Naming *naming, const int32_t *which, const int32_t *end, PyObject *line)
{
    Row *row = &naming->row;
    size_t head = naming->mark_size + 2;
    row->size = 0;
    if (row_append(row, naming->mark, naming->mark_size) || row_append(row, "--", 2))
        return -1;
    Py_ssize_t blanks = join(naming, which, end);
    if (blanks < 0 || (size_t)blanks >= naming->most || row->size == head)
        return -1;
    int dashes = told_dashes(line, naming->ask);
    if (dashes < 0)
        return -1;
    char *begin = row->bytes + 2 - dashes, *name = row->bytes + head - dashes;
    size_t size = row->size - head + (size_t)dashes;
    memcpy(begin, naming->mark, naming->mark_size); /* right before it */
    memset(name, '-', (size_t)dashes);
    if (letters_in(name, size) > naming->longest) {
        char letters[LETTERS];
        digest((const uint8_t *)name, size, letters);
        memcpy(name, letters, LETTERS); /* which are fewer */
        size = LETTERS;
    }
    return number_of(naming->table, (const uint8_t *)begin, naming->mark_size + size, &naming->next, NULL);
}

/* name(words, which, sizes, lines, mark, ask, longest, most, first) */
PyObject *
table_name(Table *self, PyObject *args)
{
    PyObject *lines, *numbers = NULL;
    Py_buffer which, sizes;
    Py_ssize_t mark_size, longest, most;
    Naming naming = {.table = self};
    if (!PyArg_ParseTuple(args, "O!y*y*O!y#Onnl:name", &PyList_Type, &naming.words, &which, &sizes, &PyList_Type,
                          &lines, &naming.mark, &mark_size, &naming.ask, &longest, &most, &naming.next))
        return NULL;
    const int32_t *next = which.buf, *end = next + which.len / 4;
    const int64_t *size = sizes.buf;
    Py_ssize_t count = sizes.len / 8;
    if (count != PyList_Size(lines) || longest < LETTERS || most < 0) {
        PyErr_SetString(PyExc_ValueError, "each line has its words, and names are as long as fingerprints at least");
        goto done;
    }
    naming.mark_size = (size_t)mark_size;
    naming.longest = (size_t)longest;
    naming.most = (size_t)most;
    numbers = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(int32_t));
    for (Py_ssize_t i = 0; numbers && i < count; i++) {
        PyObject *line = i < PyList_Size(lines) ? PyList_GetItem(lines, i) : NULL;
        if (!line || !PyBytes_Check(line) || size[i] < 0 || size[i] > end - next) {
            PyErr_SetString(PyExc_ValueError, "a line is bytes, and has no more words than there are");
            Py_CLEAR(numbers);
            break;
        }
        ((int32_t *)PyBytes_AsString(numbers))[i] = name_of(&naming, next, next + size[i], line);
        next += size[i];
        if (PyErr_Occurred())
            Py_CLEAR(numbers);
    }
done:
    row_free(&naming.row);
    PyBuffer_Release(&which);
    PyBuffer_Release(&sizes);
    return numbers;
}
