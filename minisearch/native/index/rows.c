/* Rows: terms in planes, as they are stored. What has many pages or places has a row of its own; those that are rare
 * share some.
 *
 * The same in Python: by_hand in minisearch/index/pack.py. The format is told in minisearch/packing.py
 */
#include "deflate.h"
#include <math.h>

/* Blobs of all terms, end to end. */
typedef struct {
    const int64_t *sizes;
    const uint8_t *next; /* that of the term that is looked at */
    Py_ssize_t left;     /* bytes from there on */
} Blobs;

typedef struct {
    PyObject *terms, *chunked;
    const int64_t *df;
    Blobs docs, places;
    int64_t rare, shortest;
    double full;
    PyTypeObject *row, *block;
    PyObject *rows, *blocks;
    Row room, joined; /* for what is deflated, and for places in chunks */
} Making;

/* What is kept of rare terms until all are known: their numbers; how long their blobs are, and these; and how much room
 * all up to each one take. */
typedef struct {
    Row numbers, lengths[2], blobs[2], takes;
} Kept;

static int
add(PyObject *list, PyObject *made)
{
    int failed = !made || PyList_Append(list, made);
    Py_XDECREF(made);
    return failed ? -1 : 0;
}

static int
add_record(PyObject *list, PyTypeObject *kind, PyObject **values, Py_ssize_t width)
{
    int failed = 0;
    for (Py_ssize_t i = 0; i < width; i++)
        failed |= !values[i];
    PyObject *record = failed ? NULL : record_of(kind, values, width);
    for (Py_ssize_t i = 0; i < width; i++)
        Py_XDECREF(values[i]);
    return add(list, record);
}

static int
write_number(Row *row, size_t number)
{
    uint8_t bytes[4] = {(uint8_t)number, (uint8_t)(number >> 8), (uint8_t)(number >> 16), (uint8_t)(number >> 24)};
    return row_append(row, bytes, sizeof(bytes));
}

static int
write_numbers(Row *row, PyObject *numbers)
{
    for (Py_ssize_t i = 0; i < PyList_Size(numbers); i++) {
        size_t number = PyLong_AsSize_t(PyList_GetItem(numbers, i));
        if (PyErr_Occurred() || write_number(row, number))
            return -1;
    }
    return 0;
}

/* The places of a term of many words: a table, and the chunks it tells of, each deflated. */
static PyObject *
put_together(Making *making, PyObject *told)
{
    PyObject *cuts, *sizes, *chunks;
    Row *row = &making->joined, ends = {0};
    PyObject *made = NULL, *packed = NULL;
    size_t end = 0;
    if (!PyTuple_Check(told) || !PyArg_ParseTuple(told, "O!O!O!:chunked", &PyList_Type, &cuts, &PyList_Type, &sizes,
                                                  &PyList_Type, &chunks))
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "chunks come with two lists");
    Py_ssize_t count = PyList_Size(chunks);
    if (PyList_Size(cuts) != count || PyList_Size(sizes) != count)
        return PyErr_Format(PyExc_ValueError, "chunks that do not belong to their table");
    PyObject *parts = PyList_New(0);
    for (Py_ssize_t i = 0; parts && i < count; i++) {
        PyObject *chunk = PyList_GetItem(chunks, i);
        if (!PyBytes_Check(chunk) || !PyBytes_Size(chunk)) {
            PyErr_SetString(PyExc_TypeError, "a chunk is bytes, and there are some");
            goto done;
        }
        packed = deflated_in(&making->room, (const uint8_t *)PyBytes_AsString(chunk), (size_t)PyBytes_Size(chunk), 1,
                             (size_t)making->shortest, deflate_into);
        end += packed ? (size_t)PyBytes_Size(packed) : 0;
        if (add(parts, packed) || write_number(&ends, end))
            goto done;
    }
    row->size = 0;
    if (!parts || row_append(row, "", 1) || write_number(row, (size_t)count) || write_numbers(row, cuts) ||
        row_append(row, ends.bytes, ends.size) || write_numbers(row, sizes))
        goto done;
    for (Py_ssize_t i = 0; i < count; i++) {
        packed = PyList_GetItem(parts, i);
        if (row_append(row, PyBytes_AsString(packed), (size_t)PyBytes_Size(packed)))
            goto done;
    }
    made = PyBytes_FromStringAndSize(row->bytes, (Py_ssize_t)row->size);
