/* Rows: the links of a page as they are written into the file, and which of the urls it led to are worth a look.
 *
 * The same in Python: link_rows in minisearch/store/links.py, unsettled in minisearch/store/known.py, rows and
 * columns in minisearch/crawl/travel.py, and _letters in minisearch/crawl/visit.py
 */
#include "native.h"

/* A record of a kind, which is a tuple. Younger Pythons keep the hash of a tuple in it, and let nobody else make one. */
PyObject *
record_of(PyTypeObject *kind, PyObject *const *values, Py_ssize_t width)
{
#if PY_VERSION_HEX < 0x030E0000
    PyObject *record = kind->tp_alloc(kind, width);
    for (Py_ssize_t i = 0; record && i < width; i++)
        PyTuple_SET_ITEM(record, i, Py_NewRef(values[i]));
    return record;
#else
    PyObject *plain = PyTuple_New(width);
    for (Py_ssize_t i = 0; plain && i < width; i++)
        PyTuple_SET_ITEM(plain, i, Py_NewRef(values[i]));
    PyObject *arguments = plain ? PyTuple_Pack(1, plain) : NULL;
    PyObject *record = arguments ? PyTuple_Type.tp_new(kind, arguments, NULL) : NULL;
    Py_XDECREF(plain);
    Py_XDECREF(arguments);
    return record;
#endif
}

enum { WIDEST = 8 };

/* One record of a kind for each row of some columns. */
PyObject *
records(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyTypeObject *kind;
    PyObject *columns;
    if (!PyArg_ParseTuple(arguments, "O!O!:records", &PyType_Type, &kind, &PyTuple_Type, &columns))
        return NULL;
    Py_ssize_t width = PyTuple_GET_SIZE(columns), count = 0;
    for (Py_ssize_t i = 0; i < width; i++) {
        PyObject *column = PyTuple_GET_ITEM(columns, i);
        if (!PyTuple_Check(column) || (i && PyTuple_GET_SIZE(column) != count))
            return PyErr_Format(PyExc_ValueError, "columns are tuples, and of one length");
        count = PyTuple_GET_SIZE(column);
    }
    if (!PyType_IsSubtype(kind, &PyTuple_Type) || width > WIDEST)
        return PyErr_Format(PyExc_TypeError, "a record is a tuple of no more than %d", WIDEST);
    PyObject *found = PyTuple_New(count), *values[WIDEST];
    for (Py_ssize_t row = 0; found && row < count; row++) {
        for (Py_ssize_t i = 0; i < width; i++)
            values[i] = PyTuple_GET_ITEM(PyTuple_GET_ITEM(columns, i), row);
        PyObject *record = record_of(kind, values, width);
        if (!record)
            Py_CLEAR(found);
        else
            PyTuple_SET_ITEM(found, row, record);
    }
    return found;
}

/* How many letters the first values of some rows have in all. */
PyObject *
letters(PyObject *Py_UNUSED(module), PyObject *rows)
{
    Py_ssize_t sum = 0;
    if (!PyTuple_Check(rows))
        return PyErr_Format(PyExc_TypeError, "rows come in a tuple");
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(rows); i++) {
        PyObject *row = PyTuple_GET_ITEM(rows, i);
        if (!PyTuple_Check(row) || !PyTuple_GET_SIZE(row) || !PyUnicode_Check(PyTuple_GET_ITEM(row, 0)))
            return PyErr_Format(PyExc_TypeError, "a row is a tuple that begins with a string");
        sum += PyUnicode_GET_LENGTH(PyTuple_GET_ITEM(row, 0));
    }
    return PyLong_FromSsize_t(sum);
}

/* The columns of some rows: what `records` makes rows of. */
PyObject *
columns(PyObject *Py_UNUSED(module), PyObject *rows)
{
    if (!PyTuple_Check(rows))
        return PyErr_Format(PyExc_TypeError, "rows come in a tuple");
    Py_ssize_t count = PyTuple_GET_SIZE(rows), width = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *row = PyTuple_GET_ITEM(rows, i);
        if (!PyTuple_Check(row) || (i && PyTuple_GET_SIZE(row) != width))
            return PyErr_Format(PyExc_ValueError, "rows are tuples, and of one length");
        width = PyTuple_GET_SIZE(row);
    }
    PyObject *found = PyTuple_New(width);
    for (Py_ssize_t i = 0; found && i < width; i++) {
        PyObject *column = PyTuple_New(count);
        if (!column) {
            Py_CLEAR(found);
            break;
        }
        for (Py_ssize_t row = 0; row < count; row++)
            PyTuple_SET_ITEM(column, row, Py_NewRef(PyTuple_GET_ITEM(PyTuple_GET_ITEM(rows, row), i)));
        PyTuple_SET_ITEM(found, i, column);
    }
    return found;
}

