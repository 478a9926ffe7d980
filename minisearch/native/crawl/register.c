/* Register: the links of pages by their numbers, for those who send pages and for those who take them. A link that was
 * met before is known by its address, for it is the same object again.
 *
 * The same in Python: minisearch/crawl/register.py
 */
#include "native.h"

/* -- writing ------------------------------------------------------------------------------ */

typedef struct {
    PyObject *link; /* NULL: the slot is free */
    uint32_t number;
} Met;

enum { FIRST_SLOTS = 1024 };

typedef struct {
    PyObject_HEAD
    PyObject *urls; /* url -> number */
    Met *met;       /* links by their addresses, in a power of two of slots, half of them free */
    size_t slots, used;
    Py_ssize_t letters, most_letters, most;
} Writer;

/* What is told of the links of a page. */
typedef struct {
    PyObject *urls, *anchors;        /* lists */
    Row leads_to, nofollow, numbers; /* uint32_t, uint8_t, uint32_t */
} Told;

static Met *
slot_of(Met *met, size_t slots, const PyObject *link)
{
    size_t at = (size_t)mixed((uint64_t)(uintptr_t)link) & (slots - 1);
    while (met[at].link && met[at].link != link)
        at = (at + 1) & (slots - 1);
    return &met[at];
}

static void
let_go(Met *met, size_t slots)
{
    for (size_t i = 0; met && i < slots; i++)
        Py_XDECREF(met[i].link);
    free(met);
}

static int
grow(Writer *self)
{
    size_t slots = self->slots * 2;
    Met *met = calloc(slots, sizeof *met);
    if (!met) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < self->slots; i++)
        if (self->met[i].link)
            *slot_of(met, slots, self->met[i].link) = self->met[i];
    free(self->met);
    self->met = met;
    self->slots = slots;
    return 0;
}

static int
begin(Writer *self)
{
    PyObject *urls = PyDict_New();
    Met *met = urls ? calloc(FIRST_SLOTS, sizeof *met) : NULL;
    if (!met) {
        Py_XDECREF(urls);
        PyErr_NoMemory();
        return -1;
    }
    Py_XSETREF(self->urls, urls);
    let_go(self->met, self->slots);
    self->met = met;
    self->slots = FIRST_SLOTS;
    self->used = 0;
    self->letters = 0;
    return 0;
}

/* The number of a url, which is told if it is new; 0, or -1 and an error. */
static int
number_of_url(Writer *self, PyObject *url, Told *told, uint32_t *number)
{
    PyObject *value = PyDict_GetItemWithError(self->urls, url);
    *number = value ? (uint32_t)PyLong_AsUnsignedLong(value) : (uint32_t)PyDict_GET_SIZE(self->urls);
    if (value || PyErr_Occurred())
        return value ? 0 : -1;
    value = PyLong_FromUnsignedLong(*number);
    int failed = !value || PyDict_SetItem(self->urls, url, value) || PyList_Append(told->urls, url);
    Py_XDECREF(value);
    self->letters += PyUnicode_GET_LENGTH(url);
    return failed ? -1 : 0;
}

/* Register a link that was never met, and tell of it. */
static int
add(Writer *self, PyObject *link, Told *told, uint32_t *number)
{
    PyObject *anchor = PyTuple_GET_ITEM(link, 1);
    int shunned = PyObject_IsTrue(PyTuple_GET_ITEM(link, 2));
    uint8_t nofollow = shunned > 0;
    uint32_t target;
    if (shunned < 0 || number_of_url(self, PyTuple_GET_ITEM(link, 0), told, &target) ||
        PyList_Append(told->anchors, anchor) || row_append(&told->leads_to, &target, sizeof target) ||
        row_append(&told->nofollow, &nofollow, sizeof nofollow) ||
        (2 * (self->used + 1) > self->slots && grow(self)))
        return -1;
    *number = (uint32_t)self->used++;
    *slot_of(self->met, self->slots, link) = (Met){Py_NewRef(link), *number};
    self->letters += PyUnicode_GET_LENGTH(anchor);
    return 0;
}

