/* Headings: those of a page as they are kept, in JSON; and their texts alone, for whoever reads many pages.
 *
 * The same in Python: headings_kept in minisearch/store/headings.py, and heading_lines in minisearch/store/waiting.py
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

/* -- reading ------------------------------------------------------------------------------------------------------ */

/* Read on, past one byte that has to be there and the blanks behind it; 0: something else is. */
static int
read_byte(const char **at, const char *end, char byte)
{
    if (*at == end || **at != byte)
        return 0;
    do
        ++*at;
    while (*at < end && **at == ' ');
    return 1;
}

static char
unescaped(char letter)
{
    static const char SHORT[] = "\"\"\\\\//b\bf\fn\nr\rt\t"; /* what stands after a backslash, and what is meant */
    for (const char *each = SHORT; *each; each += 2)
        if (each[0] == letter)
            return each[1];
    return 0;
}

/* Read a string, and write it if it is `wanted`. 1: done; 0: it is not so plain; -1: no memory is left. */
static int
read_string(const char **at, const char *end, Row *out, int wanted)
{
    const char *begin = ++*at;
    for (; *at < end && **at != '"'; ++*at) {
        if ((uint8_t)**at < ' ')
            return 0;
        if (**at != '\\')
            continue;
        char letter = end - *at > 1 ? unescaped((*at)[1]) : 0;
        if (!letter)
            return 0;
        if (wanted && (row_append(out, begin, (size_t)(*at - begin)) || row_append(out, &letter, 1)))
            return -1;
        begin = ++*at + 1;
    }
    if (*at < end && wanted && row_append(out, begin, (size_t)(*at - begin)))
        return -1;
    return read_byte(at, end, '"');
}

static int
read_number(const char **at, const char *end)
{
    const char *begin = *at += *at < end && **at == '-';
    while (*at < end && **at >= '0' && **at <= '9')
        ++*at;
    int plain = *at > begin && (*begin != '0' || *at == begin + 1);
    while (*at < end && **at == ' ')
        ++*at;
    return plain;
}

/* Read a heading, and write its text, which comes second. */
static int
read_heading(const char **at, const char *end, Row *out)
{
    int place = 0, told = read_byte(at, end, '[');
    do {
        int is_string = told > 0 && *at < end && **at == '"';
        if (told > 0 && place == 1 && !is_string)
            return 0;
        if (told > 0)
            told = is_string ? read_string(at, end, out, place == 1) : read_number(at, end);
        place++;
    } while (told > 0 && read_byte(at, end, ','));
    return told > 0 ? place > 1 && read_byte(at, end, ']') : told;
}

/* The texts of headings that are kept as we keep them, one a line. */
static int
read_headings(const char *at, const char *end, Row *out)
{
    int told = read_byte(&at, end, '[');
    if (told > 0 && at < end && *at == '[')
        for (int first = 1; told > 0 && (first || read_byte(&at, end, ',')); first = 0) {
            if (!first && row_append(out, "\n", 1))
                return -1;
            told = read_heading(&at, end, out);
        }
    return told > 0 ? read_byte(&at, end, ']') && at == end : told;
}

/* heading_lines(kept, ask) */
PyObject *
headings_read(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *kept, *ask, *found;
    if (!PyArg_ParseTuple(args, "O!O:heading_lines", &PyList_Type, &kept, &ask))
        return NULL;
    kept = PyList_AsTuple(kept); /* whoever is asked cannot change it */
    found = kept ? PyList_New(PyTuple_GET_SIZE(kept)) : NULL;
    Row out = {0};
    for (Py_ssize_t i = 0; found && i < PyTuple_GET_SIZE(kept); i++) {
        Py_ssize_t size;
        PyObject *headings = PyTuple_GET_ITEM(kept, i), *lines = NULL;
        const char *json = PyUnicode_AsUTF8AndSize(headings, &size);
        out.size = 0;
        int told = json ? read_headings(json, json + size, &out) : -1;
        if (told > 0)
            lines = PyUnicode_DecodeUTF8(out.size ? out.bytes : "", (Py_ssize_t)out.size, NULL);
        else if (!told)
            lines = PyObject_CallOneArg(ask, headings);
        if (lines)
            PyList_SET_ITEM(found, i, lines);
        else
            Py_CLEAR(found);
    }
    row_free(&out);
    Py_XDECREF(kept);
    return found;
}
