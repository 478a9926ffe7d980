/* Others: what plain lines are called besides all of them. An identifier is also called by its tails, and without the
 * kind of thing that it names: "Struct std::vec::Vec" is std::vec::Vec, vec::Vec and Vec.
 *
 * Plain is a line of ASCII without control characters that has no number before it. Whoever calls us reads the others,
 * of which there are few.
 *
 * The same with regular expressions: others in minisearch/text/names.py
 */
#include "native.h"

enum { MOST_TAILS = 16 };

static const char *const KINDS[] = {"class",  "struct",   "interface", "enum",    "union",     "trait",
                                    "type",   "function", "method",    "macro",   "constant",  "module",
                                    "package", "namespace", "crate",   "template", "reference", NULL};
static const char *const NUMBERED[] = {"chapter", "part", "section", "appendix", NULL};

typedef struct {
    const char *begin, *end;
} Stretch;

/* What was found so far: the texts, and how many there are of the line that is read. */
typedef struct {
    PyObject *texts;
    int32_t count;
} Found;

static int
is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

static int
is_upper(char letter)
{
    return letter >= 'A' && letter <= 'Z';
}

static int
is_letter(char letter)
{
    return is_upper(letter) || (letter >= 'a' && letter <= 'z');
}

static int
is_word(char letter)
{
    return is_letter(letter) || is_digit(letter) || letter == '_';
}

/* Whether it may be inside a token (minisearch/text/chunks.py). */
static int
is_inside(char letter)
{
    return is_word(letter) || letter == '.' || letter == '\'' || letter == '-' || letter == '+' || letter == '#';
}

static int
is_one_of(Stretch word, const char *const *known)
{
    size_t size = (size_t)(word.end - word.begin), i;
    for (; *known; known++) {
        for (i = 0; i < size && (*known)[i] == (word.begin[i] | 32); i++) /* which makes a capital small */
            ;
        if (i == size && !(*known)[i])
            return 1;
    }
    return 0;
}

static const char *
past_blanks(const char *at, const char *end)
{
    while (at < end && *at == ' ')
        at++;
    return at;
}

static const char *
past_word(const char *at, const char *end)
{
    while (at < end && is_word(*at))
        at++;
    return at;
}

static int
is_plain(Stretch line)
{
    for (const char *at = line.begin; at < line.end; at++)
        if ((signed char)*at < ' ')
            return 0;
    return 1;
}

static int
is_identifier(Stretch line)
{
    return line.begin < line.end && !is_digit(*line.begin) && past_word(line.begin, line.end) == line.end;
}

static int
has_joint(Stretch line)
{
    for (const char *at = line.begin; at + 1 < line.end; at++)
        if (at[0] == ':' && at[1] == ':')
            return 1;
    return 0;
}

static int
begins_number(const char *at, const char *end)
{
    return at < end && (is_digit(*at) || (is_upper(*at) && end - at > 2 && at[1] == '.' && is_digit(at[2])));
}

/* Whether there may be the number of a chapter or a section before a line. */
static int
may_be_numbered(Stretch line)
{
    Stretch word = {past_blanks(line.begin, line.end), NULL};
    if (begins_number(word.begin, line.end))
        return 1;
    for (word.end = word.begin; word.end < line.end && is_letter(*word.end); word.end++)
        ;
    if (word.end == word.begin || word.end == line.end || *word.end != ' ')
        return 0;
    return is_one_of(word, NUMBERED) || begins_number(past_blanks(word.end, line.end), line.end);
}

static int
add(Found *found, const char *begin, const char *end)
{
    PyObject *text = PyBytes_FromStringAndSize(begin, end - begin);
    int failed = !text || PyList_Append(found->texts, text);
    Py_XDECREF(text);
    found->count++;
    return failed ? -1 : 0;
}

/* Where an identifier goes on behind a joint, or NULL: it ends there. */
static const char *
past_joint(const char *at, const char *end, int colons)
{
    if (colons && end - at > 2 && at[0] == ':' && at[1] == ':' && is_word(at[2]))
        return at + 2;
    return end - at > 1 && *at == '.' && is_word(at[1]) ? at + 1 : NULL;
}

/* The end of an identifier, and how many joints it has. */
static const char *
past_path(const char *at, const char *end, int colons, size_t *joints)
{
    const char *next;
    *joints = 0;
    for (at = past_word(at, end); (next = past_joint(at, end, colons)); at = past_word(next, end))
        ++*joints;
    return at;
}

/* The last tails of an identifier that has so many joints. */
static int
add_tails(Found *found, Stretch path, size_t joints, int colons)
{
    const char *at = path.begin;
    for (size_t n = 0; n < joints; n++) {
        at = past_joint(past_word(at, path.end), path.end, colons);
        if (joints - n <= MOST_TAILS && add(found, at, path.end))
            return -1;
    }
    return 0;
}

/* The tails of a line that is one token, joined by full stops. Gives 1 if it is not so plain. */
static int
add_dotted(Found *found, Stretch line)
{
    Stretch token = {NULL, NULL};
    for (const char *at = line.begin; at < line.end;) {
        const char *begin = at;
        int has_word = 0;
        for (; at < line.end && is_inside(*at); at++)
            has_word |= is_word(*at);
        if (has_word) {
            if (token.begin)
                return 0; /* there are two */
            token = (Stretch){begin, at};
        }
        at += at == begin;
    }
    if (!token.begin)
        return 0;
    size_t joints;
    if (!is_word(*token.begin) || past_path(token.begin, token.end, 0, &joints) != token.end)
        return 1;
    return add_tails(found, token, joints, 0);
}

