/* Sayings: what the links of many pages say about others, each saying a number and told once of each page.
 *
 * The links of a page come as SQLite writes them, in two lines: where they lead, and their texts. Most of them are those
 * of menus, and say on every page of a site the same.
 *
 * The same with numpy: minisearch/store/sayings.py
 */
#include "native.h"

enum { APART = 0x1F, NUMBER_BITS = 32 };

/* What is known while links are read: the page that each url leads to, all that was met, and the next number. */
typedef struct {
    const int64_t *about;
    Py_ssize_t urls;
    Table *met;
    long next, found;
} Hearing;

/* One saying of a page about where a url leads. */
static int
hear_one(Hearing *hearing, Table *known, int64_t page, int64_t url, const char *text, size_t size)
{
    int64_t target = url >= 0 && url < hearing->urls ? hearing->about[url] : 0;
    int32_t number = size ? number_of(known, (const uint8_t *)text, size, &hearing->next, NULL) : -1;
    if (number < 0) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "a link that says nothing");
        return -1;
    }
    if (target <= 0 || target == page)
        return 0;
    if (target >> (63 - NUMBER_BITS)) {
        PyErr_SetString(PyExc_ValueError, "a page with too high a number");
        return -1;
    }
    uint64_t key = (uint64_t)target << NUMBER_BITS | (uint32_t)number;
    return number_of(hearing->met, (const uint8_t *)&key, sizeof(key), &hearing->found, NULL) < 0 ? -1 : 0;
}

/* The next number of a line of them; -1 if there is none. */
static int64_t
next_url(const char **at)
{
    int64_t url = 0;
    if (**at < '0' || **at > '9')
        return -1;
    for (; **at >= '0' && **at <= '9' && url < INT64_MAX / 16; ++*at)
        url = url * 10 + (**at - '0');
    *at += **at == ',';
    return url;
}

static int
failed_line(void)
{
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "links that do not belong to their texts");
    return -1;
}

/* The links of a page, whose texts are in a line of that many. */
static int
hear_line(Hearing *hearing, Table *known, int64_t page, const char *urls, const char *texts, size_t size)
{
    const char *end = texts + size;
    while (texts <= end) {
        const char *stop = memchr(texts, APART, (size_t)(end - texts));
        int64_t url = next_url(&urls);
        if (!stop)
            stop = end;
        if (url < 0 || hear_one(hearing, known, page, url, texts, (size_t)(stop - texts)))
            return failed_line();
        texts = stop + 1;
    }
    return *urls ? failed_line() : 0;
}

/* The same, whose texts are in a list: one has within what should stand between two. */
static int
hear_list(Hearing *hearing, Table *known, int64_t page, const char *urls, PyObject *texts)
{
    Py_ssize_t count = PyList_Check(texts) ? PyList_Size(texts) : -1, size;
    for (Py_ssize_t i = 0; i < count; i++) {
        const char *text = PyUnicode_AsUTF8AndSize(PyList_GetItem(texts, i), &size);
        int64_t url = text ? next_url(&urls) : -1;
        if (url < 0 || hear_one(hearing, known, page, url, text, (size_t)size))
            return failed_line();
    }
    return count < 0 || *urls ? failed_line() : 0;
}

static int
hear_page(Hearing *hearing, PyObject *row, PyObject *tongues, PyObject *tables, PyObject *ask)
{
    PyObject *page, *texts, *language;
    const char *urls;
    Py_ssize_t count, size, between = 0;
    if (!PyTuple_Check(row)) {
        PyErr_SetString(PyExc_TypeError, "a row is a tuple");
        return -1;
    }
    if (!PyArg_ParseTuple(row, "OnsO:row", &page, &count, &urls, &texts))
        return -1;
    language = PyDict_GetItemWithError(tongues, page);
    if (!language)
        return PyErr_Occurred() ? -1 : 0; /* another page stands for it */
    Table *known = (Table *)PyDict_GetItemWithError(tables, language);
    int64_t number = PyLong_AsLongLong(page);
    if (!known || !PyObject_TypeCheck(known, &TableType) || PyErr_Occurred()) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "a language without a table");
        return -1;
    }
    const char *line = PyUnicode_AsUTF8AndSize(texts, &size);
    if (!line)
        return -1;
    for (const char *at = line; (at = memchr(at, APART, (size_t)(line + size - at))); at++)
        between++;
    if (between < count)
        return hear_line(hearing, known, number, urls, line, (size_t)size);
    PyObject *each = PyObject_CallOneArg(ask, page);
    int failed = !each || hear_list(hearing, known, number, urls, each);
    Py_XDECREF(each);
    return failed ? -1 : 0;
}

/* hear(rows, tongues, tables, about, ask, first) */
PyObject *
table_hear(Table *self, PyObject *args)
{
    PyObject *rows, *tongues, *tables, *ask, *pages;
    Array about;
    Hearing hearing = {.met = self, .found = (long)self->used};
    if (!PyArg_ParseTuple(args, "O!O!O!OOl:hear", &PyList_Type, &rows, &PyDict_Type, &tongues, &PyDict_Type, &tables,
                          &pages, &ask, &hearing.next))
        return NULL;
    if (array_open(pages, "q", &about))
        return NULL;
    hearing.about = about.view.buf;
    hearing.urls = about.count;
    int failed = 0;
    for (Py_ssize_t i = 0; !failed && i < PyList_Size(rows); i++)
        failed = hear_page(&hearing, PyList_GetItem(rows, i), tongues, tables, ask);
    PyBuffer_Release(&about.view);
    return failed ? NULL : PyLong_FromLong(hearing.next);
}

/* texts() */
PyObject *
table_texts(Table *self, PyObject *Py_UNUSED(none))
{
    PyObject *texts = PyList_New((Py_ssize_t)self->used), *numbers = NULL;
    Py_ssize_t filled = 0;
    if (texts)
        numbers = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(self->used * sizeof(int32_t)));
    for (size_t i = 0; numbers && i < self->count; i++)
        if (self->slots[i].size) {
            const Slot *slot = &self->slots[i];
            PyObject *text = PyUnicode_DecodeUTF8(self->bytes.bytes + slot->at, slot->size, NULL);
            if (text) {
                ((int32_t *)PyBytes_AsString(numbers))[filled] = slot->number;
                PyList_SetItem(texts, filled++, text);
            } else
                Py_CLEAR(numbers);
        }
    if (numbers)
        return Py_BuildValue("NN", texts, numbers);
    Py_XDECREF(texts);
    return NULL;
}

/* content() */
PyObject *
table_content(Table *self, PyObject *Py_UNUSED(none))
{
    return PyBytes_FromStringAndSize(self->bytes.bytes, (Py_ssize_t)self->bytes.size);
}
