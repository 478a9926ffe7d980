/* What the files of this folder share. */
#ifndef MINISEARCH_NATIVE_H
#define MINISEARCH_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Ask memory for what will be needed soon. */
#ifdef __GNUC__
#define FETCH(address) __builtin_prefetch(address)
#else
#define FETCH(address) ((void)(address))
#endif

/* The place of the lowest bit of a number that has one. */
static inline int
lowest_bit(uint64_t number)
{
#ifdef __GNUC__
    return __builtin_ctzll(number);
#else
    int place = 0;
    for (; !(number & 1); number >>= 1)
        place++;
    return place;
#endif
}

/* A row of bytes that grows (growing.c). Whoever appends looks at what comes back: 0, or -1 and no memory is left. */
typedef struct {
    char *bytes;
    size_t size, room;
} Row;

int row_make_room(Row *row, size_t size);
void row_free(Row *row);

static inline int
row_append(Row *row, const void *bytes, size_t size)
{
    if (size > row->room - row->size && row_make_room(row, size))
        return -1;
    if (size)
        memcpy(row->bytes + row->size, bytes, size);
    row->size += size;
    return 0;
}

typedef struct {
    uint64_t head;   /* its first bytes, 0 behind the last */
    uint32_t hash;
    uint32_t size;   /* bytes; 0: the slot is free */
    uint32_t at;     /* where its bytes are */
    int32_t number;
} Slot;

/* Chunks, or words, and their numbers (text/chunks.c). */
typedef struct {
    PyObject_HEAD
    Slot *slots;
    size_t count, used;   /* slots, a power of two; and those that are taken */
    Row bytes;            /* of all of them, end to end */
    uint64_t seed;        /* another one in every process: nobody can make all chunks meet in one slot */
    uint8_t inside[256];  /* which bytes chunks are made of */
} Table;

extern PyTypeObject TableType;

/* The number of a chunk; if it is new, the `next` one, and it is added to a list if there is one. -1: an exception. */
int32_t number_of(Table *table, const uint8_t *chunk, size_t size, long *next, PyObject *fresh);

/* The chunks of a table in the order of their bytes, in memory that is to be freed; NULL if there is none left. */
typedef struct {
    uint64_t head; /* its first bytes, the first of them highest */
    const char *bytes;
    uint32_t size;
    int32_t number;
} Placed;

Placed *in_order(const Table *table); /* text/terms.c */

PyObject *table_cut(Table *self, PyObject *args);    /* text/words.c */
PyObject *table_number(Table *self, PyObject *args); /* text/terms.c, as the next one */
PyObject *table_in_order(Table *self, PyObject *none);
PyObject *table_name(Table *self, PyObject *args);   /* text/named.c */

PyObject *count_chunks(PyObject *module, PyObject *args); /* index/postings.c, as the next three */
PyObject *count_terms(PyObject *module, PyObject *args);
PyObject *spread_words(PyObject *module, PyObject *args);
PyObject *pack(PyObject *module, PyObject *args);
PyObject *deflated(PyObject *module, PyObject *args); /* index/deflate.c, as the next one */
PyObject *deflated_repeats(PyObject *module, PyObject *args);
PyObject *made_rows(PyObject *module, PyObject *args); /* index/rows.c */
PyObject *joined_words(PyObject *module, PyObject *args); /* text/joined.c */
PyObject *lengths(PyObject *module, PyObject *args); /* text/lengths.c */
PyObject *spelled(PyObject *module, PyObject *args); /* text/spelled.c */
PyObject *all_others(PyObject *module, PyObject *args); /* text/others.c */
extern PyTypeObject TreeType;  /* crawl/tree.c */
extern PyTypeObject StrictType; /* crawl/knots.c, as the next one */
int strict_ready(void);
extern PyTypeObject LinkMemoType;                   /* crawl/memo.c */
extern PyTypeObject LinkWriterType, LinkReaderType; /* crawl/register.c */

PyObject *known_verdicts(PyObject *module, PyObject *arguments); /* crawl/precedents.c */
PyObject *headings_kept(PyObject *module, PyObject *headings);   /* store/headings.c, as the next one */
PyObject *headings_read(PyObject *module, PyObject *arguments);
PyObject *rising_column(PyObject *module, PyObject *args);       /* store/columns.c */
/* The letter at a place that is before the end, and how many bytes it has; 0: that is no UTF-8. */
static inline size_t
letter_at(const uint8_t *at, const uint8_t *end, Py_UCS4 *letter)
{
    size_t more = *at < 0x80 ? 0 : *at >= 0xF0 ? 3 : *at >= 0xE0 ? 2 : 1;
    *letter = *at;
    if (!more)
        return 1;
    if (*at < 0xC2 || *at > 0xF4 || (size_t)(end - at) <= more)
        return 0;
    *letter &= 0x3Fu >> more;
    for (size_t i = 1; i <= more; i++) {
        if ((at[i] & 0xC0) != 0x80)
            return 0;
        *letter = *letter << 6 | (at[i] & 0x3Fu);
    }
    return *letter <= 0x10FFFF ? more + 1 : 0;
}

/* A number stirred well (splitmix64). */
static inline uint64_t
mixed(uint64_t number)
{
    number ^= number >> 30;
    number *= 0xBF58476D1CE4E5B9u;
    number ^= number >> 27;
    number *= 0x94D049BB133111EBu;
    return number ^ number >> 31;
}

/* The words of a text, each as a number (uint64_t), and the places of those that are numbers themselves (size_t):
 * text/votes.c. Whoever adds or asks looks at what comes back: 0, or -1 and no memory is left. */
