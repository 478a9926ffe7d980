/* Meeting: which pages have what a query asks for, from the pages that have each of its words.
 *
 * A word that many pages have comes as a row, a byte for each page; others as a list of the numbers of their pages.
 * The same with numpy: minisearch/search/meeting.py
 */
#include "native.h"

enum { SPARSE = 3 }; /* the best pages are told if they are fewer than one in so many */

/* What becomes of a row of pages, a byte for each, 1 if it is still meant; `beside` is room for another one. */
typedef void (*Step)(uint8_t *restrict pages, uint8_t *restrict beside, Py_ssize_t size, const Array *having);

static inline int
is_list(const Array *having)
{
    return having->kind == 'i';
}

static void
add(uint8_t *restrict pages, uint8_t *restrict Py_UNUSED(beside), Py_ssize_t size, const Array *having)
{
    const int32_t *restrict list = having->view.buf;
    const uint8_t *restrict row = having->view.buf;
    Py_ssize_t count = having->count;
    if (is_list(having))
        for (Py_ssize_t i = 0; i < count; i++)
            pages[list[i]] = 1;
    else
        for (Py_ssize_t page = 0; page < size; page++)
            pages[page] |= row[page];
}

static void
keep(uint8_t *restrict pages, uint8_t *restrict beside, Py_ssize_t size, const Array *having)
{
    const int32_t *restrict list = having->view.buf;
    const uint8_t *restrict row = having->view.buf;
    Py_ssize_t count = having->count;
    if (is_list(having)) {
        memset(beside, 0, (size_t)size);
        for (Py_ssize_t i = 0; i < count; i++)
            beside[list[i]] = pages[list[i]];
        memcpy(pages, beside, (size_t)size);
    }
    else
        for (Py_ssize_t page = 0; page < size; page++)
            pages[page] &= row[page];
}

static void
drop(uint8_t *restrict pages, uint8_t *restrict Py_UNUSED(beside), Py_ssize_t size, const Array *having)
{
    const int32_t *restrict list = having->view.buf;
    const uint8_t *restrict row = having->view.buf;
    Py_ssize_t count = having->count;
    if (is_list(having))
        for (Py_ssize_t i = 0; i < count; i++)
            pages[list[i]] = 0;
    else
        for (Py_ssize_t page = 0; page < size; page++)
            pages[page] &= row[page] ^ 1;
}

/* Whether there are as many pages as a word says. One that is not there would be written elsewhere. */
static int
fits(const Array *having, Py_ssize_t size)
{
    if (!is_list(having))
        return having->count == size;
    const int32_t *list = having->view.buf;
    uint32_t most = 0; /* less than nothing is very much */
    for (Py_ssize_t i = 0, count = having->count; i < count; i++)
        most = (uint32_t)list[i] > most ? (uint32_t)list[i] : most;
    return !having->count || most < (size_t)size;
}

/* Take a step with each of some words. */
static int
walk(uint8_t *pages, uint8_t *beside, Py_ssize_t size, PyObject *words, Step step)
{
    for (Py_ssize_t word = 0; word < PyList_GET_SIZE(words); word++) {
        Array having;
        if (array_open(PyList_GET_ITEM(words, word), "?i", &having))
            return -1;
        int good = fits(&having, size);
        if (good)
            step(pages, beside, size, &having);
        PyBuffer_Release(&having.view);
        if (!good) {
            PyErr_SetString(PyExc_ValueError, "a page that is not there");
            return -1;
        }
    }
    return 0;
}

/* Of the pages in a list, keep those that have something, or those that have it not; how many they are. */
static Py_ssize_t
sift(int32_t *list, Py_ssize_t count, const Array *having, int wanted)
{
    const int32_t *other = having->view.buf;
    const uint8_t *row = having->view.buf;
    Py_ssize_t kept = 0;
    if (is_list(having))
        for (Py_ssize_t i = 0, at = 0; i < count; i++) {
            int32_t page = list[i];
            at = at < having->count && other[at] < page ? seek(other, at, having->count, page) : at;
            list[kept] = page;
            kept += (at < having->count && other[at] == page) == wanted;
        }
    else
        for (Py_ssize_t i = 0; i < count; i++) {
            int32_t page = list[i];
            list[kept] = page;
            kept += row[page] == wanted;
        }
    return kept;
}

/* The same with each of some words. */
static Py_ssize_t
sift_all(int32_t *list, Py_ssize_t count, Py_ssize_t size, PyObject *words, int wanted)
{
    for (Py_ssize_t word = 0; word < PyList_GET_SIZE(words) && count >= 0; word++) {
        Array having;
        if (array_open(PyList_GET_ITEM(words, word), "?i", &having))
            return -1;
        if (fits(&having, size))
            count = sift(list, count, &having, wanted);
        else {
            PyErr_SetString(PyExc_ValueError, "a page that is not there");
            count = -1;
        }
        PyBuffer_Release(&having.view);
    }
    return count;
}