done:
    row_free(&ends);
    Py_XDECREF(parts);
    return made;
}

static int
keep(Kept *kept, const Making *making, Py_ssize_t term, double *taken)
{
    const Blobs *columns[2] = {&making->docs, &making->places};
    Py_ssize_t letters = PyUnicode_GetLength(PyList_GetItem(making->terms, term));
    int64_t both = making->docs.sizes[term] + making->places.sizes[term];
    if (letters < 0)
        return -1;
    *taken += (double)(letters + 3) + (double)both * 0.6; /* once they are deflated */
    for (int i = 0; i < 2; i++) {
        uint8_t length = (uint8_t)columns[i]->sizes[term];
        if (row_append(&kept->lengths[i], &length, 1) || row_append(&kept->blobs[i], columns[i]->next, length))
            return -1;
    }
    return row_append(&kept->numbers, &term, sizeof(term)) || row_append(&kept->takes, taken, sizeof(*taken)) ? -1 : 0;
}

/* Terms that share a row, from one of those kept on up to another; `at` is where their blobs begin. */
static int
add_block(Making *making, const Kept *kept, size_t low, size_t high, size_t *at)
{
    const Py_ssize_t *numbers = (const Py_ssize_t *)kept->numbers.bytes;
    Row raw = {0}, names = {0}, counts = {0};
    int failed = row_append(&raw, "", 1);
    for (int i = 0; !failed && i < 2; i++)
        failed = row_append(&raw, kept->lengths[i].bytes + low, high - low);
    for (int i = 0; !failed && i < 2; i++) {
        size_t size = 0;
        for (size_t n = low; n < high; n++)
            size += (uint8_t)kept->lengths[i].bytes[n];
        failed = row_append(&raw, kept->blobs[i].bytes + at[i], size);
        at[i] += size;
    }
    for (size_t n = low; !failed && n < high; n++) {
        Py_ssize_t size;
        const char *name = PyUnicode_AsUTF8AndSize(PyList_GetItem(making->terms, numbers[n]), &size);
        char digit = (char)('0' + making->df[numbers[n]]); /* of what is rare, one says it all */
        failed = !name || row_append(&names, "\n", n > low) || row_append(&names, name, (size_t)size) ||
                 row_append(&counts, ",", n > low) || row_append(&counts, &digit, 1);
    }
    if (!failed) {
        PyObject *values[] = {PyUnicode_DecodeUTF8(names.bytes, (Py_ssize_t)names.size, NULL),
                              PyUnicode_DecodeUTF8(counts.bytes, (Py_ssize_t)counts.size, NULL),
                              deflated_in(&making->room, (const uint8_t *)raw.bytes, raw.size, 1,
                                          (size_t)making->shortest, deflate_into)};
        failed = add_record(making->blocks, making->block, values, 3);
    }
    row_free(&raw);
    row_free(&names);
    row_free(&counts);
    return failed ? -1 : 0;
}

/* A row is full with the term that takes it beyond the next multiple of so many bytes, which begins another. */
static int
add_blocks(Making *making, const Kept *kept)
{
    const double *takes = (const double *)kept->takes.bytes;
    size_t count = kept->takes.size / sizeof(double), low = 0, at[2] = {0};
    if (!count)
        return 0;
    double rows = ceil(takes[count - 1] / making->full), next = 1;
    for (size_t n = 0; n < count; n++) {
        if (next >= rows || takes[n] < next * making->full)
            continue;
        if (n && add_block(making, kept, low, n, at))
            return -1;
        low = n;
        while (next < rows && takes[n] >= next * making->full)
            next++;
    }
    return add_block(making, kept, low, count, at);
}

static int
add_row(Making *making, Py_ssize_t term, PyObject *chunked)
{
    const Blobs *docs = &making->docs, *places = &making->places;
    PyObject *values[] = {
        Py_NewRef(PyList_GetItem(making->terms, term)),
        PyLong_FromLongLong(making->df[term]),
        deflated_in(&making->room, docs->next, (size_t)docs->sizes[term], 2, (size_t)making->shortest,
                    deflate_repeats_into),
        chunked ? put_together(making, chunked)
                : deflated_in(&making->room, places->next, (size_t)places->sizes[term], 1, (size_t)making->shortest,
                              deflate_into),
        PyUnicode_FromStringAndSize("", 0),
    };
    return add_record(making->rows, making->row, values, 5);
}

