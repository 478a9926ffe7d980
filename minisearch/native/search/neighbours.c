/* Neighbours: what pages gain by words that stand side by side there.
 *
 * The same with numpy, to the last bit: `_looked_for` in minisearch/search/neighbours.py, and what it means:
 * minisearch/search/bm25.py; what a spot is: minisearch/search/spots.py
 */
#include "native.h"

enum { PLACE_BITS = 21, FIELD_BITS = 3, MOST_FIELDS = 1 << FIELD_BITS };

static const double LEAST = 1e-300; /* of a norm */

typedef struct {
    Array lengths; /* by page, how many words are there */
    double share, average, b;
} Field;

typedef struct {
    const Field *fields;
    int known;
    double k1;
    const int64_t *pages;
    Py_ssize_t count;
} Index;

/* What a page gains by two words that stand side by side so often in one of its fields; -1 if there is no such page. */
static double
gain(const Index *index, int number, int64_t page, int64_t often, double idf)
{
    if (number >= index->known)
        return 0.0;
    const Field *field = &index->fields[number];
    const void *lengths = field->lengths.view.buf;
    if (page < 0 || page >= field->lengths.count)
        return -1.0;
    double length = field->lengths.kind == 'B'   ? ((const uint8_t *)lengths)[page]
                    : field->lengths.kind == 'H' ? ((const uint16_t *)lengths)[page]
                    : field->lengths.kind == 'I' ? ((const uint32_t *)lengths)[page]
                                                 : (double)((const int64_t *)lengths)[page];
    double norm = (field->b * length / field->average + (1 - field->b)) * index->k1;
    norm = norm < LEAST ? LEAST : norm;
    return field->share * idf * ((double)often * (index->k1 + 1) / ((double)often + norm));
}

static int
is_growing(const Array *spots)
{
    const int64_t *those = spots->view.buf;
    int bad = spots->count && those[0] < 0;
    for (Py_ssize_t at = 1; at < spots->count; at++)
        bad |= those[at] <= those[at - 1];
    return !bad;
}

/* Add what each page gains by the spots of the second word that come right after one of the first. */
static int
add_gains(const Index *index, const Array *before, const Array *after, double idf, double *gains)
{
    const int64_t *first = before->view.buf, *second = after->view.buf;
    Py_ssize_t at = 0, page = 0, next = 0;
    while (at < before->count && next < after->count) {
        if (first[at] + 1 != second[next]) {
            if (first[at] + 1 < second[next])
                at++;
            else
                next++;
            continue;
        }
        int64_t cell = second[next] >> PLACE_BITS, often = 0;
        for (; at < before->count && next < after->count && second[next] >> PLACE_BITS == cell;)
            if (first[at] + 1 == second[next]) {
                often++;
                at++;
                next++;
            }
            else if (first[at] + 1 < second[next])
                at++;
            else
                next++;
        while (page < index->count && index->pages[page] < cell >> FIELD_BITS)
            page++;
        double more = page < index->count && index->pages[page] == cell >> FIELD_BITS
                          ? gain(index, (int)(cell & (MOST_FIELDS - 1)), index->pages[page], often, idf)
                          : -1.0;
        if (more == -1.0) {
            PyErr_SetString(PyExc_ValueError, "a page that was not asked for");
            return -1;
        }
        gains[page] += more;
    }
    return 0;
}

/* The same for a pair as it is told; 1 if its spots are out of order. */
static int
add_pair(const Index *index, PyObject *one, double *gains)
{
    PyObject *given[2];
    double idf;
    Array before, after;
    if (!PyTuple_Check(one)) {
        PyErr_SetString(PyExc_TypeError, "a tuple was expected");
        return -1;
    }
    if (!PyArg_ParseTuple(one, "OOd", &given[0], &given[1], &idf) || array_open(given[0], "q", &before))
        return -1;
    if (array_open(given[1], "q", &after)) {
        PyBuffer_Release(&before.view);
        return -1;
    }
    int outcome = !is_growing(&before) || !is_growing(&after);
    if (!outcome)
        outcome = add_gains(index, &before, &after, idf, gains);
    PyBuffer_Release(&before.view);
    PyBuffer_Release(&after.view);
    return outcome;
}

static void
close_fields(Field *fields, int known)
{
    while (known--)
        PyBuffer_Release(&fields[known].lengths.view);
}

/* Read (share, lengths, average, b) of each field; how many there are, or -1. */
static int
open_fields(PyObject *told, Field *fields)
{
    int known = 0;
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(told); at++, known++) {
        PyObject *one = PyList_GET_ITEM(told, at), *lengths;
        Field *field = &fields[known];
        if (at == MOST_FIELDS || !PyTuple_Check(one))
            PyErr_SetString(PyExc_TypeError, "a few tuples were expected");
        else if (PyArg_ParseTuple(one, "dOdd", &field->share, &lengths, &field->average, &field->b) &&
                 !array_open(lengths, "BHIq", &field->lengths))
            continue;
        close_fields(fields, known);
        return -1;
    }
    return known;
}

PyObject *
neighbours(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *pairs, *asked, *told, *found = NULL;
    Array pages;
    Field fields[MOST_FIELDS];
    Index index = {.fields = fields};
    if (!PyArg_ParseTuple(args, "O!OO!d:neighbours", &PyList_Type, &pairs, &asked, &PyList_Type, &told, &index.k1) ||
        array_open(asked, "q", &pages))
        return NULL;
    index.pages = pages.view.buf;
    index.count = pages.count;
    index.known = open_fields(told, fields);
    Py_ssize_t count = PyList_GET_SIZE(pairs);
    int outcome = index.known < 0 ? -1 : !is_growing(&pages);
    if (!outcome && pages.count && count > PY_SSIZE_T_MAX / 8 / pages.count) {
        PyErr_NoMemory();
        outcome = -1;
    }
    if (!outcome && (found = PyBytes_FromStringAndSize(NULL, 8 * count * pages.count))) {
        double *gains = (double *)PyBytes_AS_STRING(found);
        memset(gains, 0, (size_t)(8 * count * pages.count));
        for (Py_ssize_t at = 0; !outcome && at < count; at++)
            outcome = add_pair(&index, PyList_GET_ITEM(pairs, at), gains + at * pages.count);
    }
    if (index.known > 0)
        close_fields(fields, index.known);
    PyBuffer_Release(&pages.view);
    if (outcome)
        Py_CLEAR(found);
    return outcome > 0 ? Py_NewRef(Py_None) : found;
}
