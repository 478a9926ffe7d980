/* Precedents: the verdicts on the urls of a page that were judged before, as most were.
 *
 * The same in Python: known_verdicts in minisearch/crawl/precedents.py
 */
#include "native.h"

enum { FOUND_HOST = 1, FOUND_SIZE = 6 }; /* places of what is found (minisearch/records.py): first comes the url */

/* Folders whose urls are let in: of each its host and the parts of its path. What is found there is like `like`. */
typedef struct {
    PyObject *known, *like;
    Py_ssize_t longest, room; /* that a url may be, and for how many what is told of them is to be known next time */
} Folders;

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

/* Whether a part of a url stands among some. */
static int
is_among(PyObject *parts, PyObject *url, Py_ssize_t begin, Py_ssize_t end)
{
    PyObject *part = PyUnicode_Substring(url, begin, end);
    int is = part ? PySet_Contains(parts, part) : -1;
    Py_XDECREF(part);
    return is;
}

/* The host of a url that lies in a folder whose urls are let in, borrowed, if nothing speaks against it alone. */
static PyObject *
let_in(PyObject *url, PyObject *folders, Py_ssize_t longest)
{
    if (!PyUnicode_Check(url) || PyUnicode_GET_LENGTH(url) > longest)
        return NULL;
    Py_ssize_t end = PyUnicode_GET_LENGTH(url), slash = PyUnicode_FindChar(url, '/', 0, end, -1);
    if (slash < 0 || PyUnicode_FindChar(url, '?', slash, end, 1) != -1)
        return NULL;
    PyObject *front = PyUnicode_Substring(url, 0, slash);
    PyObject *known = front ? PyDict_GetItemWithError(folders, front) : NULL;
    Py_XDECREF(front);
    if (!known)
        return NULL;
    if (!PyTuple_Check(known) || PyTuple_GET_SIZE(known) != 2 || !PyAnySet_Check(PyTuple_GET_ITEM(known, 1))) {
        PyErr_SetString(PyExc_TypeError, "of a folder its host and its parts are known");
        return NULL;
    }
    return is_among(PyTuple_GET_ITEM(known, 1), url, slash + 1, end) ? NULL : PyTuple_GET_ITEM(known, 0);
}

/* What is found of a url that is let in. */
static PyObject *
found_there(PyObject *like, PyObject *url, PyObject *host)
{
    PyObject *values[FOUND_SIZE] = {url, host};
    for (Py_ssize_t i = FOUND_HOST + 1; i < FOUND_SIZE; i++)
        values[i] = PyTuple_GET_ITEM(like, i);
    return record_of(Py_TYPE(like), values, FOUND_SIZE);
}

/* The verdict on a url that is known, or that is let in like others of its folder; NULL without an error: there is none. */
static PyObject *
verdict_on(PyObject *url, PyObject *follow, PyObject *known, Folders *folders)
{
    PyObject *verdict = PyDict_GetItemWithError(known, url), *host;
    if (verdict || PyErr_Occurred())
        return Py_XNewRef(verdict);
    host = follow == Py_True ? let_in(url, folders->known, folders->longest) : NULL;
    verdict = host ? found_there(folders->like, url, host) : NULL;
    if (verdict && folders->room-- > 0 && PyDict_SetItem(known, url, verdict))
        Py_CLEAR(verdict);
    return verdict;
}

/* Append a verdict, or the url itself if there is none, and note then in which place, and whether it may be followed. */
static int
tell(PyObject *url, PyObject *follow, PyObject *known, Folders *folders, PyObject *found, PyObject *unknown)
{
    PyObject *verdict = verdict_on(url, follow, known, folders);
    if (!verdict && PyErr_Occurred())
        return -1;
    if (!verdict) {
        PyObject *place = Py_BuildValue("nO", PyList_GET_SIZE(found), follow);
        int failed = !place || PyList_Append(unknown, place);
        Py_XDECREF(place);
        if (failed)
            return -1;
    }
    int failed = PyList_Append(found, verdict ? verdict : url);
    Py_XDECREF(verdict);
    return failed;
}

/* The verdicts on the urls that some links lead to, each once, and on one more if it is not empty. */
PyObject *
known_verdicts(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *links, *followed, *shunned, *also, *url, *follow, *told = NULL;
    Folders folders;
    if (!PyArg_ParseTuple(arguments, "O!O!O!UO!nnO:known_verdicts", &PyTuple_Type, &links, &PyDict_Type, &followed,
                          &PyDict_Type, &shunned, &also, &PyDict_Type, &folders.known, &folders.longest,
                          &folders.room, &folders.like))
        return NULL;
    if (!PyTuple_Check(folders.like) || PyTuple_GET_SIZE(folders.like) != FOUND_SIZE)
        return PyErr_Format(PyExc_TypeError, "what is found is a tuple of %d", FOUND_SIZE);
    PyObject *met = PyDict_New(), *found = PyList_New(0), *unknown = PyList_New(0);
    int failed = !met || !found || !unknown || note_all(met, links) ||
                 (PyUnicode_GET_LENGTH(also) && note(met, also, 1));
    for (Py_ssize_t at = 0; !failed && PyDict_Next(met, &at, &url, &follow);)
        failed = tell(url, follow, follow == Py_True ? followed : shunned, &folders, found, unknown);
    if (!failed)
        told = PyTuple_Pack(2, found, unknown);
    Py_XDECREF(met);
    Py_XDECREF(found);
    Py_XDECREF(unknown);
    return told;
}