/* Put the shortest of some lists into one that has room for so many: how many pages it has; -1 if none is so short;
 * -2: an exception.
 */
static Py_ssize_t
shortest(PyObject *words, Py_ssize_t size, int32_t *list, Py_ssize_t room)
{
    Py_ssize_t found = -1;
    for (Py_ssize_t word = 0; word < PyList_GET_SIZE(words); word++) {
        Array having;
        if (array_open(PyList_GET_ITEM(words, word), "?i", &having))
            return -2;
        if (is_list(&having) && having.count <= room && (found < 0 || having.count < found)) {
            if (is_rising(having.view.buf, having.count, size)) {
                memcpy(list, having.view.buf, (size_t)having.count * sizeof(int32_t));
                found = having.count;
            }
            else {
                PyErr_SetString(PyExc_ValueError, "a page that is not there, or out of order");
                found = -2;
            }
        }
        PyBuffer_Release(&having.view);
        if (found == -2)
            break;
    }
    return found;
}

/* The pages of a row, in a list that has room for some; how many they are, whether they fit or not. */
static Py_ssize_t
listed(const uint8_t *row, Py_ssize_t size, int32_t *list, Py_ssize_t room)
{
    Py_ssize_t count = 0, page = 0;
    for (uint64_t eight; page + 8 <= size; page += 8) {
        memcpy(&eight, row + page, 8);
        if (!eight)
            continue;
        if (count + 8 > room)
            count += (Py_ssize_t)(eight * 0x0101010101010101u >> 56); /* each byte is 0 or 1 */
        else
            for (int i = 0; i < 8; i++) { /* written anyway, to be kept if it is meant */
                list[count] = (int32_t)(page + i);
                count += row[page + i] != 0;
            }
    }
    for (; page < size; page++) {
        if (count < room)
            list[count] = (int32_t)page;
        count += row[page] != 0;
    }
    return count;
}

PyObject *
meet(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_ssize_t size, count;
    PyObject *must, *barred, *choice, *telling, *matched = NULL, *complete = NULL, *best = NULL;
    if (!PyArg_ParseTuple(args, "nnO!O!OO!:meet", &size, &count, &PyList_Type, &must, &PyList_Type, &barred, &choice,
                          &PyList_Type, &telling))
        return NULL;
    if (size < 0 || size > INT32_MAX || !(choice == Py_None || PyList_Check(choice)))
        return PyErr_Format(PyExc_ValueError, "so many pages, and lists of those that have a word");
    Py_ssize_t few = (size + SPARSE - 1) / SPARSE, room = few + 8, many = 0, having_all = 0;
    uint8_t *beside = PyMem_Malloc((size_t)size + 1);
    int32_t *list = PyMem_New(int32_t, (size_t)room);
    matched = beside && list ? PyBytes_FromStringAndSize(NULL, size) : PyErr_NoMemory();
    if (!matched)
        goto done;
    uint8_t *row = (uint8_t *)PyBytes_AS_STRING(matched);
    Py_ssize_t listing = choice == Py_None ? shortest(must, size, list, few) : -1; /* pages that match, if listed */
    if (listing == -2)
        goto done;
    if (listing >= 0) {
        listing = sift_all(list, listing, size, must, 1);
        listing = listing < 0 ? listing : sift_all(list, listing, size, barred, 0);
        if (listing < 0)
            goto done;
        memset(row, 0, (size_t)size);
        for (Py_ssize_t i = 0; i < listing; i++)
            row[list[i]] = 1;
    }
    else {
        memset(row, choice == Py_None, (size_t)size);
        if ((choice != Py_None && walk(row, beside, size, choice, add)) || walk(row, beside, size, must, keep) ||
            walk(row, beside, size, barred, drop))
            goto done;
    }
    if (PyList_GET_SIZE(telling)) {
        complete = PyBytes_FromStringAndSize((char *)row, size);
        if (!complete || walk((uint8_t *)PyBytes_AS_STRING(complete), beside, size, telling, keep))
            goto done;
        if (count >= 0)
            having_all = listed((uint8_t *)PyBytes_AS_STRING(complete), size, list, room);
        if (having_all < count)
            many = listed(row, size, list, room);
    }
    else {
        complete = matched;
        Py_INCREF(complete);
        many = listing >= 0 ? listing : count < 0 ? 0 : listed(row, size, list, room);
    }
    Py_ssize_t tier = many ? many : having_all;
    if (count < 0 || tier >= few) {
        best = Py_None;
        Py_INCREF(best);
    }
    else
        best = PyBytes_FromStringAndSize((char *)list, tier * (Py_ssize_t)sizeof(int32_t));
done:
    PyMem_Free(beside);
    PyMem_Free(list);
    if (!best) {
        Py_XDECREF(matched);
        Py_XDECREF(complete);
        return NULL;
    }
    return Py_BuildValue("NNN", matched, complete, best);
}