static int
is_link(PyObject *link)
{
    return PyTuple_Check(link) && PyTuple_GET_SIZE(link) == 3 && PyUnicode_Check(PyTuple_GET_ITEM(link, 0)) &&
           PyUnicode_Check(PyTuple_GET_ITEM(link, 1));
}

static int
tell(Writer *self, PyObject *links, Told *told)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(links); i++) {
        PyObject *link = PyTuple_GET_ITEM(links, i);
        const Met *met = slot_of(self->met, self->slots, link);
        uint32_t number = met->number;
        if (!met->link) {
            if (!is_link(link)) {
                PyErr_SetString(PyExc_TypeError, "a link is a tuple of three, and two of them are strings");
                return -1;
            }
            if (add(self, link, told, &number))
                return -1;
        }
        if (row_append(&told->numbers, &number, sizeof number))
            return -1;
    }
    return 0;
}

static PyObject *
writer_write(Writer *self, PyObject *links)
{
    if (!PyTuple_Check(links))
        return PyErr_Format(PyExc_TypeError, "links come in a tuple");
    Told told = {.urls = PyList_New(0), .anchors = PyList_New(0)};
    PyObject *written = NULL;
    if (told.urls && told.anchors && !tell(self, links, &told)) {
        int is_full = (Py_ssize_t)self->used > self->most || self->letters > self->most_letters;
        written = Py_BuildValue("(Oy#Oy#y#O)", told.urls, told.leads_to.bytes ? told.leads_to.bytes : "",
                                (Py_ssize_t)told.leads_to.size, told.anchors,
                                told.nofollow.bytes ? told.nofollow.bytes : "", (Py_ssize_t)told.nofollow.size,
                                told.numbers.bytes ? told.numbers.bytes : "", (Py_ssize_t)told.numbers.size,
                                is_full ? Py_True : Py_False);
        if (written && is_full && begin(self))
            Py_CLEAR(written);
    }
    Py_XDECREF(told.urls);
    Py_XDECREF(told.anchors);
    row_free(&told.leads_to);
    row_free(&told.nofollow);
    row_free(&told.numbers);
    return written;
}

