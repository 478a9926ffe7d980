/* Terms: their numbers as they are met, and in the end their order.
 *
 * They are ordered by their bytes in UTF-8, which is the order of their letters in Unicode, and so that of Python: by
 * one byte after the other (McIlroy, Bostic and McIlroy, "Engineering Radix Sort", 1993).
 *
 * The same with a dictionary: minisearch/text/vocabulary.py
 */
#include "native.h"

enum { FEW = 40 };

/* number(terms, first) */
PyObject *
table_number(Table *self, PyObject *args)
{
    PyObject *terms;
    long next;
    if (!PyArg_ParseTuple(args, "O!l:number", &PyList_Type, &terms, &next))
        return NULL;
    Py_ssize_t count = PyList_Size(terms);
    PyObject *numbers = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(int32_t));
    for (Py_ssize_t i = 0; numbers && i < count; i++) {
        Py_ssize_t size;
        const char *term = PyUnicode_AsUTF8AndSize(PyList_GetItem(terms, i), &size);
        if (term && !size)
            PyErr_SetString(PyExc_ValueError, "a term without letters");
        int32_t number = term && size ? number_of(self, (const uint8_t *)term, (size_t)size, &next, NULL) : -1;
        if (number < 0)
            Py_CLEAR(numbers);
        else
            ((int32_t *)PyBytes_AsString(numbers))[i] = number;
    }
    return numbers;
}

static int
compared(const void *one, const void *other)
{
    const Placed *a = one, *b = other;
    if (a->head != b->head)
        return a->head < b->head ? -1 : 1;
    int rest = memcmp(a->bytes, b->bytes, a->size < b->size ? a->size : b->size);
    return rest ? rest : (a->size > b->size) - (a->size < b->size);
}

static void
insert(Placed *terms, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        Placed term = terms[i];
        size_t at = i;
        for (; at && compared(&term, &terms[at - 1]) < 0; at--)
            terms[at] = terms[at - 1];
        terms[at] = term;
    }
}

/* Terms that have the first so many bytes of their heads in common; as many others can be put aside. */
static void
sort(Placed *terms, Placed *aside, size_t count, int common)
{
    if (count <= FEW) {
        insert(terms, count);
        return;
    }
    if (common == 8) {
        qsort(terms, count, sizeof(Placed), compared);
        return;
    }
    size_t ends[257] = {0}, next[256];
    int below = 56 - 8 * common;
    for (size_t i = 0; i < count; i++)
        ends[(terms[i].head >> below & 255) + 1]++;
    for (int byte = 0; byte < 256; byte++) {
        next[byte] = ends[byte];
        ends[byte + 1] += ends[byte];
    }
    for (size_t i = 0; i < count; i++)
        aside[next[terms[i].head >> below & 255]++] = terms[i];
    memcpy(terms, aside, sizeof(Placed) * count);
    for (int byte = 0; byte < 256; byte++)
        sort(terms + ends[byte], aside, ends[byte + 1] - ends[byte], common + 1);
}

Placed *
in_order(const Table *self)
{
    Placed *terms = malloc(sizeof(Placed) * (self->used + 1)), *aside = malloc(sizeof(Placed) * (self->used + 1));
    size_t filled = 0;
    if (!terms || !aside) {
        free(terms);
        terms = NULL;
    }
    for (size_t i = 0; terms && i < self->count; i++)
        if (self->slots[i].size) {
            const Slot *slot = &self->slots[i];
            const uint8_t *first = (const uint8_t *)&slot->head;
            uint64_t head = 0;
            for (int at = 0; at < 8; at++)
                head = head << 8 | first[at];
            terms[filled++] = (Placed){head, self->bytes.bytes + slot->at, slot->size, slot->number};
        }
    if (terms)
        sort(terms, aside, filled, 0);
    free(aside);
    return terms;
}

/* in_order() */
PyObject *
table_in_order(Table *self, PyObject *Py_UNUSED(none))
{
    Placed *terms = in_order(self);
    Py_ssize_t count = (Py_ssize_t)self->used;
    PyObject *found = terms ? PyList_New(count) : PyErr_NoMemory();
    PyObject *places = found ? PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(int32_t)) : NULL;
    int failed = !places;
    for (Py_ssize_t i = 0; !failed && i < count; i++) {
        PyObject *term = PyUnicode_DecodeUTF8(terms[i].bytes, terms[i].size, NULL);
        if (term && terms[i].number < count)
            ((int32_t *)PyBytes_AsString(places))[terms[i].number] = (int32_t)i;
        else if (term)
            PyErr_SetString(PyExc_ValueError, "a term has a number that is too high");
        failed = PyErr_Occurred() != NULL;
        PyList_SetItem(found, i, term); /* NULL, where it failed */
    }
    free(terms);
    if (!failed)
        return Py_BuildValue("NN", found, places);
    Py_XDECREF(found);
    Py_XDECREF(places);
    return NULL;
}
