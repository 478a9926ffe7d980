/* What a page says, as the bytes that are hashed: in UTF-8, and without digits.
 *
 * The same in Python: text.encode() and raw.translate(None, b"0123456789") in minisearch/crawl/likeness.py
 */
#include "native.h"

enum { AT_ONCE = 32 };

/* A text in UTF-8, which it then keeps for whoever asks next: pickle does, when it is sent to another process. */
PyObject *
encoded_text(PyObject *Py_UNUSED(module), PyObject *text)
{
    Py_ssize_t size;
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &size);
    return bytes ? PyBytes_FromStringAndSize(bytes, size) : NULL;
}

/* Whether there is a digit among so many bytes. There is no way out of the loop, so that compilers can widen it. */
static int
has_digits(const uint8_t *bytes)
{
    uint8_t found = 0;
    for (size_t i = 0; i < AT_ONCE; i++)
        found |= (uint8_t)(bytes[i] - '0') < 10;
    return found;
}

PyObject *
without_digits(PyObject *Py_UNUSED(module), PyObject *text)
{
    if (!PyBytes_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "a text has to be bytes");
        return NULL;
    }
    const uint8_t *at = (const uint8_t *)PyBytes_AS_STRING(text), *end = at + PyBytes_GET_SIZE(text);
    PyObject *kept = PyBytes_FromStringAndSize(NULL, end - at);
    if (!kept)
        return NULL;
    char *out = PyBytes_AS_STRING(kept);
    while (at < end) {
        size_t size = end - at < AT_ONCE ? (size_t)(end - at) : AT_ONCE;
        if (size == AT_ONCE && !has_digits(at)) {
            memcpy(out, at, AT_ONCE);
            out += AT_ONCE;
        }
        else
            for (size_t i = 0; i < size; i++) {
                *out = (char)at[i];
                out += (uint8_t)(at[i] - '0') >= 10;
            }
        at += size;
    }
    _PyBytes_Resize(&kept, out - PyBytes_AS_STRING(kept));
    return kept;
}
