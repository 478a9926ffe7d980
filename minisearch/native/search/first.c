/* The first pages: what the words of a query are worth on each page, added up, and the pages that are worth most.
 *
 * Pages are gone through once, some hundreds at a time, so that what was just added up need not be fetched again. The
 * best so far are in a heap (Williams, "Heapsort", 1964), which tells how good a page has to be.
 *
 * The same with numpy: minisearch/search/scoring.py
 */
#include "native.h"
#include <math.h>

static const double NEARLY = 1e-9; /* scores that differ by less share a place: it is due to rounding */

enum { BLOCK = 512 };

typedef struct {
    int everywhere;     /* it is told what the word is worth on every page: there are no docs */
    Array docs, worth;  /* its pages, rising, and what it is worth on each */
    double share;
    Py_ssize_t at;      /* how far its pages have been gone through */
} Word;

typedef struct {
    int32_t page;
    int full; /* has all words */
    double text, worth;
} Chosen;

typedef struct {
    Py_ssize_t size;
    const int32_t *list; /* the pages that can come first, rising; NULL: all */
    Py_ssize_t count;    /* of these */
    const uint8_t *matched, *complete;
    const double *factor; /* what links make of the score of each page */
    Word *words;
    Py_ssize_t known; /* words */
    int take_full;    /* all pages that have all words are chosen: they are too few, and others come after them */
    double *heap;     /* the best worths so far of those among which is to be chosen, the least on top */
    Py_ssize_t wanted;
    Chosen *chosen; /* all that may come first so far */
    Py_ssize_t found, room;
} Search;

/* Add what a word is worth on the pages from place `low` to `high`. */
static void
add(const Search *search, Word *word, Py_ssize_t low, Py_ssize_t high, double *restrict text)
{
    const double *restrict worth = word->worth.view.buf, share = word->share;
    const int32_t *docs = word->docs.view.buf, *list = search->list;
    Py_ssize_t at = word->at, end = word->docs.count;
    if (word->everywhere && !list)
        for (Py_ssize_t page = low; page < high; page++)
            text[page - low] += share * worth[page];
    else if (word->everywhere)
        for (Py_ssize_t place = low; place < high; place++)
            text[place - low] += share * worth[list[place]];
    else if (!list)
        for (; at < end && docs[at] < high; at++)
            text[docs[at] - low] += share * worth[at];
    else
        for (Py_ssize_t place = low; place < high && at < end; place++) {
            if (docs[at] < list[place])
                at = seek(docs, at, end, list[place]);
            if (at < end && docs[at] == list[place])
                text[place - low] += share * worth[at];
        }
    word->at = at;
}

/* Put a worth into its place in the heap, instead of the least. */
static void
sink(double *heap, Py_ssize_t count, double worth)
{
    Py_ssize_t at = 0;
    for (Py_ssize_t below = 1; below < count; below = 2 * at + 1) {
        if (below + 1 < count && heap[below + 1] < heap[below])
            below++;
        if (!(heap[below] < worth))
            break;
        heap[at] = heap[below];
        at = below;
    }
    heap[at] = worth;
}

static int
choose(Search *search, Chosen one)
{
    if (search->found == search->room) {
        Py_ssize_t room = 2 * search->room + 256;
        Chosen *more = PyMem_Realloc(search->chosen, (size_t)room * sizeof(Chosen));
        if (!more) {
            PyErr_NoMemory();
            return -1;
        }
        search->chosen = more;
        search->room = room;
    }
    search->chosen[search->found++] = one;
    if (one.full != search->take_full && one.worth > search->heap[0])
        sink(search->heap, search->wanted, one.worth);
    return 0;
}

/* Go through all pages, and leave the first ones in `chosen`. */
static int
go(Search *search)
{
    double text[BLOCK], bound = -Py_HUGE_VAL;
    int take_full = search->take_full;
    for (Py_ssize_t low = 0; low < search->count; low += BLOCK) {
        Py_ssize_t high = low + BLOCK < search->count ? low + BLOCK : search->count;
        memset(text, 0, sizeof(text));
        for (Py_ssize_t word = 0; word < search->known; word++)
            add(search, &search->words[word], low, high, text);
        for (Py_ssize_t place = low; place < high; place++) {
            Py_ssize_t page = search->list ? search->list[place] : place;
            double worth = text[place - low] * search->factor[page];
            if (worth < bound && !(take_full && search->complete[page]))
                continue;
            int full = search->complete[page] != 0;
            if (!search->matched[page] || !(full || take_full))
                continue;
            if (choose(search, (Chosen){(int32_t)page, full, text[place - low], worth}))
                return -1;
            bound = search->heap[0] - NEARLY;
        }
    }
    Py_ssize_t kept = 0;
    for (Py_ssize_t i = 0; i < search->found; i++)
        if (search->chosen[i].worth >= bound || (take_full && search->chosen[i].full))
            search->chosen[kept++] = search->chosen[i];
    search->found = kept;
    return 0;
}

/* How many of the first ones are wanted, and of which kind. */
static int
aim(Search *search, Py_ssize_t count)
{
    Py_ssize_t full = 0;
    for (Py_ssize_t place = 0; place < search->count; place++)
        full += search->complete[search->list ? search->list[place] : place] != 0;
    search->take_full = full < count;
    search->wanted = search->take_full ? count - full : count;
    search->wanted = search->wanted < search->count + 1 ? search->wanted : search->count + 1;
    search->heap = PyMem_New(double, (size_t)search->wanted);
    if (!search->heap) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t at = 0; at < search->wanted; at++)
        search->heap[at] = -Py_HUGE_VAL;
    return 0;
}

static int
refused(void)
{
    PyErr_SetString(PyExc_ValueError, "a page that is not there, or out of order");
    return -1;
}

/* Read a word: (pages or None, what it is worth on each, the share of it that counts). */
static int
open_word(Search *search, PyObject *told)
{
    PyObject *pages, *worths;
    Word *word = &search->words[search->known];
    if (!PyTuple_Check(told)) {
        PyErr_SetString(PyExc_TypeError, "a word is a tuple");
        return -1;
    }
    if (!PyArg_ParseTuple(told, "OOd", &pages, &worths, &word->share) || array_open(worths, "d", &word->worth))
        return -1;
    word->everywhere = pages == Py_None;
    if (!word->everywhere && array_open(pages, "i", &word->docs)) {
        PyBuffer_Release(&word->worth.view);
        return -1;
    }
    search->known++;
    if (word->everywhere)
        return word->worth.count == search->size ? 0 : refused();
    int good = word->worth.count == word->docs.count && is_rising(word->docs.view.buf, word->docs.count, search->size);
    return good ? 0 : refused();
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
    PyObject *given[4], *words, *found = NULL;
    Py_ssize_t count;
    if (!PyArg_ParseTuple(args, "OOOOnO!", &given[0], &given[1], &given[2], &given[3], &count, &PyList_Type, &words))
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
                  (search.list && !is_rising(search.list, search.count, search.size));
        if (bad)
            refused();
        else if (!(search.words = PyMem_Calloc((size_t)told_of + 1, sizeof(Word))))
            PyErr_NoMemory();
        else {
            while (!bad && search.known < told_of)
                bad = open_word(&search, PyList_GET_ITEM(words, search.known));
            if (!bad && !aim(&search, count) && !go(&search))
                found = told(&search);
        }
    }
    for (Py_ssize_t word = 0; word < search.known; word++) {
        PyBuffer_Release(&search.words[word].worth.view);
        if (!search.words[word].everywhere)
            PyBuffer_Release(&search.words[word].docs.view);
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
