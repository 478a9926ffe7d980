/* Distances: those between the places of a term on some pages, out of the chunks that they are packed in.
 *
 * The same in Python: `Places` in minisearch/search/places.py; how they are packed: minisearch/packing.py
 */
#include "native.h"

/* The positions of a term on one shelf, as packing.py tells of them: chunks end to end, where each of them ends, and how
 * many distances it has; of most terms one chunk, of which that is not told.
 */
typedef struct {
    const uint8_t *packed, *ends, *sizes;
    Py_ssize_t length, chunks;
    uint64_t total; /* distances */
} Shelf;

static inline uint32_t
four_bytes(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t
size_of(const Shelf *shelf, Py_ssize_t chunk)
{
    return shelf->sizes ? four_bytes(shelf->sizes + 4 * chunk) : shelf->total;
}

/* Read a shelf that should have `total` distances. */
static int
open_shelf(PyObject *blob, uint64_t total, Shelf *shelf)
{
    const uint8_t *bytes = (const uint8_t *)PyBytes_AS_STRING(blob);
    Py_ssize_t length = PyBytes_GET_SIZE(blob);
    *shelf = (Shelf){bytes, NULL, NULL, length, 1, total};
    if (length && *bytes)
        return 0;
    uint64_t sum = 0, count = length < 5 ? 0 : four_bytes(bytes + 1);
    if (length >= 5 && count <= (uint64_t)(length - 5) / 12) {
        Py_ssize_t head = 5 + 12 * (Py_ssize_t)count;
        *shelf = (Shelf){bytes + head, bytes + 5 + 4 * count, bytes + 5 + 8 * count, length - head, (Py_ssize_t)count,
                         total};
        for (Py_ssize_t chunk = 0; chunk < shelf->chunks; chunk++)
            sum += size_of(shelf, chunk);
        if (sum == total)
            return 0;
    }
    PyErr_SetString(PyExc_ValueError, "too short or too long");
    return -1;
}

/* The distances of a chunk, four bytes each. */
static PyObject *
open_chunk(PyObject *inflate, const Shelf *shelf, Py_ssize_t chunk)
{
    uint64_t begin = 0, end = (uint64_t)shelf->length, count = size_of(shelf, chunk);
    if (shelf->ends) {
        end = four_bytes(shelf->ends + 4 * chunk) < end ? four_bytes(shelf->ends + 4 * chunk) : end;
        begin = chunk ? four_bytes(shelf->ends + 4 * (chunk - 1)) : 0;
    }
    int planes = begin < end ? shelf->packed[begin] & 127 : 0;
    if (planes < 1 || planes > 4 || count > PY_SSIZE_T_MAX / 8)
        return PyErr_Format(PyExc_ValueError, "no such numbers");
    const uint8_t *raw = shelf->packed + begin + 1;
    uint64_t length = end - begin - 1, size = (uint64_t)planes * count;
    PyObject *owner = NULL, *found = NULL;
    if (shelf->packed[begin] & 128) {
        PyObject *view = PyMemoryView_FromMemory((char *)raw, (Py_ssize_t)length, PyBUF_READ);
        Py_ssize_t room = (Py_ssize_t)(size < 1 << 20 ? size : 1 << 20) + 1; /* a damaged chunk may say anything */
        owner = view ? PyObject_CallFunction(inflate, "Nin", view, -15, room) : NULL;
        if (!owner)
            return NULL;
        length = PyBytes_Check(owner) ? (uint64_t)PyBytes_GET_SIZE(owner) : size + 1;
        raw = length <= size ? (const uint8_t *)PyBytes_AS_STRING(owner) : raw;
    }
    if (length != size)
        PyErr_SetString(PyExc_ValueError, "too short or too long");
    else if ((found = PyBytes_FromStringAndSize(NULL, 4 * (Py_ssize_t)count))) {
        uint8_t *to = (uint8_t *)PyBytes_AS_STRING(found);
        memset(to, 0, 4 * (size_t)count);
        for (int plane = 0; plane < planes; plane++, raw += count)
            for (uint64_t place = 0; place < count; place++)
                to[4 * place + (uint64_t)plane] = raw[place];
    }
    Py_XDECREF(owner);
    return found;
}

/* The chunk of that number, which may be open already; then `grown` tells by how much memory. */
static PyObject *
opened_chunk(PyObject *inflate, const Shelf *shelf, Py_ssize_t chunk, PyObject *opened, Py_ssize_t number,
             Py_ssize_t *grown)
{
    PyObject *key = PyLong_FromSsize_t(number);
    if (!key)
        return NULL;
    PyObject *found = Py_XNewRef(PyDict_GetItemWithError(opened, key));
    if (!found && !PyErr_Occurred() && (found = open_chunk(inflate, shelf, chunk))) {
        *grown += 300 + PyBytes_GET_SIZE(found);
        if (PyDict_SetItem(opened, key, found))
            Py_CLEAR(found);
    }
    Py_DECREF(key);
    if (found && (!PyBytes_Check(found) || (uint64_t)PyBytes_GET_SIZE(found) != 4 * size_of(shelf, chunk))) {
        Py_CLEAR(found);
        PyErr_SetString(PyExc_ValueError, "a chunk of another size");
    }
    return found;
}

/* The distances of some stretches (rising), in pieces. */
static PyObject *
pieces_of(PyObject *inflate, const Shelf *shelves, Py_ssize_t count, PyObject *opened, const uint64_t *begins,
          const uint64_t *ends, Py_ssize_t stretches, Py_ssize_t *grown)
{
    PyObject *pieces = PyList_New(0), *bytes = NULL;
    Py_ssize_t shelf = 0, chunk = 0, number = 0;
    uint64_t first = 0; /* distances before the chunk */
    int failed = !pieces;
    for (Py_ssize_t at = 0; !failed && at < stretches; at++)
        for (uint64_t start = begins[at]; !failed && start < ends[at];) {
            while (shelf < count && (chunk == shelves[shelf].chunks || start >= first + size_of(&shelves[shelf], chunk))) {
                Py_CLEAR(bytes);
                if (chunk == shelves[shelf].chunks) {
                    shelf++;
                    chunk = 0;
                }
                else {
                    first += size_of(&shelves[shelf], chunk++);
                    number++;
                }
            }
            if (shelf == count) {
                PyErr_SetString(PyExc_ValueError, "fewer places than are told");
                failed = 1;
                break;
            }
            if (!bytes && !(bytes = opened_chunk(inflate, &shelves[shelf], chunk, opened, number, grown)))
                failed = 1;
            else {
                uint64_t last = first + size_of(&shelves[shelf], chunk), stop = ends[at] < last ? ends[at] : last;
                PyObject *piece = PyBytes_FromStringAndSize(PyBytes_AS_STRING(bytes) + 4 * (start - first),
                                                            4 * (Py_ssize_t)(stop - start));
                failed = !piece || PyList_Append(pieces, piece);
                Py_XDECREF(piece);
                start = stop;
            }
        }
    Py_XDECREF(bytes);
    if (failed)
        Py_CLEAR(pieces);
    return pieces;
}

/* Add how many distances of one field each shelf has, by how many postings are on it. */
static int
add_totals(PyObject *told, const Py_ssize_t *postings, Py_ssize_t count, uint64_t *totals)
{
    Array counts;
    if (array_open(told, "BHq", &counts))
        return -1;
    Py_ssize_t at = 0;
    for (Py_ssize_t shelf = 0; shelf < count && at >= 0; shelf++) {
        Py_ssize_t end = postings[shelf] > counts.count - at ? -1 : at + postings[shelf];
        totals[shelf] += end < 0 ? 0 : places_between(&counts, at, end);
        at = end;
    }
    int good = at == counts.count;
    PyBuffer_Release(&counts.view);
    if (!good)
        PyErr_SetString(PyExc_ValueError, "too short or too long");
    return good ? 0 : -1;
}

/* Read (postings, positions) of each shelf. */
static int
open_shelves(PyObject *told, PyObject *fields, Shelf *shelves, uint64_t *totals, Py_ssize_t *postings)
{
    Py_ssize_t count = PyTuple_GET_SIZE(told);
    for (Py_ssize_t at = 0; at < count; at++) {
        PyObject *one = PyTuple_GET_ITEM(told, at), *blob;
        if (!PyTuple_Check(one) || !PyArg_ParseTuple(one, "nS", &postings[at], &blob) || postings[at] < 0) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_TypeError, "how many postings, and bytes, were expected");
            return -1;
        }
    }
    for (Py_ssize_t field = 0; field < PyList_GET_SIZE(fields); field++)
        if (add_totals(PyList_GET_ITEM(fields, field), postings, count, totals))
            return -1;
    for (Py_ssize_t at = 0; at < count; at++)
        if (open_shelf(PyTuple_GET_ITEM(PyTuple_GET_ITEM(told, at), 1), totals[at], &shelves[at]))
            return -1;
    return 0;
}

