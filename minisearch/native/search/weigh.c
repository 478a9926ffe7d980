/* Weighing: what a term is worth on pages, by BM25 in each field, the fields of a page added up.
 *
 * The same with numpy, to the last bit: minisearch/search/occurrences.py, and what it means: minisearch/search/bm25.py
 */
#include "native.h"

enum { MOST_FIELDS = 8 };

typedef struct {
    Array counts, lengths; /* by posting, how often the term is there; and by page, how many words are */
    double b, average, weight;
} Field;

static inline double
number_at(const Array *array, Py_ssize_t place)
{
    const void *numbers = array->view.buf;
    switch (array->kind) {
    case 'B':
        return ((const uint8_t *)numbers)[place];
    case 'H':
        return ((const uint16_t *)numbers)[place];
    case 'I':
        return ((const uint32_t *)numbers)[place];
    default:
        return (double)((const int64_t *)numbers)[place];
    }
}

/* What a term is worth on a page, by one of its postings. */
static inline double
worth_of(const Field *fields, int known, double k1, Py_ssize_t posting, Py_ssize_t page)
{
    double worth = 0.0;
    for (const Field *field = fields; field < fields + known; field++) {
        double count = number_at(&field->counts, posting);
        if (count == 0.0)
            continue;
        double norm = k1;
        if (field->average != 0.0)
            norm = (field->b * number_at(&field->lengths, page) / field->average + (1 - field->b)) * k1;
        worth += count * (k1 + 1) / (count + norm) * field->weight;
    }
    return worth;
}

/* Add what a term is worth on each of its pages, `docs`; or on those that are among `some`, to the worth of these. */
static void
weigh_all(double *worth, const Array *some, const Array *docs, const Field *fields, int known, double k1)
{
    const int32_t *pages = docs->view.buf, *wanted = some ? some->view.buf : NULL;
    if (!some)
        for (Py_ssize_t posting = 0; posting < docs->count; posting++)
            worth[pages[posting]] += worth_of(fields, known, k1, posting, pages[posting]);
    else
        for (Py_ssize_t place = 0, at = 0; place < some->count && at < docs->count; place++) {
            if (pages[at] < wanted[place])
                at = seek(pages, at, docs->count, wanted[place]);
            if (at < docs->count && pages[at] == wanted[place])
                worth[place] += worth_of(fields, known, k1, at, wanted[place]);
        }
}

static void
close_fields(Field *fields, int known)
{
    while (known--) {
        PyBuffer_Release(&fields[known].counts.view);
        PyBuffer_Release(&fields[known].lengths.view);
    }
}

/* Read (counts, lengths, b, average, weight) of each field; how many there are, or -1. */
static int
open_fields(PyObject *told, Field *fields)
{
    int known = 0;
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(told); at++) {
        PyObject *one = PyList_GET_ITEM(told, at), *counts, *lengths;
        Field *field = &fields[known];
        if (at == MOST_FIELDS || !PyTuple_Check(one))
            PyErr_SetString(PyExc_TypeError, "a few tuples were expected");
        else if (PyArg_ParseTuple(one, "OOddd", &counts, &lengths, &field->b, &field->average, &field->weight) &&
                 !array_open(counts, "BHq", &field->counts)) {
            if (!array_open(lengths, "BHIq", &field->lengths)) {
                known++;
                continue;
            }
            PyBuffer_Release(&field->counts.view);
        }
        close_fields(fields, known);
        return -1;
    }
    return known;
}

/* Whether no page is looked for where there is none. */
static int
fits(const Array *worth, const Array *some, const Array *docs, const Field *fields, int known)
{
    Py_ssize_t most = some ? PY_SSIZE_T_MAX : worth->count;
    int good = !some || some->count == worth->count;
    for (int at = 0; at < known; at++) {
        good &= fields[at].counts.count == docs->count;
        most = fields[at].lengths.count < most ? fields[at].lengths.count : most;
    }
    return good && is_rising(docs->view.buf, docs->count, most) &&
           (!some || is_rising(some->view.buf, some->count, PY_SSIZE_T_MAX));
}

PyObject *
weigh(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *given[3], *told, *done = NULL;
    double k1;
    if (!PyArg_ParseTuple(args, "OOOO!d:weigh", &given[0], &given[1], &given[2], &PyList_Type, &told, &k1))
        return NULL;
    Array worth, some, docs;
    Field fields[MOST_FIELDS + 1];
    int all = given[1] == Py_None;
    if (array_open(given[0], "d", &worth))
        return NULL;
    if (worth.view.readonly) {
        PyErr_SetString(PyExc_TypeError, "what is worth something cannot be changed");
        goto close_worth;
    }
    if (!all && array_open(given[1], "i", &some))
        goto close_worth;
    if (array_open(given[2], "i", &docs))
        goto close_some;
    int known = open_fields(told, fields);
    if (known < 0)
        goto close_docs;
    if (fits(&worth, all ? NULL : &some, &docs, fields, known)) {
        weigh_all(worth.view.buf, all ? NULL : &some, &docs, fields, known, k1);
        done = Py_None;
        Py_INCREF(done);
    }
    else
        PyErr_SetString(PyExc_ValueError, "a page that is not there, or out of order");
    close_fields(fields, known);
close_docs:
    PyBuffer_Release(&docs.view);
close_some:
    if (!all)
        PyBuffer_Release(&some.view);
close_worth:
    PyBuffer_Release(&worth.view);
    return done;
}
