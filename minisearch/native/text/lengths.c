/* Lengths: how many words texts have, by what is known of their chunks.
 *
 * The same with numpy: Lexicon in minisearch/text/chunks.py
 */
#include "native.h"

/* lengths(chunks, sizes, spans, gap) */
PyObject *
lengths(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *objects[3], *made = NULL;
    Array chunks, sizes, spans;
    int gap;
    if (!PyArg_ParseTuple(args, "OOOi:lengths", &objects[0], &objects[1], &objects[2], &gap))
        return NULL;
    if (array_open(objects[0], "i", &chunks))
        return NULL;
    if (array_open(objects[1], "q", &sizes))
        goto no_sizes;
    if (array_open(objects[2], "i", &spans))
        goto no_spans;
    const int32_t *chunk = chunks.view.buf, *end = chunk + chunks.count, *span = spans.view.buf;
    const int64_t *size = sizes.view.buf;
    made = PyBytes_FromStringAndSize(NULL, sizes.count * (Py_ssize_t)sizeof(int64_t));
    for (Py_ssize_t i = 0; made && i < sizes.count; i++) {
        int64_t words = 0;
        int bad = size[i] < 0 || size[i] > end - chunk;
        for (const int32_t *stop = bad ? chunk : chunk + size[i]; chunk < stop && !bad; chunk++) {
            bad = *chunk < 0 || *chunk >= spans.count;
            words += bad || *chunk == gap ? 0 : span[*chunk];
        }
        ((int64_t *)PyBytes_AsString(made))[i] = words;
        if (bad) {
            PyErr_SetString(PyExc_ValueError, "texts with chunks that nobody knows");
            Py_CLEAR(made);
        }
    }
    PyBuffer_Release(&spans.view);
no_spans:
    PyBuffer_Release(&sizes.view);
no_sizes:
    PyBuffer_Release(&chunks.view);
    return made;
}