static int
make_rows(Making *making, Kept *kept)
{
    double taken = 0;
    Blobs *columns[2] = {&making->docs, &making->places};
    for (Py_ssize_t term = 0; term < PyList_Size(making->terms); term++) {
        int64_t docs = making->docs.sizes[term], places = making->places.sizes[term];
        if (docs < 0 || places < 0 || docs > making->docs.left || places > making->places.left ||
            !PyUnicode_Check(PyList_GetItem(making->terms, term)) || making->df[term] < 0) {
            PyErr_SetString(PyExc_ValueError, "terms that do not belong to their blobs");
            return -1;
        }
        PyObject *chunked = NULL;
        if (!places) { /* or there would be some */
            PyObject *number = PyLong_FromSsize_t(term);
            chunked = number ? PyDict_GetItemWithError(making->chunked, number) : NULL;
            Py_XDECREF(number);
            if (PyErr_Occurred())
                return -1;
        }
        int is_rare = !chunked && making->df[term] < making->rare && docs <= making->shortest &&
                      places <= making->shortest;
        if (is_rare ? keep(kept, making, term, &taken) : add_row(making, term, chunked))
            return -1;
        for (int i = 0; i < 2; i++) {
            columns[i]->next += columns[i]->sizes[term];
            columns[i]->left -= (Py_ssize_t)columns[i]->sizes[term];
        }
    }
    return add_blocks(making, kept);
}

/* rows(terms, df, doc_sizes, docs, place_sizes, places, chunked, rare, short, full, row, block) */
PyObject *
made_rows(PyObject *Py_UNUSED(module), PyObject *args)
{
    Making making = {0};
    Kept kept = {0};
    Py_buffer df, sizes[2], raw[2];
    Py_ssize_t rare, shortest, full;
    if (!PyArg_ParseTuple(args, "O!y*y*y*y*y*O!nnnO!O!:rows", &PyList_Type, &making.terms, &df, &sizes[0], &raw[0],
                          &sizes[1], &raw[1], &PyDict_Type, &making.chunked, &rare, &shortest, &full, &PyType_Type,
                          &making.row, &PyType_Type, &making.block))
        return NULL;
    Py_ssize_t size = PyList_Size(making.terms) * (Py_ssize_t)sizeof(int64_t);
    int right = df.len == size && sizes[0].len == size && sizes[1].len == size;
    right = right && rare > 0 && rare < 10 && shortest > 1 && shortest < 256 && full > 0;
    if (!right || !PyType_IsSubtype(making.row, &PyTuple_Type) || !PyType_IsSubtype(making.block, &PyTuple_Type))
        PyErr_SetString(PyExc_ValueError, "terms that do not belong to their blobs, or rows that cannot be");
    else {
        making.df = df.buf;
        making.docs = (Blobs){sizes[0].buf, raw[0].buf, raw[0].len};
        making.places = (Blobs){sizes[1].buf, raw[1].buf, raw[1].len};
        making.rare = rare;
        making.shortest = shortest;
        making.full = (double)full;
        making.blocks = PyList_New(0);
        making.rows = PyList_New(0);
        if (making.rows && making.blocks)
            (void)make_rows(&making, &kept);
    }
    Row *rows[] = {&kept.numbers,  &kept.lengths[0], &kept.lengths[1], &kept.blobs[0],
                   &kept.blobs[1], &kept.takes,      &making.room,     &making.joined};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        row_free(rows[i]);
    Py_buffer *buffers[] = {&df, &sizes[0], &sizes[1], &raw[0], &raw[1]};
    for (size_t i = 0; i < sizeof(buffers) / sizeof(*buffers); i++)
        PyBuffer_Release(buffers[i]);
    if (!PyErr_Occurred())
        return Py_BuildValue("NN", making.blocks, making.rows);
    Py_XDECREF(making.blocks);
    Py_XDECREF(making.rows);
    return NULL;
}
