/* Entries: the postings of a term on some shelves, unpacked right where they stand end to end.
 *
 * The same with numpy: `piece` and `joined` in minisearch/search/entries.py; how they are packed: minisearch/packing.py
 */
#include "native.h"

enum { DEFLATED = 128, MOST_PLANES = 4, MOST_FIELDS = 4, WINDOW = -15 };

/* The postings of a term on one shelf, as they are told: packed, for so many pages; the number of the shelf's first
 * page, and how many pages it has, or the number of each if they do not follow on.
 */
typedef struct {
    const uint8_t *packed;
    Py_ssize_t length, df, start, size;
    PyObject *listed;
} Told;

static int
read_told(PyObject *one, Told *told)
{
    const char *packed;
    if (!PyTuple_Check(one)) {
        PyErr_SetString(PyExc_TypeError, "tuples were expected");
        return -1;
    }
    if (!PyArg_ParseTuple(one, "y#nnnO", &packed, &told->length, &told->df, &told->start, &told->size, &told->listed))
        return -1;
    told->packed = (const uint8_t *)packed;
    int width = told->length < 2 ? 0 : *packed & ~DEFLATED & 0xff;
    /* Pages rise, so there are no more postings than pages. */
    if (width >= 1 && width <= MOST_PLANES && told->df >= 1 && told->df <= told->size && told->start >= 0 &&
        told->size <= INT32_MAX - told->start)
        return 0;
    PyErr_SetString(PyExc_ValueError, "no such numbers");
    return -1;
}

static inline int
planes_of(const Told *told, int field)
{
    return told->packed[1] >> 2 * field & 3;
}

static inline uint32_t
plane_at(const uint8_t *planes, Py_ssize_t count, int width, Py_ssize_t place)
{
    uint32_t number = planes[place];
    for (int plane = 1; plane < width; plane++)
        number |= (uint32_t)planes[plane * count + place] << 8 * plane;
    return number;
}

/* The planes of a piece, of which there should be so many bytes; `owner` is to be let go after. */
static const uint8_t *
inflated(PyObject *inflate, const Told *told, Py_ssize_t size, PyObject **owner)
{
    *owner = NULL;
    Py_ssize_t length = told->length - 2;
    const uint8_t *raw = told->packed + 2;
    if (told->packed[0] & DEFLATED) {
        PyObject *view = PyMemoryView_FromMemory((char *)raw, length, PyBUF_READ);
        *owner = view ? PyObject_CallFunction(inflate, "Nin", view, WINDOW, size + 1) : NULL;
        if (!*owner)
            return NULL;
        length = PyBytes_Check(*owner) ? PyBytes_GET_SIZE(*owner) : -1;
        raw = length < 0 ? raw : (const uint8_t *)PyBytes_AS_STRING(*owner);
    }
    if (length == size)
        return raw;
    PyErr_SetString(PyExc_ValueError, "too short or too long");
    return NULL;
}

/* Write the pages of a piece, by the steps between them; 0, or -1 and an error. */
static int
write_pages(const Told *told, const uint8_t *raw, int32_t *pages)
{
    int width = told->packed[0] & ~DEFLATED, stops = 0;
    uint64_t sum = (uint64_t)told->start;
    for (Py_ssize_t place = 0; place < told->df; place++) {
        uint32_t step = width == 1 ? raw[place] : plane_at(raw, told->df, width, place);
        stops |= place && !step;
        pages[place] = (int32_t)(sum += step);
    }
    if (!stops && sum < (uint64_t)(told->start + told->size))
        return 0;
    PyErr_SetString(PyExc_ValueError, "numbers that do not rise, or too far");
    return -1;
}

/* Put the number that each page is listed with in its place; 1 if some page is not there any more, or -1 and an error. */
static int
number_pages(const Told *told, int32_t *pages)
{
    Array listed;
    if (array_open(told->listed, "i", &listed))
        return -1;
    int missing = listed.count < told->size ? -1 : 0;
    const int32_t *numbers = listed.view.buf;
    for (Py_ssize_t place = 0; missing >= 0 && place < told->df; place++)
        missing |= (pages[place] = numbers[pages[place]]) < 0;
    PyBuffer_Release(&listed.view);
    if (missing < 0)
        PyErr_SetString(PyExc_ValueError, "too short or too long");
    return missing;
}

/* Write how often a term stands in a field of each page, from its planes, as numbers of so many bytes. */
static void
write_counts(const uint8_t *planes, Py_ssize_t count, int width, void *counts, int bytes)
{
    if (!width)
        memset(counts, 0, (size_t)(count * bytes));
    else if (bytes == 1)
        memcpy(counts, planes, (size_t)count);
    else if (bytes == 2)
        for (Py_ssize_t place = 0; place < count; place++)
            ((uint16_t *)counts)[place] = (uint16_t)plane_at(planes, count, width, place);
    else
        for (Py_ssize_t place = 0; place < count; place++)
            ((int64_t *)counts)[place] = plane_at(planes, count, width, place);
}

