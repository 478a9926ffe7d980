/* Spots: where words stand, each place as one number, from the distances between the places of some pages.
 *
 * The same with numpy: `_spots` in minisearch/search/places.py; what a spot is: minisearch/search/spots.py
 */
#include "native.h"

enum { PLACE_BITS = 21, FIELD_BITS = 3, FIELDS = 1 << FIELD_BITS };

/* The distances that are read one after the other, whichever piece they come in. */
typedef struct {
    PyObject *pieces;         /* a list of bytes, four to a distance */
    Py_ssize_t next;          /* piece */
    const char *at, *end;     /* of what is left of the one before */
} Distances;

static int
next_distance(Distances *from, uint32_t *distance)
{
    while (from->at == from->end) {
        if (from->next == PyList_GET_SIZE(from->pieces))
            return -1;
        PyObject *piece = PyList_GET_ITEM(from->pieces, from->next++);
        from->at = PyBytes_AS_STRING(piece);
        from->end = from->at + PyBytes_GET_SIZE(piece) / 4 * 4;
    }
    const uint8_t *bytes = (const uint8_t *)from->at;
    *distance = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    from->at += 4;
    return 0;
}

static inline uint64_t
count_at(const Array *counts, int64_t posting)
{
    if (counts->kind == 'B')
        return ((const uint8_t *)counts->view.buf)[posting];
    if (counts->kind == 'H')
        return ((const uint16_t *)counts->view.buf)[posting];
    return ((const uint64_t *)counts->view.buf)[posting];
}

/* The spots of a term by some of its postings; how many have been written then, or -1. */
static Py_ssize_t
add_spots(const Array *docs, const Array *postings, const Array *fields, Distances *from, int64_t *spots,
          Py_ssize_t written, Py_ssize_t room)
{
    for (Py_ssize_t place = 0; place < postings->count; place++) {
        int64_t posting = ((const int64_t *)postings->view.buf)[place];
        if (posting < 0 || posting >= docs->count)
            return -1;
        uint64_t page = (uint64_t)((const int32_t *)docs->view.buf)[posting];
        for (int field = 0; field < FIELDS; field++) {
            if (!fields[field].count)
                continue;
            uint64_t spot = (page << FIELD_BITS | (uint64_t)field) << PLACE_BITS;
            for (uint64_t left = count_at(&fields[field], posting); left; left--) {
                uint32_t distance;
                if (written == room || next_distance(from, &distance))
                    return -1;
                spots[written++] = (int64_t)(spot += distance);
            }
        }
    }
    return written;
}

/* Read [(number of a field, how often each posting has the term there)]; those that are not told have a count of 0. */
static int
open_columns(PyObject *told, Py_ssize_t postings, Array *fields)
{
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(told); at++) {
        int field;
        PyObject *counts, *one = PyList_GET_ITEM(told, at);
        if (!PyTuple_Check(one) || !PyArg_ParseTuple(one, "iO", &field, &counts) || field < 0 || field >= FIELDS ||
            fields[field].view.obj) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "no such field");
            return -1;
        }
        if (array_open(counts, "BHq", &fields[field])) {
            fields[field].view.obj = NULL;
            fields[field].count = 0;
            return -1;
        }
        if (fields[field].count != postings) {
            PyErr_SetString(PyExc_ValueError, "too short or too long");
            return -1;
        }
    }
    return 0;
}

/* The same for (pages, postings, fields), as they are handed in. */
static Py_ssize_t
add_term(PyObject *one, Distances *from, int64_t *spots, Py_ssize_t written, Py_ssize_t room)
{
    PyObject *given[2], *told;
    Array docs, postings, fields[FIELDS] = {{.count = 0}};
    if (!PyTuple_Check(one)) {
        PyErr_SetString(PyExc_TypeError, "a tuple was expected");
        return -1;
    }
    if (!PyArg_ParseTuple(one, "OOO!", &given[0], &given[1], &PyList_Type, &told) || array_open(given[0], "i", &docs))
        return -1;
    if (array_open(given[1], "q", &postings)) {
        PyBuffer_Release(&docs.view);
        return -1;
    }
    int failed = open_columns(told, docs.count, fields);
    if (!failed) {
        written = add_spots(&docs, &postings, fields, from, spots, written, room);
        if (written < 0)
            PyErr_SetString(PyExc_ValueError, "a posting that is not there, or more places than are told");
    }
    for (int field = 0; field < FIELDS; field++)
        if (fields[field].view.obj)
            PyBuffer_Release(&fields[field].view);
    PyBuffer_Release(&docs.view);
    PyBuffer_Release(&postings.view);
    return failed ? -1 : written;
}

PyObject *
spots(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *wanted;
    Distances from = {.next = 0, .at = NULL, .end = NULL};
    if (!PyArg_ParseTuple(args, "O!O!:spots", &PyList_Type, &wanted, &PyList_Type, &from.pieces))
        return NULL;
    Py_ssize_t room = 0;
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(from.pieces); at++) {
        PyObject *piece = PyList_GET_ITEM(from.pieces, at);
        if (!PyBytes_Check(piece))
            return PyErr_Format(PyExc_TypeError, "bytes were expected");
        room += PyBytes_GET_SIZE(piece) / 4;
    }
    if (room > PY_SSIZE_T_MAX / 8)
        return PyErr_NoMemory();
    PyObject *found = PyBytes_FromStringAndSize(NULL, 8 * room), *ends = PyList_New(PyList_GET_SIZE(wanted));
    Py_ssize_t written = found && ends ? 0 : -1;
    for (Py_ssize_t at = 0; written >= 0 && at < PyList_GET_SIZE(ends); at++) {
        written = add_term(PyList_GET_ITEM(wanted, at), &from, (int64_t *)PyBytes_AS_STRING(found), written, room);
        PyObject *end = written < 0 ? NULL : PyLong_FromSsize_t(written);
        if (!end)
            written = -1;
        else
            PyList_SET_ITEM(ends, at, end);
    }
    if (written >= 0 && written < room) {
        PyErr_SetString(PyExc_ValueError, "fewer places than are told");
        written = -1;
    }
    if (written >= 0)
        return Py_BuildValue("NN", found, ends);
    Py_XDECREF(found);
    Py_XDECREF(ends);
    return NULL;
}
