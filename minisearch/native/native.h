/* What the files of this folder share. */
#ifndef MINISEARCH_NATIVE_H
#define MINISEARCH_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern PyTypeObject TableType; /* chunks.c */
PyObject *count_terms(PyObject *module, PyObject *args); /* postings.c */
PyObject *spread(PyObject *module, PyObject *args);
PyObject *pack(PyObject *module, PyObject *args);

#endif