/* What `distances` gives of shelves that were read. */
static PyObject *
read_shelves(PyObject *inflate, PyObject *fields, PyObject *opened, const Array *wanted, const Shelf *shelves,
             Py_ssize_t count)
{
    uint64_t *begins = PyMem_Calloc(2 * (size_t)wanted->count + 1, sizeof(uint64_t)), *ends = begins + wanted->count;
    if (!begins)
        return PyErr_NoMemory();
    int failed = 0;
    for (Py_ssize_t field = 0; !failed && field < PyList_GET_SIZE(fields); field++)
        failed = add_stretches(PyList_GET_ITEM(fields, field), wanted, begins, ends);
    Py_ssize_t grown = 0;
    PyObject *pieces =
        failed ? NULL : pieces_of(inflate, shelves, count, opened, begins, ends, wanted->count, &grown);
    PyMem_Free(begins);
    return pieces ? Py_BuildValue("Nn", pieces, grown) : NULL;
}

PyObject *
distances_of(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *inflate, *fields, *told, *opened, *asked, *made = NULL;
    Array wanted;
    if (!PyArg_ParseTuple(args, "OO!O!O!O:distances", &inflate, &PyList_Type, &fields, &PyTuple_Type, &told,
                          &PyDict_Type, &opened, &asked) ||
        array_open(asked, "q", &wanted))
        return NULL;
    Py_ssize_t count = PyTuple_GET_SIZE(told);
    Shelf *shelves = PyMem_New(Shelf, count);
    uint64_t *totals = PyMem_Calloc((size_t)count + 1, sizeof(uint64_t));
    Py_ssize_t *postings = PyMem_New(Py_ssize_t, count);
    if (!shelves || !totals || !postings)
        PyErr_NoMemory();
    else if (!open_shelves(told, fields, shelves, totals, postings))
        made = read_shelves(inflate, fields, opened, &wanted, shelves, count);
    PyMem_Free(shelves);
    PyMem_Free(totals);
    PyMem_Free(postings);
    PyBuffer_Release(&wanted.view);
    return made;
}
