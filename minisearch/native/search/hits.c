/* Hits: made of what is known of the pages found, where no passage of them is shown; and what pages gain by words that
 * stand side by side, where that is known.
 *
 * The same in Python: minisearch/search/made.py, minisearch/search/neighbours.py
 */
#include "native.h"

enum { FIELDS = 14, OF_PAGE = 5, OF_ROW = 6 };

/* A hit: its fields by the order that it has them in. `page` and `row` are what is known of it. */
static PyObject *
one_hit(PyTypeObject *kind, PyObject *slots, PyObject *const *page, PyObject *row, PyObject *similar, PyObject *nothing)
{
    PyObject *url = page[0], *empty = PyTuple_New(0), *blank = PyUnicode_New(0, 0), *place = NULL, *made = NULL;
    Py_ssize_t hash = PyUnicode_FindChar(url, '#', 0, PyUnicode_GET_LENGTH(url), 1);
    if (hash >= -1)
        place = hash < 0 ? Py_NewRef(url) : PyUnicode_Substring(url, 0, hash);
    if (empty && blank && place && (made = kind->tp_alloc(kind, 0))) {
        PyObject *others = PyDict_GetItemWithError(similar, page[2]);
        PyObject *title = PyUnicode_GET_LENGTH(page[1]) ? page[1] : url;
        PyObject *fields[FIELDS] = {
            url, title, PyTuple_GET_ITEM(row, 1), PyTuple_GET_ITEM(row, 2), PyTuple_GET_ITEM(row, 3), blank, empty,
            page[2], PyTuple_GET_ITEM(row, 5), others ? others : nothing, blank, place, page[3], page[4],
        };
        int bad = PyErr_Occurred() != NULL;
        for (int field = 0; !bad && field < FIELDS; field++) {
            PyObject *slot = PyTuple_GET_ITEM(slots, field);
            bad = Py_TYPE(slot)->tp_descr_set(slot, made, fields[field]);
        }
        if (bad)
            Py_CLEAR(made);
    }
    Py_XDECREF(place);
    Py_XDECREF(empty);
    Py_XDECREF(blank);
    return made;
}

/* Read what is known of a page by the names of it: 0, or -1 and an error. */
static int
read_page(PyObject *page, PyObject *names, PyObject **values)
{
    int known = 0;
    while (known < OF_PAGE && (values[known] = PyObject_GetAttr(page, PyTuple_GET_ITEM(names, known))))
        known++;
    int good = known == OF_PAGE && PyUnicode_Check(values[0]) && PyUnicode_Check(values[1]);
    if (known == OF_PAGE && !good)
        PyErr_SetString(PyExc_TypeError, "a page has a url and a title");
    while (!good && known--)
        Py_DECREF(values[known]);
    return good ? 0 : -1;
}

PyObject *
hits(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyTypeObject *kind;
    PyObject *slots, *names, *found, *similar;
    if (!PyArg_ParseTuple(args, "O!O!O!O!O!:hits", &PyType_Type, &kind, &PyTuple_Type, &slots, &PyTuple_Type, &names,
                          &PyList_Type, &found, &PyDict_Type, &similar))
        return NULL;
    int good = PyTuple_GET_SIZE(slots) == FIELDS && PyTuple_GET_SIZE(names) == OF_PAGE;
    for (int field = 0; good && field < FIELDS; field++)
        good = Py_TYPE(PyTuple_GET_ITEM(slots, field))->tp_descr_set != NULL;
    if (!good)
        return PyErr_Format(PyExc_TypeError, "slots and names were expected");
    Py_ssize_t count = PyList_GET_SIZE(found);
    PyObject *made = PyTuple_New(count), *nothing = PyTuple_New(0);
    for (Py_ssize_t at = 0; made && nothing && at < count; at++) {
        PyObject *pair = PyList_GET_ITEM(found, at), *page[OF_PAGE], *hit = NULL;
        PyObject *row = PyTuple_Check(pair) && PyTuple_GET_SIZE(pair) == 2 ? PyTuple_GET_ITEM(pair, 1) : NULL;
        if (!row || !PyTuple_Check(row) || PyTuple_GET_SIZE(row) != OF_ROW)
            PyErr_SetString(PyExc_TypeError, "a page and a row were expected");
        else if (!read_page(PyTuple_GET_ITEM(pair, 0), names, page)) {
            hit = one_hit(kind, slots, page, row, similar, nothing);
            for (int field = 0; field < OF_PAGE; field++)
                Py_DECREF(page[field]);
        }
        if (hit)
            PyTuple_SET_ITEM(made, at, hit);
        else
            Py_CLEAR(made);
    }
    Py_XDECREF(nothing);
    return made;
}

/* Add to what pages gain what is known of one pair of words: 0; 1 if something is not known; -1: an error. */
static int
add_gains(PyObject *known, const Array *pages, double *sums, int first)
{
    for (Py_ssize_t at = 0; at < pages->count; at++) {
        int64_t page = pages->kind == 'i' ? ((int32_t *)pages->view.buf)[at] : ((int64_t *)pages->view.buf)[at];
        PyObject *number = PyLong_FromLongLong(page);
        PyObject *gain = number ? PyDict_GetItemWithError(known, number) : NULL;
        Py_XDECREF(number);
        if (!gain || !PyFloat_Check(gain))
            return PyErr_Occurred() ? -1 : 1;
        sums[at] = first ? PyFloat_AS_DOUBLE(gain) : sums[at] + PyFloat_AS_DOUBLE(gain);
    }
    return 0;
}

PyObject *
gained(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *known, *some;
    Array pages;
    if (!PyArg_ParseTuple(args, "O!O:gained", &PyList_Type, &known, &some) || array_open(some, "iq", &pages))
        return NULL;
    PyObject *found = PyBytes_FromStringAndSize(NULL, pages.count * (Py_ssize_t)sizeof(double));
    int lacking = found ? PyList_GET_SIZE(known) == 0 : -1;
    for (Py_ssize_t pair = 0; !lacking && pair < PyList_GET_SIZE(known); pair++) {
        PyObject *gains = PyList_GET_ITEM(known, pair);
        if (PyDict_Check(gains))
            lacking = add_gains(gains, &pages, (double *)PyBytes_AS_STRING(found), pair == 0);
        else {
            PyErr_SetString(PyExc_TypeError, "what pairs gain is told by page");
            lacking = -1;
        }
    }
    PyBuffer_Release(&pages.view);
    if (lacking)
        Py_CLEAR(found);
    return lacking > 0 ? Py_NewRef(Py_None) : found;
}
