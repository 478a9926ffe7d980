/* Judging: the verdicts on the urls of a page that were judged before, as most were.
 *
 * The same in Python: known_verdicts in minisearch/crawl/judging.py
 */
#include "native.h"

/* Take in a url unless it was met before: its verdict, or the url itself if there is none, whose place is noted then. */
static int
take(PyObject *url, PyObject *met, PyObject *known, PyObject *found, PyObject *unknown)
{
    Py_ssize_t before = PySet_GET_SIZE(met);
    if (PySet_Add(met, url))
        return -1;
    if (PySet_GET_SIZE(met) == before)
        return 0;
    PyObject *verdict = PyDict_GetItemWithError(known, url);
    if (!verdict && PyErr_Occurred())
        return -1;
    if (!verdict) {
        PyObject *place = PyLong_FromSsize_t(PyList_GET_SIZE(found));
        int failed = !place || PyList_Append(unknown, place);
        Py_XDECREF(place);
        if (failed)
            return -1;
    }
    return PyList_Append(found, verdict ? verdict : url);
}

/* The verdicts on the urls of some links, each once, and on one more if it is not empty; None if one is shunned. */
PyObject *
known_verdicts(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *links, *known, *also;
    if (!PyArg_ParseTuple(arguments, "O!O!U:known_verdicts", &PyTuple_Type, &links, &PyDict_Type, &known, &also))
        return NULL;
    PyObject *met = PySet_New(NULL), *found = PyList_New(0), *unknown = PyList_New(0), *told = NULL;
    int failed = !met || !found || !unknown, shunned = 0;
    for (Py_ssize_t i = 0; !failed && !shunned && i < PyTuple_GET_SIZE(links); i++) {
        PyObject *link = PyTuple_GET_ITEM(links, i);
        if (!PyTuple_Check(link) || PyTuple_GET_SIZE(link) != 3) {
            PyErr_SetString(PyExc_TypeError, "a link is a tuple of three");
            failed = 1;
            break;
        }
        shunned = PyObject_IsTrue(PyTuple_GET_ITEM(link, 2));
        if (!shunned)
            failed = take(PyTuple_GET_ITEM(link, 0), met, known, found, unknown);
        else if (shunned < 0)
            failed = 1;
    }
    if (!failed && !shunned && PyUnicode_GET_LENGTH(also))
        failed = take(also, met, known, found, unknown);
    if (!failed)
        told = shunned ? Py_NewRef(Py_None) : PyTuple_Pack(2, found, unknown);
    Py_XDECREF(met);
    Py_XDECREF(found);
    Py_XDECREF(unknown);
    return told;
}
