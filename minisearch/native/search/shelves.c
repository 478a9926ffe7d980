/* Shelves: the numbers that pages of one list have in another, and what is known of them.
 *
 * The same with numpy: minisearch/search/shelves.py, and `_of_pages` in minisearch/search/snapshot.py
 */
#include "native.h"

enum { NONE = -1, MOST = 1 << 28 }; /* a page beyond that is too far off to make room for all before it */

static inline int64_t
page_at(const Array *pages, Py_ssize_t place)
{
    return pages->kind == 'I' ? ((const uint32_t *)pages->view.buf)[place] : ((const int64_t *)pages->view.buf)[place];
}

/* The largest page, or one that is too large. */
static int64_t
last_of(const Array *pages)
{
    int64_t last = 0;
    for (Py_ssize_t place = 0; place < pages->count; place++) {
        int64_t page = page_at(pages, place);
        if (page < 0 || page > MOST)
            return MOST + 1;
        last = page > last ? page : last;
    }
    return last;
}

PyObject *
numbered(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *all, *some, *found = NULL;
    Array known, asked;
    if (!PyArg_ParseTuple(args, "OO:numbered", &all, &some) || array_open(all, "Iq", &known))
        return NULL;
    if (array_open(some, "Iq", &asked)) {
        PyBuffer_Release(&known.view);
        return NULL;
    }
    int64_t last = last_of(&known);
    int32_t *numbers = last <= MOST && known.count <= MOST ? PyMem_New(int32_t, (size_t)last + 1) : NULL;
    if (last > MOST || known.count > MOST)
        PyErr_SetString(PyExc_OverflowError, "a page that is too far off");
    else if (!numbers)
        PyErr_NoMemory();
    else if ((found = PyBytes_FromStringAndSize(NULL, asked.count * (Py_ssize_t)sizeof(int32_t)))) {
        memset(numbers, 0xff, ((size_t)last + 1) * sizeof(int32_t)); /* NONE for all */
        for (Py_ssize_t place = 0; place < known.count; place++)
            numbers[page_at(&known, place)] = (int32_t)place;
        for (Py_ssize_t place = 0; place < asked.count; place++) {
            int64_t page = page_at(&asked, place);
            ((int32_t *)PyBytes_AS_STRING(found))[place] = page >= 0 && page <= last ? numbers[page] : NONE;
        }
    }
    PyMem_Free(numbers);
    PyBuffer_Release(&known.view);
    PyBuffer_Release(&asked.view);
    return found;
}

PyObject *
spread(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *where, *what, *found = NULL;
    Py_ssize_t size;
    Array numbers, values;
    if (!PyArg_ParseTuple(args, "nOO:spread", &size, &where, &what) || array_open(where, "i", &numbers))
        return NULL;
    if (array_open(what, "BHI", &values)) {
        PyBuffer_Release(&numbers.view);
        return NULL;
    }
    Py_ssize_t width = values.view.itemsize;
    if (size < 0 || size > MOST || values.count != numbers.count)
        PyErr_SetString(PyExc_ValueError, "too short or too long");
    else if ((found = PyBytes_FromStringAndSize(NULL, size * width))) {
        void *row = PyBytes_AS_STRING(found);
        memset(row, 0, (size_t)(size * width));
        for (Py_ssize_t place = 0; place < numbers.count; place++) {
            int32_t page = ((const int32_t *)numbers.view.buf)[place];
            if (page < 0 || page >= size)
                continue;
            if (width == 1)
                ((uint8_t *)row)[page] = ((const uint8_t *)values.view.buf)[place];
            else if (width == 2)
                ((uint16_t *)row)[page] = ((const uint16_t *)values.view.buf)[place];
            else
                ((uint32_t *)row)[page] = ((const uint32_t *)values.view.buf)[place];
        }
    }
    PyBuffer_Release(&numbers.view);
    PyBuffer_Release(&values.view);
    return found;
}

/* What is known of some pages, by their ids; NaN beyond the end. */
PyObject *
picked(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *all, *some, *found = NULL;
    Array values, pages;
    if (!PyArg_ParseTuple(args, "OO:picked", &all, &some) || array_open(all, "d", &values))
        return NULL;
    if (!array_open(some, "Iq", &pages)) {
        if (pages.count <= MOST && (found = PyByteArray_FromStringAndSize(NULL, 8 * pages.count))) {
            double *row = (double *)PyByteArray_AS_STRING(found);
            const double *known = values.view.buf;
            for (Py_ssize_t place = 0; place < pages.count; place++) {
                int64_t page = page_at(&pages, place);
                row[place] = page >= 0 && page < values.count ? known[page] : Py_NAN;
            }
        }
        else if (!found)
            PyErr_NoMemory();
        PyBuffer_Release(&pages.view);
    }
    PyBuffer_Release(&values.view);
    return found;
}

/* What some numbers add up to. */
PyObject *
total(PyObject *Py_UNUSED(module), PyObject *numbers)
{
    Array row;
    if (array_open(numbers, "BHI", &row))
        return NULL;
    uint64_t sum = places_between(&row, 0, row.count);
    PyBuffer_Release(&row.view);
    return PyLong_FromUnsignedLongLong(sum);
}
