/* What the files of this folder share. */
#ifndef MINISEARCH_NATIVE_H
#define MINISEARCH_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern PyTypeObject TableType; /* chunks.c */

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

PyObject *meet(PyObject *, PyObject *);        /* meet.c */
PyObject *first_pages(PyObject *, PyObject *); /* first.c */
PyObject *first_rows(PyObject *, PyObject *);
PyObject *weigh(PyObject *, PyObject *);       /* weigh.c */
PyObject *summed(PyObject *, PyObject *);      /* unpack.c */
PyObject *numbers(PyObject *, PyObject *);
PyObject *stretches(PyObject *, PyObject *); /* places.c */
PyObject *numbered(PyObject *, PyObject *); /* shelves.c */
PyObject *spread(PyObject *, PyObject *);

#endif
