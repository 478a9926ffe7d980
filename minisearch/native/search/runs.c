/* Runs: which matches of a text that stand close together may be worth showing.
 *
 * The same in Python: minisearch/search/runs.py
 */
#include "native.h"

enum { BESIDE = 2 };              /* letters between words that stand side by side */
static const double SCRAP = 0.75; /* what a run is worth at least, wherever it stands */

/* Which words a match is, and how many matches of the run are just these. */
typedef struct {
    uint64_t words;
    Py_ssize_t count;
} Kind;

typedef struct {
    int64_t start, end;
    Py_ssize_t kind;
} Met;

typedef struct {
    Met *met;
    Py_ssize_t count;
    Kind *kinds; /* different ones among the matches */
    Py_ssize_t different;
} Matches;

static int
read_match(PyObject *told, Matches *matches)
{
    long long start, end;
    unsigned long long words;
    if (!PyTuple_Check(told) || PyTuple_GET_SIZE(told) != 3) {
        PyErr_SetString(PyExc_TypeError, "a match is a tuple of three numbers");
        return -1;
    }
    start = PyLong_AsLongLong(PyTuple_GET_ITEM(told, 0));
    end = PyErr_Occurred() ? 0 : PyLong_AsLongLong(PyTuple_GET_ITEM(told, 1));
    words = PyErr_Occurred() ? 0 : PyLong_AsUnsignedLongLong(PyTuple_GET_ITEM(told, 2));
    if (PyErr_Occurred())
        return -1;
    if (start < 0 || end < start || end > INT32_MAX) {
        PyErr_SetString(PyExc_OverflowError, "a place that no text has");
        return -1;
    }
    Py_ssize_t kind = 0;
    while (kind < matches->different && matches->kinds[kind].words != words)
        kind++;
    if (kind == matches->different)
        matches->kinds[matches->different++] = (Kind){words, 0};
    matches->met[matches->count++] = (Met){start, end, kind};
    return 0;
}

/* What some words are worth together, as they say who weigh them: -1 and an error if they do not. */
static double
worth_of(PyObject *weigh, uint64_t words)
{
    PyObject *number = PyLong_FromUnsignedLongLong(words), *told = number ? PyObject_CallOneArg(weigh, number) : NULL;
    double worth = told ? PyFloat_AsDouble(told) : -1.0;
    Py_XDECREF(number);
    Py_XDECREF(told);
    return worth;
}

/* Go through all matches, and add to a list (worth, minus the last match, the first, words) of each run that may be
 * the best: 0, or -1 and an error.
 */
static int
go(const Matches *matches, PyObject *weigh, double width, double least, double sure, PyObject *found)
{
    const Met *met = matches->met;
    Py_ssize_t first = 0, neighbours = 0;
    int64_t before = -BESIDE - 1;
    uint64_t words = 0;
    double different = 0.0;
    for (Py_ssize_t last = 0; last < matches->count; last++) {
        int changed = !matches->kinds[met[last].kind].count++;
        neighbours += met[last].start - before <= BESIDE;
        before = met[last].end;
        for (; (double)(met[last].end - met[first].start) > width && first < last; first++) {
            changed |= !--matches->kinds[met[first].kind].count;
            neighbours -= met[first + 1].start - met[first].end <= BESIDE;
        }
        if (changed) {
            words = 0;
            for (Py_ssize_t kind = 0; kind < matches->different; kind++)
                words |= matches->kinds[kind].count ? matches->kinds[kind].words : 0;
            different = worth_of(weigh, words);
            if (different == -1.0 && PyErr_Occurred())
                return -1;
        }
        double more = (double)(last - first + 2 * neighbours), worth = different + least * more / (more + 4);
        if (!(worth > sure))
            continue;
        PyObject *chance = Py_BuildValue("dnnK", worth, -last, first, (unsigned long long)words);
        int bad = !chance || PyList_Append(found, chance);
        Py_XDECREF(chance);
        if (bad)
            return -1;
        sure = worth * SCRAP > sure ? worth * SCRAP : sure;
    }
    return 0;
}

PyObject *
chances(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *told, *weigh, *found = NULL;
    double width, least, sure;
    if (!PyArg_ParseTuple(args, "O!Oddd:chances", &PyList_Type, &told, &weigh, &width, &least, &sure))
        return NULL;
    size_t room = (size_t)PyList_GET_SIZE(told) + 1;
    Matches matches = {PyMem_New(Met, room), 0, PyMem_New(Kind, room), 0};
    int bad = !matches.met || !matches.kinds;
    if (bad)
        PyErr_NoMemory();
    while (!bad && (size_t)matches.count + 1 < room && matches.count < PyList_GET_SIZE(told))
        bad = read_match(PyList_GET_ITEM(told, matches.count), &matches);
    if (!bad && (found = PyList_New(0)) && go(&matches, weigh, width, least, sure, found))
        Py_CLEAR(found);
    PyMem_Free(matches.met);
    PyMem_Free(matches.kinds);
    return found;
}
