/* What the files of this folder share. */
#ifndef MINISEARCH_NATIVE_H
#define MINISEARCH_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern PyTypeObject TableType; /* chunks.c */
extern PyTypeObject TreeType;  /* tree.c */

PyObject *simhash(PyObject *module, PyObject *arguments); /* votes.c */
PyObject *tidy(PyObject *module, PyObject *arguments);    /* percent.c */
PyObject *joined(PyObject *folders, const uint8_t *href, size_t size); /* joining.c */
PyObject *record_of(PyTypeObject *kind, PyObject *const *values, Py_ssize_t width); /* rows.c */
PyObject *link_rows(PyObject *module, PyObject *arguments);
PyObject *records(PyObject *module, PyObject *arguments);
PyObject *unsettled(PyObject *module, PyObject *arguments);

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

/* What becomes of a letter in the text of a page (letters.c). */
typedef enum { KEPT, BLANK, BREAK, DROPPED } Fate;

Fate fate_of(const uint8_t *at, const uint8_t *end, size_t *size);
int collapse(Row *out, const uint8_t *text, size_t size);
size_t bytes_of_letters(const uint8_t *text, size_t size, size_t letters);

/* The text of a page, written line by line (lines.c). */
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

#endif