static PyObject *
writer_new(PyTypeObject *type, PyObject *arguments, PyObject *Py_UNUSED(options))
{
    Py_ssize_t most, letters;
    if (!PyArg_ParseTuple(arguments, "nn:LinkWriter", &most, &letters))
        return NULL;
    Writer *self = (Writer *)PyType_GenericAlloc(type, 0);
    if (!self)
        return NULL;
    self->most = most;
    self->most_letters = letters;
    if (begin(self))
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void
writer_dealloc(Writer *self)
{
    Py_XDECREF(self->urls);
    let_go(self->met, self->slots);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMethodDef writer_methods[] = {
    {"write", (PyCFunction)writer_write, METH_O, "write(links): see compiled.pyi"},
    {NULL, NULL, 0, NULL},
};

PyTypeObject LinkWriterType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "minisearch.native.compiled.LinkWriter",
    .tp_doc = "LinkWriter(most, letters): the links of pages by their numbers, for sending.",
    .tp_basicsize = sizeof(Writer),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = writer_new,
    .tp_dealloc = (destructor)writer_dealloc,
    .tp_methods = writer_methods,
};

/* -- reading ------------------------------------------------------------------------------ */

typedef struct {
    PyObject_HEAD
    PyTypeObject *kind;
    PyObject *links, *urls; /* lists, by number */
} Reader;

/* The number at some place; the bytes may lie anywhere. */
static uint32_t
number_at(const Py_buffer *numbers, Py_ssize_t at)
{
    uint32_t number;
    memcpy(&number, (const char *)numbers->buf + at * (Py_ssize_t)sizeof number, sizeof number);
    return number;
}

/* Register the links that are new. */
static int
learn(Reader *self, PyObject *urls, const Py_buffer *leads_to, PyObject *anchors, const Py_buffer *nofollow)
{
    Py_ssize_t known = PyList_GET_SIZE(self->urls), count = PyList_GET_SIZE(anchors);
    if (leads_to->len != count * (Py_ssize_t)sizeof(uint32_t) || nofollow->len != count) {
        PyErr_SetString(PyExc_ValueError, "of each link that is new all has to be told");
        return -1;
    }
    if (PyList_SetSlice(self->urls, known, known, urls))
        return -1;
    for (Py_ssize_t i = 0; i < count; i++) {
        uint32_t target = number_at(leads_to, i);
        if ((Py_ssize_t)target >= PyList_GET_SIZE(self->urls)) {
            PyErr_SetString(PyExc_ValueError, "no url has this number");
            return -1;
        }
        PyObject *values[] = {PyList_GET_ITEM(self->urls, target), PyList_GET_ITEM(anchors, i),
                              ((const char *)nofollow->buf)[i] ? Py_True : Py_False};
        PyObject *link = record_of(self->kind, values, 3);
        int failed = !link || PyList_Append(self->links, link);
        Py_XDECREF(link);
        if (failed)
            return -1;
    }
    return 0;
}

/* The links that have some numbers. */
static PyObject *
linked(const Reader *self, const Py_buffer *numbers)
{
    Py_ssize_t count = numbers->len / (Py_ssize_t)sizeof(uint32_t);
    PyObject *links = PyTuple_New(count);
    for (Py_ssize_t i = 0; links && i < count; i++) {
        uint32_t number = number_at(numbers, i);
        if ((Py_ssize_t)number >= PyList_GET_SIZE(self->links)) {
            PyErr_SetString(PyExc_ValueError, "no link has this number");
            Py_CLEAR(links);
        } else {
            PyTuple_SET_ITEM(links, i, Py_NewRef(PyList_GET_ITEM(self->links, number)));
        }
    }
    return links;
}

static PyObject *
reader_read(Reader *self, PyObject *written)
{
    PyObject *urls, *anchors, *links = NULL;
    Py_buffer leads_to, nofollow, numbers;
    int is_full;
    if (!PyTuple_Check(written))
        return PyErr_Format(PyExc_TypeError, "what was written is a tuple");
    if (!PyArg_ParseTuple(written, "O!y*O!y*y*p:read", &PyList_Type, &urls, &leads_to, &PyList_Type, &anchors, &nofollow,
                          &numbers, &is_full))
        return NULL;
    if (!learn(self, urls, &leads_to, anchors, &nofollow))
        links = linked(self, &numbers);
    if (links && is_full && (PyList_SetSlice(self->links, 0, PyList_GET_SIZE(self->links), NULL) ||
                             PyList_SetSlice(self->urls, 0, PyList_GET_SIZE(self->urls), NULL)))
        Py_CLEAR(links);
    PyBuffer_Release(&leads_to);
    PyBuffer_Release(&nofollow);
    PyBuffer_Release(&numbers);
    return links;
}

static PyObject *
reader_new(PyTypeObject *type, PyObject *arguments, PyObject *Py_UNUSED(options))
{
    PyTypeObject *kind;
    if (!PyArg_ParseTuple(arguments, "O!:LinkReader", &PyType_Type, &kind))
        return NULL;
    if (!PyType_IsSubtype(kind, &PyTuple_Type))
        return PyErr_Format(PyExc_TypeError, "a link is a tuple");
    Reader *self = (Reader *)PyType_GenericAlloc(type, 0);
    if (!self)
        return NULL;
    self->kind = (PyTypeObject *)Py_NewRef(kind);
    self->links = PyList_New(0);
    self->urls = PyList_New(0);
    if (!self->links || !self->urls)
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void
reader_dealloc(Reader *self)
{
    Py_XDECREF(self->kind);
    Py_XDECREF(self->links);
    Py_XDECREF(self->urls);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMethodDef reader_methods[] = {
    {"read", (PyCFunction)reader_read, METH_O, "read(written): see compiled.pyi"},
    {NULL, NULL, 0, NULL},
};

PyTypeObject LinkReaderType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "minisearch.native.compiled.LinkReader",
    .tp_doc = "LinkReader(kind): links, which are tuples of a kind, by their numbers.",
    .tp_basicsize = sizeof(Reader),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = reader_new,
    .tp_dealloc = (destructor)reader_dealloc,
    .tp_methods = reader_methods,
};