enum { WIDTH = 4 }; /* values of a row: url, anchor, nofollow, count */

/* A link that was met on a page: the row that it has, and how often it stands there. */
typedef struct {
    PyObject *url, *anchor; /* NULL: the slot is free */
    Py_hash_t hash;
    Py_ssize_t row, count;
    int nofollow;
} Met;

static int
is_same(PyObject *one, PyObject *other)
{
    return one == other || !PyUnicode_Compare(one, other);
}

/* The slot of a link, taken or free, among a power of two of slots that are not all taken. */
static Met *
slot_of(Met *slots, size_t count, const Met *link)
{
    for (size_t at = (size_t)link->hash & (count - 1);; at = (at + 1) & (count - 1)) {
        Met *slot = slots + at;
        if (!slot->url || (slot->hash == link->hash && slot->nofollow == link->nofollow &&
                           is_same(slot->url, link->url) && is_same(slot->anchor, link->anchor)))
            return slot;
    }
}

/* A link as it is looked for. 0, or -1 and an error. */
static int
read_link(PyObject *object, Met *link)
{
    if (!PyTuple_Check(object) || PyTuple_GET_SIZE(object) != 3 || !PyUnicode_Check(PyTuple_GET_ITEM(object, 0)) ||
        !PyUnicode_Check(PyTuple_GET_ITEM(object, 1))) {
        PyErr_SetString(PyExc_TypeError, "a link is a tuple of three, and two of them are strings");
        return -1;
    }
    link->url = PyTuple_GET_ITEM(object, 0);
    link->anchor = PyTuple_GET_ITEM(object, 1);
    link->nofollow = PyObject_IsTrue(PyTuple_GET_ITEM(object, 2));
    if (link->nofollow < 0)
        return -1;
    Py_hash_t url = PyObject_Hash(link->url), anchor = PyObject_Hash(link->anchor);
    if (url == -1 || anchor == -1)
        return -1;
    link->hash = (Py_hash_t)((size_t)url * 31 + (size_t)anchor + (size_t)link->nofollow);
    return 0;
}

/* Where a link leads, by its number: what is known of a url is that, or a tuple that begins with it. */
static PyObject *
id_of(PyObject *ids, PyObject *url)
{
    PyObject *id = PyDict_GetItemWithError(ids, url);
    if (!id && !PyErr_Occurred())
        PyErr_SetObject(PyExc_KeyError, url);
    if (id && PyTuple_Check(id)) {
        if (PyTuple_GET_SIZE(id))
            return Py_NewRef(PyTuple_GET_ITEM(id, 0));
        PyErr_SetString(PyExc_TypeError, "of this url nothing is known");
        return NULL;
    }
    return Py_XNewRef(id);
}

/* Write the row of a link that was not met before on its page; the count comes later. */
static int
add_row(PyObject *rows, const Met *link, PyObject *ids)
{
    PyObject *id = id_of(ids, link->url), *flag = PyLong_FromLong(link->nofollow);
    if (!id || !flag) {
        Py_XDECREF(id);
        Py_XDECREF(flag);
        return -1;
    }
    PyList_SET_ITEM(rows, link->row * WIDTH, id);
    PyList_SET_ITEM(rows, link->row * WIDTH + 1, Py_NewRef(link->anchor));
    PyList_SET_ITEM(rows, link->row * WIDTH + 2, flag);
    return 0;
}

/* Count each link of a page in the slot that it has, and begin its row; how many rows there are, -1: an error. */
static Py_ssize_t
gather(PyObject *rows, PyObject *links, PyObject *ids, Met *slots, size_t room)
{
    Py_ssize_t used = 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(links); i++) {
        Met link = {0};
        if (read_link(PyTuple_GET_ITEM(links, i), &link))
            return -1;
        Met *slot = slot_of(slots, room, &link);
        if (!slot->url) {
            link.row = used;
            if (add_row(rows, &link, ids))
                return -1;
            *slot = link;
            used++;
        }
        slot->count++;
    }
    return used;
}

