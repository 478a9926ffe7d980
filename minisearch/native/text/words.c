/* Words: what plain chunks are made of.
 *
 * Plain is what has no letters but those of ASCII and is one token: a word, perhaps with a full stop, or an identifier.
 * It is cut at its joints, and where a capital begins a word: os.path, utf-8, snake_case, ThreadPool, HTTPServer. Of
 * several parts, or of one between underscores, it is also a word as a whole.
 *
 * The same with numpy: minisearch/text/pieces.py. What a token is: minisearch/text/words.py
 */
#include "native.h"

enum { OTHER, LOWER, UPPER, DIGIT, JOIN, UNDERSCORE };

static int
kind_of(uint8_t byte)
{
    if (byte >= 'a' && byte <= 'z')
        return LOWER;
    if (byte >= 'A' && byte <= 'Z')
        return UPPER;
    if (byte >= '0' && byte <= '9')
        return DIGIT;
    return byte == '_' ? UNDERSCORE : byte == '.' || byte == '\'' || byte == '-' ? JOIN : OTHER;
}

/* Take off what stands around a word and never makes it another. */
static size_t
bared(const uint8_t **chunk, size_t size)
{
    while (size && memchr("'-+#", **chunk, 4)) {
        ++*chunk;
        size--;
    }
    while (size && memchr(".'-", (*chunk)[size - 1], 3))
        size--;
    return size;
}

static int
is_plain(const uint8_t *token, size_t size)
{
    int before = JOIN;
    for (size_t i = 0; i < size; i++) {
        int kind = kind_of(token[i]);
        if (kind == OTHER || (kind == JOIN && before == JOIN))
            return 0;
        before = kind;
    }
    return size > 0;
}

/* Whether a word begins at a capital: dD, 2D, or the last of DDd. */
static int
is_joint(const uint8_t *token, size_t size, size_t at)
{
    if (!at || kind_of(token[at]) != UPPER)
        return 0;
    int before = kind_of(token[at - 1]);
    return before == LOWER || before == DIGIT ||
           (before == UPPER && at + 1 < size && kind_of(token[at + 1]) == LOWER);
}

typedef struct {
    Table *table;
    long next;
    PyObject *fresh;
    int32_t *which, *places;
    size_t filled;
} Cutting;

static int
add(Cutting *cutting, const uint8_t *word, size_t size, int32_t place)
{
    int32_t number = number_of(cutting->table, word, size, &cutting->next, cutting->fresh);
    cutting->which[cutting->filled] = number;
    cutting->places[cutting->filled++] = place;
    return number < 0;
}

/* The words of a plain token; gives how many places they take, or -1. */
static int32_t
cut_token(Cutting *cutting, const uint8_t *token, size_t size, uint8_t *lowered)
{
    size_t first = cutting->filled, begin = 0;
    int32_t span = 0;
    for (size_t i = 0; i < size; i++)
        lowered[i] = kind_of(token[i]) == UPPER ? token[i] + 32 : token[i];
    for (size_t at = 0; at <= size; at++) {
        int blank = at == size || (kind_of(token[at]) >= JOIN && token[at] != '\'');
        if ((blank || is_joint(token, size, at)) && at > begin) {
            if (add(cutting, lowered + begin, at - begin, span++))
                return -1;
            begin = at;
        }
        begin += blank && begin == at;
    }
    if (span > 1 || (span == 1 && (token[0] == '_' || token[size - 1] == '_'))) { /* it stands whole behind its first */
        if (add(cutting, lowered, size, 0))
            return -1;
        size_t last = cutting->filled - 1;
        int32_t whole = cutting->which[last];
        memmove(cutting->which + first + 2, cutting->which + first + 1, (last - first - 1) * sizeof(int32_t));
        memmove(cutting->places + first + 2, cutting->places + first + 1, (last - first - 1) * sizeof(int32_t));
        cutting->which[first + 1] = whole;
        cutting->places[first + 1] = 0;
    }
    return span;
}

/* cut(chunks, first, longest) */
PyObject *
table_cut(Table *self, PyObject *args)
{
    PyObject *chunks, *columns[5] = {NULL}, *fresh = NULL;
    long first;
    Py_ssize_t longest;
    if (!PyArg_ParseTuple(args, "O!ln:cut", &PyList_Type, &chunks, &first, &longest))
        return NULL;
    Py_ssize_t count = PyList_Size(chunks), most = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *chunk = PyList_GetItem(chunks, i);
        if (!PyBytes_Check(chunk))
            return PyErr_Format(PyExc_TypeError, "a chunk is bytes");
        if (PyBytes_Size(chunk) <= longest)
            most += PyBytes_Size(chunk) + 1; /* each byte a word, and the whole */
    }
    /* which chunks are plain; how many words and how many places each has; the words of all, and their places */
    const Py_ssize_t sizes[5] = {count, count * 4, count * 4, most * 4, most * 4};
    for (int i = 0; i < 5; i++)
        columns[i] = PyBytes_FromStringAndSize(NULL, sizes[i]);
    fresh = PyList_New(0);
    uint8_t *lowered = malloc(longest > 0 ? (size_t)longest : 1);
    Cutting cutting = {self, first, fresh, NULL, NULL, 0};
    int failed = !fresh || !lowered;
    for (int i = 0; i < 5; i++)
        failed |= !columns[i];
    if (failed)
        goto done;
    cutting.which = (int32_t *)PyBytes_AsString(columns[3]);
    cutting.places = (int32_t *)PyBytes_AsString(columns[4]);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *chunk = PyList_GetItem(chunks, i);
        const uint8_t *token = (const uint8_t *)PyBytes_AsString(chunk);
        size_t size = bared(&token, (size_t)PyBytes_Size(chunk)), before = cutting.filled;
        int plain = PyBytes_Size(chunk) <= longest && is_plain(token, size);
        int32_t span = plain ? cut_token(&cutting, token, size, lowered) : 0;
        if (span < 0) {
            failed = 1;
            goto done;
        }
        PyBytes_AsString(columns[0])[i] = (char)plain;
        ((int32_t *)PyBytes_AsString(columns[1]))[i] = (int32_t)(cutting.filled - before);
        ((int32_t *)PyBytes_AsString(columns[2]))[i] = span;
    }
    for (int i = 3; i < 5 && !failed; i++)
        failed = _PyBytes_Resize(&columns[i], (Py_ssize_t)cutting.filled * 4);
done:
    free(lowered);
    if (!failed)
        return Py_BuildValue("NNNNNN", columns[0], columns[1], columns[2], columns[3], columns[4], fresh);
    for (int i = 0; i < 5; i++)
        Py_XDECREF(columns[i]);
    Py_XDECREF(fresh);
    return PyErr_Occurred() ? NULL : PyErr_NoMemory();
}
