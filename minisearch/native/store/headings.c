/* Headings: those of a page as they are kept, in JSON.
 *
 * The same in Python: headings_kept in minisearch/store/headings.py
 */
#include "native.h"

static int
write_letter(Row *out, uint8_t letter)
{
    static const char SHORT[] = "\"\"\\\\\bb\ff\nn\rr\tt"; /* what is written, and how after a backslash */
    char written[8] = {'\\', 0};
    for (const char *each = SHORT; *each; each += 2)
        if ((uint8_t)each[0] == letter) {
            written[1] = each[1];
            return row_append(out, written, 2);
        }
    snprintf(written, sizeof written, "\\u%04x", letter);
    return row_append(out, written, 6);
}

static int
write_string(Row *out, PyObject *string)
{
    Py_ssize_t size;
    const char *text = PyUnicode_AsUTF8AndSize(string, &size);
    if (!text || row_append(out, "\"", 1))
        return -1;
    const char *begin = text, *end = text + size;
    for (const char *at = text; at < end; at++) {
        uint8_t letter = (uint8_t)*at;
        if (letter >= ' ' && letter != '"' && letter != '\\')
            continue;
        if (row_append(out, begin, (size_t)(at - begin)) || write_letter(out, letter))
            return -1;
        begin = at + 1;
    }
    return row_append(out, begin, (size_t)(end - begin)) || row_append(out, "\"", 1) ? -1 : 0;
}

static int
write_number(Row *out, PyObject *number)
{
    char written[24], *at = written + sizeof written; /* from behind, which is sooner done than snprintf */
    long long value = PyLong_AsLongLong(number);
    if (value == -1 && PyErr_Occurred())
        return -1;
    unsigned long long rest = value < 0 ? 0ull - (unsigned long long)value : (unsigned long long)value;
    do
        *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0)
        *--at = '-';
    return row_append(out, at, (size_t)(written + sizeof written - at));
}

static int
write_heading(Row *out, PyObject *heading)
{
    if (!PyTuple_Check(heading)) {
        PyErr_SetString(PyExc_TypeError, "a heading is a tuple");
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(heading); i++) {
        PyObject *value = PyTuple_GET_ITEM(heading, i);
        if (i && row_append(out, ", ", 2))
            return -1;
        if (PyUnicode_Check(value) ? write_string(out, value) : write_number(out, value))
            return -1;
    }
    return 0;
}

/* The headings of a page, tuples of numbers and strings, as JSON that keeps all letters but those it cannot. */
PyObject *
headings_kept(PyObject *Py_UNUSED(module), PyObject *headings)
{
    if (!PyTuple_Check(headings))
        return PyErr_Format(PyExc_TypeError, "headings are a tuple");
    Row out = {0};
    int failed = row_append(&out, "[", 1);
    for (Py_ssize_t i = 0; !failed && i < PyTuple_GET_SIZE(headings); i++)
        failed = row_append(&out, ", [", i ? 3 : 0) || (!i && row_append(&out, "[", 1)) ||
                 write_heading(&out, PyTuple_GET_ITEM(headings, i)) || row_append(&out, "]", 1);
    PyObject *kept = failed || row_append(&out, "]", 1) ? NULL : PyUnicode_DecodeUTF8(out.bytes, (Py_ssize_t)out.size, NULL);
    row_free(&out);
    return kept;
}
