/* Judging: the verdicts on the urls of a page that were judged before, as most were.
 *
 * The same in Python: known_verdicts in minisearch/crawl/judging.py
 */
#include "native.h"

/* Note that a url is met, and whether it may be followed, as it may if one of the links there may be. */
static int
note(PyObject *met, PyObject *url, int followed)
{
    PyObject *known = PyDict_SetDefault(met, url, followed ? Py_True : Py_False);
    if (!known)
        return -1;
    return followed && known == Py_False ? PyDict_SetItem(met, url, Py_True) : 0;
}

static int
note_all(PyObject *met, PyObject *links)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(links); i++) {
        PyObject *link = PyTuple_GET_ITEM(links, i);
        if (!PyTuple_Check(link) || PyTuple_GET_SIZE(link) != 3) {
            PyErr_SetString(PyExc_TypeError, "a link is a tuple of three");
            return -1;
        }
        int shunned = PyObject_IsTrue(PyTuple_GET_ITEM(link, 2));
        if (shunned < 0 || note(met, PyTuple_GET_ITEM(link, 0), !shunned))
            return -1;
    }
    return 0;
}

/* Append a verdict, or the url itself if there is none, and note then in which place, and whether it may be followed. */
static int
tell(PyObject *url, PyObject *followed, PyObject *known, PyObject *found, PyObject *unknown)
{
    PyObject *verdict = PyDict_GetItemWithError(known, url);
    if (!verdict && PyErr_Occurred())
        return -1;
    if (!verdict) {
        PyObject *place = Py_BuildValue("nO", PyList_GET_SIZE(found), followed);
        int failed = !place || PyList_Append(unknown, place);
        Py_XDECREF(place);
        if (failed)
            return -1;
    }
    return PyList_Append(found, verdict ? verdict : url);
}

/* The verdicts on the urls that some links lead to, each once, and on one more if it is not empty. */
PyObject *
known_verdicts(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *links, *followed, *shunned, *also, *url, *follow, *told = NULL;
    if (!PyArg_ParseTuple(arguments, "O!O!O!U:known_verdicts", &PyTuple_Type, &links, &PyDict_Type, &followed,
                          &PyDict_Type, &shunned, &also))
        return NULL;
    PyObject *met = PyDict_New(), *found = PyList_New(0), *unknown = PyList_New(0);
    int failed = !met || !found || !unknown || note_all(met, links) ||
                 (PyUnicode_GET_LENGTH(also) && note(met, also, 1));
    for (Py_ssize_t at = 0; !failed && PyDict_Next(met, &at, &url, &follow);)
        failed = tell(url, follow, follow == Py_True ? followed : shunned, found, unknown);
    if (!failed)
        told = PyTuple_Pack(2, found, unknown);
    Py_XDECREF(met);
    Py_XDECREF(found);
    Py_XDECREF(unknown);
    return told;
}
