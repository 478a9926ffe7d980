/* Links that were read before (memo.c). */
#ifndef MINISEARCH_MEMO_H
#define MINISEARCH_MEMO_H

#include "native.h"

enum { SEEN = 1 << 14 };

/* A link as it is written, and the folder on whose pages. */
typedef struct {
    const uint8_t *href, *text;
    size_t href_size, text_size;
    PyObject *folder;
    int nofollow, is_short;
    uint64_t hash;
} Wording;

/* One that is kept. */
typedef struct {
    uint64_t hash;
    PyObject *link;      /* NULL: the slot is free */
    PyObject *folder;
    uint32_t at;         /* where its bytes are */
    uint16_t href, text; /* how many */
    uint8_t nofollow;
} Noted;

typedef struct {
    PyObject_HEAD
    PyTypeObject *kind;
    Noted *noted;
    uint32_t *seen;      /* what may have been met once, by hash: some of it is forgotten */
    size_t slots, used, letters, most, most_letters; /* slots: a power of two, of which half is free */
    Row bytes;
    uint64_t seed;
} Memo;

PyObject *memo_find(Memo *memo, Wording *wording);
int memo_keep(Memo *memo, const Wording *wording, PyObject *link);

#endif