/* The values of the rows of a page's links, one row after the other. */
PyObject *
link_rows(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *links, *ids;
    if (!PyArg_ParseTuple(arguments, "O!O!:link_rows", &PyTuple_Type, &links, &PyDict_Type, &ids))
        return NULL;
    size_t count = (size_t)PyTuple_GET_SIZE(links), room = 2;
    while (room < 2 * count)
        room *= 2;
    PyObject *rows = PyList_New((Py_ssize_t)count * WIDTH);
    Met *slots = rows ? calloc(room, sizeof *slots) : NULL;
    if (rows && !slots)
        PyErr_NoMemory();
    Py_ssize_t used = slots ? gather(rows, links, ids, slots, room) : -1;
    int failed = used < 0;
    for (size_t at = 0; !failed && at < room; at++)
        if (slots[at].url) {
            PyObject *times = PyLong_FromSsize_t(slots[at].count);
            failed = !times;
            if (times)
                PyList_SET_ITEM(rows, slots[at].row * WIDTH + WIDTH - 1, times);
        }
    free(slots);
    if (failed || PyList_SetSlice(rows, used * WIDTH, PyList_GET_SIZE(rows), NULL))
        Py_CLEAR(rows);
    return rows;
}

/* What is remembered of a url (minisearch/store/known.py), and what is found (minisearch/records.py), by their places. */
enum { KNOWN_DEPTH = 1, KNOWN_OPEN, KNOWN_HOPS, KNOWN_TELLER, KNOWN_SIZE };
enum { FOUND_URL, FOUND_DEPTH = 2, FOUND_HOPS, FOUND_RULE, FOUND_SIZE = 6 };

/* Whether a url may change by being found once more; -1: no telling, for these are not what they should be. */
static int
may_change(PyObject *found, PyObject *known, PyObject *teller, PyObject *shunned, long far)
{
    PyObject *rule = PyTuple_GET_ITEM(found, FOUND_RULE), *told_by = PyTuple_GET_ITEM(known, KNOWN_TELLER);
    if (!PyUnicode_Check(rule) || !PyUnicode_Check(told_by)) {
        PyErr_SetString(PyExc_TypeError, "rules and urls are strings");
        return -1;
    }
    long depth = PyLong_AsLong(PyTuple_GET_ITEM(known, KNOWN_DEPTH)), near = PyLong_AsLong(PyTuple_GET_ITEM(found, FOUND_DEPTH));
    long known_hops = PyLong_AsLong(PyTuple_GET_ITEM(known, KNOWN_HOPS)), hops = PyLong_AsLong(PyTuple_GET_ITEM(found, FOUND_HOPS));
    int is_open = PyObject_IsTrue(PyTuple_GET_ITEM(known, KNOWN_OPEN));
    if (is_open < 0 || PyErr_Occurred())
        return -1;
    int has_rule = PyUnicode_GET_LENGTH(rule) > 0;
    if (has_rule && !PyUnicode_Compare(rule, shunned))
        near = far;
    if (is_open && (!has_rule || (depth == far && near < far)))
        return 1;
    if (near < depth || hops < known_hops)
        return 1;
    return near == depth && hops <= known_hops && PyUnicode_Compare(teller, told_by) < 0;
}

/* Those of the urls found that are not known, or may change by being found on the page `teller`. */
PyObject *
unsettled(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *all, *remembered, *teller, *shunned;
    long far;
    if (!PyArg_ParseTuple(arguments, "O!O!UUl:unsettled", &PyTuple_Type, &all, &PyDict_Type, &remembered, &teller,
                          &shunned, &far))
        return NULL;
    PyObject *rest = PyList_New(0);
    for (Py_ssize_t i = 0; rest && i < PyTuple_GET_SIZE(all); i++) {
        PyObject *found = PyTuple_GET_ITEM(all, i), *known = NULL;
        int is_one = PyTuple_Check(found) && PyTuple_GET_SIZE(found) == FOUND_SIZE;
        if (is_one)
            known = PyDict_GetItemWithError(remembered, PyTuple_GET_ITEM(found, FOUND_URL));
        if (!is_one || (known && !(PyTuple_Check(known) && PyTuple_GET_SIZE(known) == KNOWN_SIZE)))
            PyErr_SetString(PyExc_TypeError, "this was not found, or is not known");
        int changes = PyErr_Occurred() ? -1 : known ? may_change(found, known, teller, shunned, far) : 1;
        if (changes < 0 || (changes && PyList_Append(rest, found)))
            Py_CLEAR(rest);
    }
    return rest;
}
