/* What the files of this folder share. */
#ifndef MINISEARCH_NATIVE_H
#define MINISEARCH_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t head;   /* its first bytes, 0 behind the last */
    uint32_t hash;
    uint32_t size;   /* bytes; 0: the slot is free */
    uint32_t at;     /* where its bytes are */
    int32_t number;
} Slot;

/* Chunks, or words, and their numbers (chunks.c). */
typedef struct {
    PyObject_HEAD
    Slot *slots;
    size_t count, used;   /* slots, a power of two; and those that are taken */
    char *bytes;
    size_t filled, room;  /* of `bytes` */
    uint64_t seed;        /* another one in every process: nobody can make all chunks meet in one slot */
    uint8_t inside[256];  /* which bytes chunks are made of */
} Table;

extern PyTypeObject TableType;

/* The number of a chunk; if it is new, the `next` one, and it is added to a list if there is one. -1: an exception. */
int32_t number_of(Table *table, const uint8_t *chunk, size_t size, long *next, PyObject *fresh);
PyObject *table_cut(Table *self, PyObject *args);    /* words.c */
PyObject *table_number(Table *self, PyObject *args); /* terms.c, as the next one */
PyObject *table_in_order(Table *self, PyObject *none);

PyObject *count_terms(PyObject *module, PyObject *args); /* postings.c, as the next two */
PyObject *spread(PyObject *module, PyObject *args);
PyObject *pack(PyObject *module, PyObject *args);
PyObject *deflate(PyObject *module, PyObject *args); /* deflate.c */
PyObject *joined(PyObject *module, PyObject *args);  /* joined.c */

#endif