typedef struct {
    Row words, numbers;
} Words;

int words_add(Words *words, const uint8_t *text, size_t size, const uint8_t *kinds);
int words_vote(Words *words, Words *beside, uint64_t factor, uint64_t *bits);
void words_free(Words *words);

PyObject *simhash(PyObject *module, PyObject *arguments); /* text/votes.c */
PyObject *likeness(PyObject *module, PyObject *arguments); /* crawl/likeness.c */
PyObject *encoded_text(PyObject *module, PyObject *text); /* crawl/said.c, as the next one */
PyObject *without_digits(PyObject *module, PyObject *text);
PyObject *sketch(PyObject *module, PyObject *arguments);   /* crawl/sketches.c, as the next one */
PyObject *wording(PyObject *module, PyObject *text);
PyObject *tidy(PyObject *module, PyObject *arguments);    /* crawl/percent.c */
PyObject *is_plain_utf8(PyObject *module, PyObject *body); /* crawl/plain.c */
PyObject *joined(PyObject *folders, const uint8_t *href, size_t size); /* crawl/joining.c */
PyObject *record_of(PyTypeObject *kind, PyObject *const *values, Py_ssize_t width); /* store/rows.c */
PyObject *link_rows(PyObject *module, PyObject *arguments);
PyObject *records(PyObject *module, PyObject *arguments);
PyObject *unsettled(PyObject *module, PyObject *arguments);
PyObject *letters(PyObject *module, PyObject *rows);
PyObject *columns(PyObject *module, PyObject *rows);
PyObject *table_hear(Table *self, PyObject *args); /* store/sayings.c, as the next two */
PyObject *table_texts(Table *self, PyObject *none);
PyObject *table_content(Table *self, PyObject *none);

/* What becomes of a letter in the text of a page (crawl/letters.c). */
typedef enum { KEPT, BLANK, BREAK, DROPPED } Fate;

Fate fate_of(const uint8_t *at, const uint8_t *end, size_t *size);
int collapse(Row *out, const uint8_t *text, size_t size);
size_t bytes_of_letters(const uint8_t *text, size_t size, size_t letters);

/* The text of a page, written line by line (crawl/lines.c). */
typedef struct {
    size_t size, letters; /* so far */
    size_t headings;
    int begun, gap;       /* whether the line has a letter, and whether a blank comes before the next one */
    int named;            /* whether the heading that is being written has a letter */
} Place;

typedef struct {
    int number;
    size_t start, from, to; /* in letters; in bytes */
} HeadingLine;

typedef struct {
    Row text, headings;
    Place place;
    int heading, number, pre; /* headings and preformatted elements that are open; the outermost heading */
} Lines;

int lines_write(Lines *lines, const uint8_t *text, size_t size);
void lines_break(Lines *lines);
void lines_blank(Lines *lines);
int lines_heading(Lines *lines, int number);
int lines_heading_end(Lines *lines);
void lines_free(Lines *lines);

/* arrays.c: an array that was handed in, of so many numbers of one kind, 'd' or 'i' for example, as struct has them. */
typedef struct {
    Py_buffer view;
    Py_ssize_t count;
    char kind;
} Array;

/* 0, and the array is to be let go with PyBuffer_Release; or -1 and an error, if it is none of those `kinds`. */
int array_open(PyObject *object, const char *kinds, Array *array);

/* Whether a list of pages rises, each of them from 0 on and less than `size`. */
int is_rising(const int32_t *list, Py_ssize_t count, Py_ssize_t size);

/* The first place in a rising list, from `low` on, that has `page` or more: quickly found if it is near. */
Py_ssize_t seek(const int32_t *list, Py_ssize_t low, Py_ssize_t high, int32_t page);

PyObject *meet(PyObject *, PyObject *);        /* search/meet.c */
PyObject *first_pages(PyObject *, PyObject *); /* search/first.c */
PyObject *first_rows(PyObject *, PyObject *);
PyObject *tops(PyObject *, PyObject *);
PyObject *hits(PyObject *, PyObject *);        /* search/hits.c */
PyObject *gained(PyObject *, PyObject *);
PyObject *chances(PyObject *, PyObject *);     /* search/runs.c */
PyObject *find_all(PyObject *, PyObject *);    /* search/finding.c */
PyObject *words_at(PyObject *, PyObject *);
PyObject *weigh(PyObject *, PyObject *);       /* search/weigh.c */
PyObject *entry(PyObject *, PyObject *);       /* search/entries.c */
PyObject *summed(PyObject *, PyObject *);      /* search/unpack.c */
PyObject *numbers(PyObject *, PyObject *);
/* How many places there are on the pages from one posting to another, and those before some postings (search/places.c). */
uint64_t places_between(const Array *counts, Py_ssize_t from, Py_ssize_t to);
int add_stretches(PyObject *told, const Array *wanted, uint64_t *begins, uint64_t *ends);

PyObject *stretches(PyObject *, PyObject *); /* search/places.c */
PyObject *distances_of(PyObject *, PyObject *); /* search/distances.c */
PyObject *neighbours(PyObject *, PyObject *); /* search/neighbours.c */
PyObject *spots(PyObject *, PyObject *);    /* search/spots.c */
PyObject *numbered(PyObject *, PyObject *); /* search/shelves.c */
PyObject *spread(PyObject *, PyObject *);
PyObject *picked(PyObject *, PyObject *);
PyObject *total(PyObject *, PyObject *);

#endif