/* Unpack a piece: its pages from `pages` on, its counts from the place `at` of each column on. 1 if it is not simple. */
static int
write_piece(PyObject *inflate, const Told *told, Py_ssize_t fields, int32_t *pages, PyObject *counts, Py_ssize_t at,
            const int *bytes)
{
    Py_ssize_t planes = told->packed[0] & ~DEFLATED;
    for (int field = 0; field < fields; field++)
        planes += planes_of(told, field);
    PyObject *owner;
    const uint8_t *raw = inflated(inflate, told, planes * told->df, &owner);
    int outcome = raw ? write_pages(told, raw, pages) : -1;
    if (!outcome && told->listed != Py_None)
        outcome = number_pages(told, pages);
    if (!outcome) {
        const uint8_t *from = raw + (told->packed[0] & ~DEFLATED) * told->df;
        for (int field = 0; field < fields; field++) {
            PyObject *column = PyList_GET_ITEM(counts, field);
            if (column != Py_None)
                write_counts(from, told->df, planes_of(told, field), PyBytes_AS_STRING(column) + at * bytes[field],
                             bytes[field]);
            from += planes_of(told, field) * told->df;
        }
    }
    Py_XDECREF(owner);
    return outcome;
}

/* A column for each field that some piece has, None for others; and how many bytes a number takes there. */
static PyObject *
new_columns(const Told *told, Py_ssize_t pieces, Py_ssize_t fields, Py_ssize_t total, int *bytes)
{
    PyObject *columns = PyList_New(fields);
    for (int field = 0; columns && field < fields; field++) {
        int most = 0;
        for (Py_ssize_t at = 0; at < pieces; at++)
            most = planes_of(&told[at], field) > most ? planes_of(&told[at], field) : most;
        bytes[field] = most < 3 ? most : 8;
        PyObject *column = most ? PyBytes_FromStringAndSize(NULL, total * bytes[field]) : Py_NewRef(Py_None);
        if (column)
            PyList_SET_ITEM(columns, field, column);
        else
            Py_CLEAR(columns);
    }
    return columns;
}

/* What `entry` gives for pieces that were read. */
static PyObject *
unite(PyObject *inflate, const Told *told, Py_ssize_t pieces, Py_ssize_t fields)
{
    Py_ssize_t total = 0;
    for (Py_ssize_t at = 0; at < pieces; at++) {
        if (told[at].df > PY_SSIZE_T_MAX / 8 - total)
            return PyErr_NoMemory();
        total += told[at].df;
    }
    int bytes[MOST_FIELDS], outcome = -1;
    PyObject *docs = PyBytes_FromStringAndSize(NULL, total * (Py_ssize_t)sizeof(int32_t));
    PyObject *counts = docs ? new_columns(told, pieces, fields, total, bytes) : NULL;
    if (counts) {
        int32_t *pages = (int32_t *)PyBytes_AS_STRING(docs);
        Py_ssize_t done = 0;
        outcome = 0;
        for (Py_ssize_t at = 0; !outcome && at < pieces; done += told[at++].df)
            outcome = write_piece(inflate, &told[at], fields, pages + done, counts, done, bytes);
        if (!outcome)
            outcome = !is_rising(pages, total, PY_SSIZE_T_MAX);
    }
    if (!outcome)
        return Py_BuildValue("NN", docs, counts);
    Py_XDECREF(docs);
    Py_XDECREF(counts);
    return outcome < 0 ? NULL : Py_NewRef(Py_None);
}

PyObject *
entry(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *inflate, *found, *made = NULL;
    Py_ssize_t fields;
    if (!PyArg_ParseTuple(args, "OO!n:entry", &inflate, &PyList_Type, &found, &fields))
        return NULL;
    Py_ssize_t pieces = PyList_GET_SIZE(found), known = 0;
    if (fields < 1 || fields > MOST_FIELDS || !pieces)
        return PyErr_Format(PyExc_ValueError, "no such fields");
    Told *told = PyMem_New(Told, pieces);
    if (!told)
        return PyErr_NoMemory();
    PyObject *kept = PyList_AsTuple(found); /* whatever becomes of the list while others are called */
    while (kept && known < pieces && !read_told(PyTuple_GET_ITEM(kept, known), &told[known]))
        known++;
    if (kept && known == pieces)
        made = unite(inflate, told, pieces, fields);
    Py_XDECREF(kept);
    PyMem_Free(told);
    return made;
}
