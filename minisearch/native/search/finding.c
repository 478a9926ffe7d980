/* Finding: the first places of some letters in a text, and which words stand at places.
 *
 * The same in Python: minisearch/search/finding.py
 */
#include "native.h"

PyObject *
find_all(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *text, *sought, *found;
    Py_ssize_t most;
    if (!PyArg_ParseTuple(args, "SSn:find_all", &text, &sought, &most))
        return NULL;
    const char *bytes = PyBytes_AS_STRING(text), *wanted = PyBytes_AS_STRING(sought), *at = bytes;
    Py_ssize_t width = PyBytes_GET_SIZE(sought);
    const char *last = bytes + PyBytes_GET_SIZE(text) - width; /* where it may stand at the latest */
    /* Words are sought with a blank before them: the second letter is rarer than that. */
    Py_ssize_t rare = width > 1;
    found = PyList_New(0);
    while (found && PyList_GET_SIZE(found) < most && last >= at) {
        const char *here = width ? memchr(at + rare, wanted[rare], (size_t)(last - at) + 1) : at;
        if (!here)
            break;
        at = here - rare + 1;
        if (memcmp(here - rare, wanted, (size_t)width))
            continue;
        PyObject *place = PyLong_FromSsize_t(here - rare - bytes);
        if (!place || PyList_Append(found, place))
            Py_CLEAR(found);
        Py_XDECREF(place);
    }
    return found;
}

/* The match of the word at a place, if it matches: added to a list. Blanks stand one place further right in `lowered`
 * than in `plain`. 0, or -1 and an error.
 */
static int
match_at(PyObject *plain, PyObject *lowered, Py_ssize_t place, PyObject *known, Py_ssize_t low, PyObject *matches)
{
    Py_ssize_t size = PyBytes_GET_SIZE(plain);
    const char *bytes = PyBytes_AS_STRING(lowered);
    const char *blank = memchr(bytes + place + 1, ' ', (size_t)(PyBytes_GET_SIZE(lowered) - place - 1));
    Py_ssize_t end = blank ? blank - bytes - 1 : size;
    end = end < place ? place : end > size ? size : end;
    PyObject *word = PyBytes_FromStringAndSize(PyBytes_AS_STRING(plain) + place, end - place);
    PyObject *matching = word ? PyObject_GetItem(known, word) : NULL, *match = NULL;
    int has = matching ? PyObject_IsTrue(matching) : -1, bad = has < 0;
    if (has > 0) {
        match = Py_BuildValue("nnO", low + place, low + end, matching);
        bad = !match || PyList_Append(matches, match);
    }
    Py_XDECREF(word);
    Py_XDECREF(matching);
    Py_XDECREF(match);
    return bad ? -1 : 0;
}

PyObject *
words_at(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *plain, *lowered, *places, *known;
    Py_ssize_t low;
    if (!PyArg_ParseTuple(args, "SSO!On:words_at", &plain, &lowered, &PyList_Type, &places, &known, &low))
        return NULL;
    PyObject *matches = PyList_New(0);
    for (Py_ssize_t at = 0; matches && at < PyList_GET_SIZE(places); at++) {
        Py_ssize_t place = PyLong_AsSsize_t(PyList_GET_ITEM(places, at));
        int bad = place == -1 && PyErr_Occurred();
        if (!bad && (place < 0 || place > PyBytes_GET_SIZE(plain) || place >= PyBytes_GET_SIZE(lowered))) {
            PyErr_SetString(PyExc_ValueError, "a place that the text has not");
            bad = 1;
        }
        if (bad || match_at(plain, lowered, place, known, low, matches))
            Py_CLEAR(matches);
    }
    return matches;
}
