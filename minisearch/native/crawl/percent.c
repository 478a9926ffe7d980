/* Percent-encoding with no choice left: in upper case, and only where it is needed.
 *
 * The same in Python: tidy in minisearch/crawl/urls.py
 */
#include "native.h"

enum { UNRESERVED = 2 }; /* of a byte: 0, 1 if it may stand as it is, 2 if it is also never spelled otherwise */

static int
value_of(uint8_t byte)
{
    return byte >= '0' && byte <= '9' ? byte - '0' : byte >= 'A' && byte <= 'F' ? byte - 'A' + 10
         : byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

PyObject *
tidy(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    static const char digits[] = "0123456789ABCDEF";
    PyObject *text;
    const uint8_t *kept, *from;
    Py_ssize_t told, size;
    if (!PyArg_ParseTuple(arguments, "Uy#:tidy", &text, &kept, &told))
        return NULL;
    if (told != 256)
        return PyErr_Format(PyExc_ValueError, "what becomes of each of 256 bytes has to be told");
    if (!(from = (const uint8_t *)PyUnicode_AsUTF8AndSize(text, &size)))
        return NULL;
    Py_ssize_t at = 0;
    while (at < size && kept[from[at]])
        at++;
    if (at == size)
        return Py_NewRef(text);
    char *out = size <= PY_SSIZE_T_MAX / 3 ? malloc((size_t)size * 3) : NULL, *to = out;
    if (!out)
        return PyErr_NoMemory();
    memcpy(to, from, (size_t)at);
    to += at;
    while (at < size) {
        uint8_t byte = from[at++];
        if (kept[byte]) {
            *to++ = (char)byte;
            continue;
        }
        if (byte == '%' && size - at >= 2 && value_of(from[at]) >= 0 && value_of(from[at + 1]) >= 0) {
            byte = (uint8_t)(value_of(from[at]) << 4 | value_of(from[at + 1]));
            at += 2;
            if (kept[byte] == UNRESERVED) {
                *to++ = (char)byte;
                continue;
            }
        }
        *to++ = '%';
        *to++ = digits[byte >> 4];
        *to++ = digits[byte & 15];
    }
    PyObject *found = PyUnicode_DecodeASCII(out, to - out, "strict");
    free(out);
    return found;
}
