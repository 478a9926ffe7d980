/* The first pages: read what is told of the words of a query, and tell which pages they are worth most on.
 *
 * How these are chosen: choosing.c. The same with numpy: minisearch/search/scoring.py
 */
#include "first.h"
#include <math.h>

static int
refused(void)
{
    PyErr_SetString(PyExc_ValueError, "a page that is not there, or out of order");
    return -1;
}

/* How many blocks so many pages are. */
static inline Py_ssize_t
blocks_of(Py_ssize_t size)
{
    return size / BLOCK + (size % BLOCK > 0);
}

/* See to it that the tops of a word are known, if they are needed. */
static int
know_tops(const Search *search, Word *word, PyObject *told)
{
    Py_ssize_t blocks = blocks_of(search->size);
    if (!search->tops)
        return 0;
    if (told == Py_None)
        word->tops = tops_of(blocks, word->everywhere ? NULL : word->docs.view.buf, &word->worth);
    else if (PyBytes_Check(told) && PyBytes_GET_SIZE(told) == blocks * (Py_ssize_t)sizeof(double)) {
        word->tops = told;
        Py_INCREF(told);
    }
    else
        return refused();
    return word->tops ? 0 : -1;
}

/* Read a word: (pages or None, what it is worth on each, the share of it that counts, tops or None). */
static int
open_word(Search *search, PyObject *told)
{
    PyObject *pages, *worths, *tops;
    Word *word = &search->words[search->known];
    if (!PyTuple_Check(told)) {
        PyErr_SetString(PyExc_TypeError, "a word is a tuple");
        return -1;
    }
    if (!PyArg_ParseTuple(told, "OOdO", &pages, &worths, &word->share, &tops) ||
        array_open(worths, "d", &word->worth))
        return -1;
    word->everywhere = pages == Py_None;
    if (!word->everywhere && array_open(pages, "i", &word->docs)) {
        PyBuffer_Release(&word->worth.view);
        return -1;
    }
    search->known++;
    int good = word->everywhere ? word->worth.count == search->size
                                : word->worth.count == word->docs.count &&
                                      is_rising(word->docs.view.buf, word->docs.count, search->size);
    return good ? know_tops(search, word, tops) : refused();
}

/* The pages that were chosen, and their text scores: two arrays. */
static PyObject *
as_arrays(const Search *search)
{
    PyObject *pages = PyBytes_FromStringAndSize(NULL, search->found * (Py_ssize_t)sizeof(int32_t));
    PyObject *texts = PyBytes_FromStringAndSize(NULL, search->found * (Py_ssize_t)sizeof(double));
    if (!pages || !texts) {
        Py_XDECREF(pages);
        Py_XDECREF(texts);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < search->found; i++) {
        ((int32_t *)PyBytes_AS_STRING(pages))[i] = search->chosen[i].page;
        ((double *)PyBytes_AS_STRING(texts))[i] = search->chosen[i].text;
    }
    return Py_BuildValue("NN", pages, texts);
}

/* The same as a list: (page, score, text score, link factor, score without what is due to rounding, has all words). */
static PyObject *
as_list(const Search *search)
{
    PyObject *found = PyList_New(search->found);
    for (Py_ssize_t i = 0; found && i < search->found; i++) {
        const Chosen *one = &search->chosen[i];
        PyObject *row = Py_BuildValue("iddddO", one->page, one->worth, one->text, search->factor[one->page],
                                      rint(one->worth * 1e9) / 1e9, one->full ? Py_True : Py_False);
        if (row)
            PyList_SET_ITEM(found, i, row);
        else
            Py_CLEAR(found);
    }
    return found;
}

/* Search as the arguments say, and tell what was found in one way or the other. */
static PyObject *
found_by(PyObject *args, PyObject *(*told)(const Search *))
{
    PyObject *given[4], *tops, *words, *found = NULL;
    Py_ssize_t count;
    if (!PyArg_ParseTuple(args, "OOOOOnO!", &given[0], &given[1], &given[2], &tops, &given[3], &count, &PyList_Type,
                          &words))
        return NULL;
    if (count < 1)
        return PyErr_Format(PyExc_ValueError, "at least one page is asked for");
    static const char *const kinds[] = {"?", "?", "d", "i"}; /* matched, complete, factor, best */
    Array arrays[4];
    int opened = 0, all = given[3] == Py_None;
    while (opened < 4 - all && !array_open(given[opened], kinds[opened], &arrays[opened]))
        opened++;
    Search search = {0};
    if (opened == 4 - all) {
        search.size = arrays[0].count;
        search.matched = arrays[0].view.buf;
        search.complete = arrays[1].view.buf;
        search.factor = arrays[2].view.buf;
        search.list = all ? NULL : arrays[3].view.buf;
        search.count = arrays[all ? 0 : 3].count;
        Py_ssize_t told_of = PyList_GET_SIZE(words);
        int bad = arrays[1].count != search.size || arrays[2].count != search.size || search.size > INT32_MAX ||
                  (search.list && !is_rising(search.list, search.count, search.size)) ||
                  (tops != Py_None && !(PyBytes_Check(tops) && PyBytes_GET_SIZE(tops) == blocks_of(search.size) *
                                                                                           (Py_ssize_t)sizeof(double)));
        if (tops != Py_None && !bad)
            search.tops = (double *)PyBytes_AS_STRING(tops);
        if (bad)
            refused();
        else if (!(search.words = PyMem_Calloc((size_t)told_of + 1, sizeof(Word))))
            PyErr_NoMemory();
        else {
            while (!bad && search.known < told_of)
                bad = open_word(&search, PyList_GET_ITEM(words, search.known));
            if (!bad && !choose_first(&search, count))
                found = told(&search);
        }
    }
    for (Py_ssize_t word = 0; word < search.known; word++) {
        PyBuffer_Release(&search.words[word].worth.view);
        if (!search.words[word].everywhere)
            PyBuffer_Release(&search.words[word].docs.view);
        Py_XDECREF(search.words[word].tops);
    }
    PyMem_Free(search.words);
    PyMem_Free(search.heap);
    PyMem_Free(search.chosen);
    while (opened--)
        PyBuffer_Release(&arrays[opened].view);
    return found;
}

PyObject *
first_pages(PyObject *Py_UNUSED(module), PyObject *args)
{
    return found_by(args, as_arrays);
}

PyObject *
first_rows(PyObject *Py_UNUSED(module), PyObject *args)
{
    return found_by(args, as_list);
}

PyObject *
tops(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *some, *what, *found = NULL;
    Py_ssize_t size;
    Array pages, values;
    if (!PyArg_ParseTuple(args, "nOO:tops", &size, &some, &what) || array_open(what, "d", &values))
        return NULL;
    int all = some == Py_None;
    if (all || !array_open(some, "i", &pages)) {
        int good = all ? values.count == size
                       : values.count == pages.count && is_rising(pages.view.buf, pages.count, size);
        if (good)
            found = tops_of(blocks_of(size), all ? NULL : pages.view.buf, &values);
        else
            refused();
        if (!all)
            PyBuffer_Release(&pages.view);
    }
    PyBuffer_Release(&values.view);
    return found;
}
