/* What the files of this folder share. */
#ifndef MINISEARCH_NATIVE_H
#define MINISEARCH_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern PyTypeObject TableType; /* chunks.c */

#endif
