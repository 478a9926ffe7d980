/* Joining: words, told by their numbers, put together with blanks between.
 *
 * The same in Python: joined in minisearch/text/names.py
 */
#include "native.h"

/* joined(words, which, sizes) */
PyObject *
joined_words(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *words, *found = NULL;
    Py_buffer which, sizes;
    Row row = {0};
    if (!PyArg_ParseTuple(args, "O!y*y*:joined", &PyList_Type, &words, &which, &sizes))
        return NULL;
    const int32_t *next = which.buf, *end = next + which.len / 4;
    const int64_t *size = sizes.buf;
    Py_ssize_t count = sizes.len / 8, known = PyList_Size(words);
    found = PyList_New(count);
    for (Py_ssize_t i = 0; found && i < count; i++) {
        row.size = 0;
        if (size[i] < 0 || size[i] > end - next) {
            PyErr_SetString(PyExc_ValueError, "more words than there are");
            goto failed;
        }
        for (const int32_t *stop = next + size[i]; next < stop; next++) {
            Py_ssize_t length;
            PyObject *word = *next >= 0 && *next < known ? PyList_GetItem(words, *next) : NULL;
            const char *letters = word ? PyUnicode_AsUTF8AndSize(word, &length) : NULL;
            if (!word)
                PyErr_SetString(PyExc_ValueError, "a word that nobody knows");
            if (!letters)
                goto failed;
            if ((row.size && length && row_append(&row, " ", 1)) || row_append(&row, letters, (size_t)length))
                goto failed;
        }
        PyObject *made = PyUnicode_DecodeUTF8(row.bytes ? row.bytes : "", (Py_ssize_t)row.size, NULL);
        if (!made)
            goto failed;
        PyList_SetItem(found, i, made);
    }
    goto done;
failed:
    Py_CLEAR(found);
done:
    row_free(&row);
    PyBuffer_Release(&which);
    PyBuffer_Release(&sizes);
    return found;
}