/* Whether from here on there are but kinds of things. */
static int
are_kinds(const char *at, const char *end)
{
    while (at < end) {
        Stretch word = {past_blanks(at, end), NULL};
        if (word.begin == at)
            return 0;
        for (word.end = word.begin; word.end < end && *word.end != ' '; word.end++)
            ;
        if (!is_one_of(word, KINDS))
            return 0;
        at = word.end;
    }
    return 1;
}

/* Whether a line is an identifier from here on, with what may stand after it. */
static int
is_called(const char *at, const char *end, Stretch *path, size_t *joints, int *is_reference)
{
    if (at == end || !is_word(*at))
        return 0;
    *path = (Stretch){at, past_path(at, end, 1, joints)};
    at = path->end;
    if (end - at > 1 && at[0] == '(' && at[1] == ')')
        at += 2;
    const char *open = past_blanks(at, end), *close = end;
    if (open < end && *open == '<') {
        while (close > open && close[-1] != '>')
            close--;
        if (close == open)
            return 0;
        at = close;
    }
    *is_reference = end - at > 9 && !memcmp(end - 9, "Reference", 9);
    return are_kinds(at, end);
}

static int
looks_like_code(Stretch path)
{
    for (const char *at = path.begin; at < path.end; at++)
        if (*at == '_' || *at == '.' || *at == ':' ||
            (is_upper(*at) && at > path.begin && is_letter(at[-1]) && !is_upper(at[-1])))
            return 1;
    return 0;
}

/* The identifier that stands in a line with the kind of thing that it names, and its tails; or that of C++, Rust. */
static int
add_identifiers(Found *found, Stretch line)
{
    int colons = has_joint(line), is_reference;
    while (line.begin < line.end && *line.begin == ' ')
        line.begin++;
    while (line.begin < line.end && line.end[-1] == ' ')
        line.end--;
    Stretch first = {line.begin, line.begin}, last = {line.end, line.end}, path;
    while (first.end < line.end && *first.end != ' ')
        first.end++;
    while (last.begin > line.begin && last.begin[-1] != ' ')
        last.begin--;
    int with_kind = first.end < line.end && is_one_of(first, KINDS);
    int kinds = with_kind || (first.end < line.end && is_one_of(last, KINDS));
    size_t joints;
    if (!kinds && !colons)
        return 0;
    if (!(with_kind && is_called(past_blanks(first.end, line.end), line.end, &path, &joints, &is_reference)) &&
        !is_called(line.begin, line.end, &path, &joints, &is_reference))
        return 0;
    if (kinds && (is_reference || looks_like_code(path)) && add(found, path.begin, path.end))
        return -1;
    return add_tails(found, path, joints, 1);
}

/* 0: all that a line is called is added; 1: it is not plain; -1: an exception. */
static int
add_others(Found *found, Stretch line)
{
    if (!is_plain(line))
        return 1;
    if (is_identifier(line))
        return 0;
    size_t size = (size_t)(line.end - line.begin);
    int is_one_word = !size || !memchr(line.begin, ' ', size);
    if (!is_one_word && may_be_numbered(line))
        return 1;
    if (size && memchr(line.begin, '.', size)) {
        int more = add_dotted(found, line);
        if (more)
            return more;
    }
    return is_one_word && !has_joint(line) ? 0 : add_identifiers(found, line);
}

static PyObject *
encoded(PyObject *line)
{
    return PyUnicode_AsEncodedString(line, "utf-8", "replace");
}

/* The same by asking. */
static int
ask(Found *found, PyObject *others, PyObject *line)
{
    PyObject *told = PyObject_CallOneArg(others, line);
    if (told && !PyList_Check(told)) {
        PyErr_SetString(PyExc_TypeError, "the others come in a list");
        Py_CLEAR(told);
    }
    for (Py_ssize_t i = 0; told && i < PyList_Size(told); i++) {
        PyObject *text = encoded(PyList_GetItem(told, i));
        if (!text || PyList_Append(found->texts, text))
            Py_CLEAR(told);
        Py_XDECREF(text);
        found->count++;
    }
    Py_XDECREF(told);
    return PyErr_Occurred() ? -1 : 0;
}

/* others(lines, ask) */
PyObject *
all_others(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *lines, *others;
    if (!PyArg_ParseTuple(args, "O!O:others", &PyList_Type, &lines, &others))
        return NULL;
    Py_ssize_t count = PyList_Size(lines);
    PyObject *counts = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(int32_t));
    Found found = {counts ? PyList_New(0) : NULL, 0};
    int failed = !found.texts;
    for (Py_ssize_t i = 0; !failed && i < count; i++) {
        PyObject *line = i < PyList_Size(lines) ? Py_NewRef(PyList_GetItem(lines, i)) : NULL;
        PyObject *text = line && PyUnicode_Check(line) ? encoded(line) : NULL;
        if (!text && !PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "a line is a str");
        found.count = 1;
        failed = !text || PyList_Append(found.texts, text);
        if (!failed) {
            const char *begin = PyBytes_AsString(text);
            int told = add_others(&found, (Stretch){begin, begin + PyBytes_Size(text)});
            failed = told > 0 ? ask(&found, others, line) : told;
            ((int32_t *)PyBytes_AsString(counts))[i] = found.count;
        }
        Py_XDECREF(text);
        Py_XDECREF(line);
    }
    if (!failed)
        return Py_BuildValue("NN", found.texts, counts);
    Py_XDECREF(found.texts);
    Py_XDECREF(counts);
    return NULL;
}
