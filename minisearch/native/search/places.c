/* Places: where those of some pages begin and end among all that a term has, from how often it stands on each page.
 *
 * The same with numpy: `Entry.places` in minisearch/search/entries.py
 */
#include "native.h"

/* How often a term stands on the pages from one posting to another, in one field; what any such numbers add up to. */
uint64_t
places_between(const Array *counts, Py_ssize_t from, Py_ssize_t to)
{
    const uint8_t *ones = counts->view.buf;
    const uint16_t *twos = counts->view.buf;
    const uint32_t *fours = counts->view.buf;
    const int64_t *eights = counts->view.buf;
    uint64_t sum = 0;
    if (counts->kind == 'B')
        for (; from < to; from++)
            sum += ones[from];
    else if (counts->kind == 'H')
        for (; from < to; from++)
            sum += twos[from];
    else if (counts->kind == 'I')
        for (; from < to; from++)
            sum += fours[from];
    else
        for (; from < to; from++)
            sum += (uint64_t)eights[from];
    return sum;
}

/* Add how many places of one field come before those of each of some postings, and up to their end. */
int
add_stretches(PyObject *told, const Array *wanted, uint64_t *begins, uint64_t *ends)
{
    Array counts;
    if (array_open(told, "BHq", &counts))
        return -1;
    const int64_t *postings = wanted->view.buf;
    int64_t at = 0;
    uint64_t sum = 0; /* which may come round again, if numbers are damaged */
    int good = 1;
    for (Py_ssize_t i = 0; i < wanted->count; i++) {
        good = postings[i] >= at && postings[i] < counts.count;
        if (!good)
            break;
        sum += places_between(&counts, at, postings[i]);
        at = postings[i];
        begins[i] += sum;
        ends[i] += sum + places_between(&counts, at, at + 1);
    }
    PyBuffer_Release(&counts.view);
    if (!good)
        PyErr_SetString(PyExc_ValueError, "a posting that is not there, or out of order");
    return good ? 0 : -1;
}

PyObject *
stretches(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *fields, *asked;
    Array wanted;
    if (!PyArg_ParseTuple(args, "O!O:stretches", &PyList_Type, &fields, &asked) || array_open(asked, "q", &wanted))
        return NULL;
    Py_ssize_t size = wanted.count * (Py_ssize_t)sizeof(int64_t);
    PyObject *begins = PyBytes_FromStringAndSize(NULL, size), *ends = PyBytes_FromStringAndSize(NULL, size);
    int good = begins && ends;
    if (good) {
        memset(PyBytes_AS_STRING(begins), 0, (size_t)size);
        memset(PyBytes_AS_STRING(ends), 0, (size_t)size);
    }
    for (Py_ssize_t field = 0; good && field < PyList_GET_SIZE(fields); field++)
        good = !add_stretches(PyList_GET_ITEM(fields, field), &wanted, (uint64_t *)PyBytes_AS_STRING(begins),
                          (uint64_t *)PyBytes_AS_STRING(ends));
    PyBuffer_Release(&wanted.view);
    if (good)
        return Py_BuildValue("NN", begins, ends);
    Py_XDECREF(begins);
    Py_XDECREF(ends);
    return NULL;
}
