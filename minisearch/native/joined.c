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
    char *room = NULL;
    if (!PyArg_ParseTuple(args, "O!y*y*:joined", &PyList_Type, &words, &which, &sizes))
        return NULL;
    const int32_t *next = which.buf, *end = next + which.len / 4;
    const int64_t *size = sizes.buf;
    Py_ssize_t count = sizes.len / 8, known = PyList_Size(words);
    size_t held = 0;
    found = PyList_New(count);
    for (Py_ssize_t i = 0; found && i < count; i++) {
        size_t filled = 0;
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
            if (filled + (size_t)length + 1 > held) {
                char *more = realloc(room, held = 2 * (filled + (size_t)length + 1));
                if (!more) {
                    PyErr_NoMemory();
                    goto failed;
                }
                room = more;
            }
            if (filled && length)
                room[filled++] = ' ';
            memcpy(room + filled, letters, (size_t)length);
            filled += (size_t)length;
        }
        PyObject *made = PyUnicode_DecodeUTF8(room ? room : "", (Py_ssize_t)filled, NULL);
        if (!made)
            goto failed;
        PyList_SetItem(found, i, made);
    }
    goto done;
failed:
    Py_CLEAR(found);
done:
    free(room);
    PyBuffer_Release(&which);
    PyBuffer_Release(&sizes);
    return found;
}
