/* What first.c reads and choosing.c chooses from. */
#ifndef MINISEARCH_FIRST_H
#define MINISEARCH_FIRST_H

#include "../native.h"

enum { BLOCK = 128 }; /* pages that are looked at together, or not at all */

typedef struct {
    int everywhere;    /* it is told what the word is worth on every page: there are no docs */
    Array docs, worth; /* its pages, rising, and what it is worth on each */
    double share;
    PyObject *tops;    /* bytes: the most that it is worth in each block */
    Py_ssize_t at;     /* the place among its pages that was looked at last */
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
    const double *tops;   /* and the most that they make of one in each block; NULL: unknown */
    Word *words;
    Py_ssize_t known; /* words */
    int take_full;    /* all pages that have all words are chosen: they are too few, and others come after them */
    double *heap;     /* the best worths so far of those among which is to be chosen, the least on top */
    Py_ssize_t wanted;
    Chosen *chosen; /* all that may come first so far */
    Py_ssize_t found, room;
} Search;

/* Look at all pages that can be among the first `count`, and leave these in `chosen`, rising; -1: an exception. */
int choose_first(Search *search, Py_ssize_t count);

/* The most that values of pages, or of some (rising), come to in each of so many blocks: bytes, float64. */
PyObject *tops_of(Py_ssize_t blocks, const int32_t *pages, const Array *values);

#endif
