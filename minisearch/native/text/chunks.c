/* Chunks: the number of every chunk of some texts, in one pass over their bytes.
 *
 * A table with open addressing (Peterson's linear probing, 1957). A slot holds the first eight bytes of its chunk, so
 * that most chunks are told apart without a look at their other bytes, which lie end to end in one long row.
 *
 * The same with numpy: minisearch/text/table.py, and how it is used: minisearch/text/chunks.py
 */
#include "native.h"

enum { HEAD = 8, FIRST_SLOTS = 1 << 12, ROOM = 2 /* slots for each chunk, at least */, AHEAD = 16, STRETCH = 4096 };

static inline uint64_t
first_bytes(const uint8_t *chunk, size_t size)
{
    uint64_t head = 0;
    if (size >= HEAD)
        memcpy(&head, chunk, HEAD);
    else
        memcpy(&head, chunk, size);
    return head;
}

/* The same where at least eight bytes can be read. */
static inline uint64_t
first_of_many(const uint8_t *chunk, size_t size)
{
    uint64_t head;
    memcpy(&head, chunk, HEAD);
    if (size >= HEAD)
        return head;
    uint64_t others = ~(uint64_t)0; /* the bytes beyond the chunk, which come last in memory */
    others = PY_LITTLE_ENDIAN ? others << 8 * size : others >> 8 * size;
    return head & ~others;
}

static inline uint64_t
stirred(uint64_t number)
{
    number ^= number >> 32;
    number *= 0x9E3779B97F4A7C15u;
    return number ^ number >> 29;
}

static inline uint64_t
hash_of(const Table *self, const uint8_t *chunk, size_t size, uint64_t head)
{
    uint64_t hash = stirred(head ^ self->seed) + size;
    for (size_t at = HEAD; at < size; at += HEAD)
        hash = stirred(hash ^ first_bytes(chunk + at, size - at));
    return stirred(hash);
}

static inline Slot *
slot_of(const Table *self, const uint8_t *chunk, size_t size, uint64_t head, uint64_t hash)
{
    for (size_t place = hash & (self->count - 1);; place = (place + 1) & (self->count - 1)) {
        Slot *slot = &self->slots[place];
        if (!slot->size)
            return slot;
        if (slot->head == head && slot->size == size && slot->hash == (uint32_t)hash &&
            (size <= HEAD || !memcmp(self->bytes.bytes + slot->at, chunk, size)))
            return slot;
    }
}

static int
grow(Table *self)
{
    size_t count = self->count * 2;
    Slot *old = self->slots, *slots = calloc(count, sizeof(Slot));
    if (!slots) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < self->count; i++)
        if (old[i].size) {
            size_t place = old[i].hash & (count - 1); /* there are fewer slots than the part of it that is kept can tell */
            while (slots[place].size)
                place = (place + 1) & (count - 1);
            slots[place] = old[i];
        }
    self->slots = slots;
    self->count = count;
    free(old);
    return 0;
}

/* Give a chunk that is new a number, in the free slot that was found for it. */
static int
take(Table *self, Slot *slot, const uint8_t *chunk, size_t size, uint64_t head, uint64_t hash, int32_t number)
{
    size_t at = self->bytes.size;
    if (at + size > UINT32_MAX) {
        PyErr_NoMemory();
        return -1;
    }
    if (row_append(&self->bytes, chunk, size))
        return -1;
    *slot = (Slot){head, (uint32_t)hash, (uint32_t)size, (uint32_t)at, number};
    return ++self->used * ROOM > self->count ? grow(self) : 0;
}

static inline int32_t
number_by_hash(Table *self, const uint8_t *chunk, size_t size, uint64_t head, uint64_t hash, long *next,
               PyObject *fresh)
{
    Slot *slot = slot_of(self, chunk, size, head, hash);
    if (slot->size)
        return slot->number;
    if (*next >= INT32_MAX) {
        PyErr_SetString(PyExc_OverflowError, "there are no numbers left");
        return -1;
    }
    if (fresh) {
        PyObject *met = PyBytes_FromStringAndSize((const char *)chunk, (Py_ssize_t)size);
        int failed = !met || PyList_Append(fresh, met);
        Py_XDECREF(met);
        if (failed)
            return -1;
    }
    return take(self, slot, chunk, size, head, hash, (int32_t)*next) ? -1 : (int32_t)(*next)++;
}

int32_t
number_of(Table *self, const uint8_t *chunk, size_t size, long *next, PyObject *fresh)
{
    uint64_t head = first_bytes(chunk, size);
    return number_by_hash(self, chunk, size, head, hash_of(self, chunk, size, head), next, fresh);
}

/* A chunk that is about to be looked up. */
typedef struct {
    const uint8_t *bytes;
    size_t size;
    uint64_t head, hash;
} Seen;

/* The numbers of some chunks. Memory is slow, and slots lie anywhere in it: it is asked for all of them before the first
 * one is looked at. */
static int
look_up(Table *self, const Seen *seen, int count, long *next, int32_t *numbers, PyObject *fresh)
{
    for (int i = 0; i < count; i++) {
        const Slot *slot = &self->slots[seen[i].hash & (self->count - 1)];
        if (seen[i].size > HEAD && slot->size == seen[i].size)
            FETCH(self->bytes.bytes + slot->at);
    }
    for (int i = 0; i < count; i++) {
        const Seen *one = &seen[i];
        numbers[i] = number_by_hash(self, one->bytes, one->size, one->head, one->hash, next, fresh);
        if (numbers[i] < 0)
            return -1;
    }
    return 0;
}

/* Which of some bytes are in chunks, 64 at most, a bit each. */
static inline uint64_t
which_inside(const uint8_t *inside, const uint8_t *text, size_t count)
{
    uint64_t found = 0;
    size_t at = 0;
    for (; at + 8 <= count; at += 8) {
        unsigned eight = 0;
        for (int i = 0; i < 8; i++) /* which becomes no loop */
            eight |= (unsigned)inside[text[at + (size_t)i]] << i;
        found |= (uint64_t)eight << at;
    }
    for (; at < count; at++)
        found |= (uint64_t)inside[text[at]] << at;
    return found;
}

/* Where chunks begin and end in a stretch of a text, one after the other; gives how many such places there are. Seen
 * byte by byte, where a word ends is always a surprise, which costs a processor more than many bytes do. `open` tells
 * whether a chunk goes on from one stretch to the next. */
static size_t
find_edges(const Table *self, const uint8_t *text, size_t from, size_t to, uint64_t *open, size_t *edges)
{
    size_t found = 0;
    for (; from < to; from += 64) {
        uint64_t inside = which_inside(self->inside, text + from, to - from < 64 ? to - from : 64);
        for (uint64_t edge = inside ^ (inside << 1 | *open); edge; edge &= edge - 1)
            edges[found++] = from + (size_t)lowest_bit(edge);
        *open = inside >> 63;
    }
    return found;
}

/* The chunks of one text: their numbers are written one after the other. */
static Py_ssize_t
read_text(Table *self, const uint8_t *text, size_t length, long *next, int32_t *numbers, PyObject *fresh)
{
    Py_ssize_t found = 0;
    Seen seen[AHEAD];
    size_t edges[STRETCH + 2], held = 0; /* where a chunk begins whose end is not yet found is kept */
    uint64_t open = 0;
    int count = 0;
    for (size_t from = 0; from < length; from += STRETCH) {
        size_t to = length - from < STRETCH ? length : from + STRETCH, edge = 0;
        held += find_edges(self, text, from, to, &open, edges + held);
        if (to == length && held % 2)
            edges[held++] = length;
        for (; edge + 1 < held; edge += 2) {
            Seen *one = &seen[count++];
            one->bytes = text + edges[edge];
            one->size = edges[edge + 1] - edges[edge];
            one->head = length - edges[edge] < HEAD ? first_bytes(one->bytes, one->size)
                                                    : first_of_many(one->bytes, one->size);
            one->hash = hash_of(self, one->bytes, one->size, one->head);
            FETCH(&self->slots[one->hash & (self->count - 1)]);
            if (count == AHEAD) {
                if (look_up(self, seen, count, next, numbers + found, fresh))
                    return -1;
                found += count;
                count = 0;
            }
        }
        edges[0] = edges[edge];
        held -= edge;
    }
    return look_up(self, seen, count, next, numbers + found, fresh) ? -1 : found + count;
}

static PyObject *
table_read(Table *self, PyObject *args)
{
    PyObject *texts, *numbers = NULL, *sizes = NULL, *fresh = NULL;
    long next;
    if (!PyArg_ParseTuple(args, "O!l:read", &PyList_Type, &texts, &next))
        return NULL;
    Py_ssize_t count = PyList_Size(texts), most = 0, found = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *text = PyList_GetItem(texts, i);
        if (!PyBytes_Check(text) || PyBytes_Size(text) >= INT32_MAX)
            return PyErr_Format(PyExc_TypeError, "a text is bytes, and less than 2 GB of them");
        most += PyBytes_Size(text) / 2 + 1; /* one byte and a blank each, the last without */
    }
    numbers = PyBytes_FromStringAndSize(NULL, most * (Py_ssize_t)sizeof(int32_t));
    sizes = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(int64_t));
    fresh = PyList_New(0);
    if (!numbers || !sizes || !fresh)
        goto failed;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *text = PyList_GetItem(texts, i);
        int32_t *here = (int32_t *)PyBytes_AsString(numbers) + found;
        const uint8_t *bytes = (const uint8_t *)PyBytes_AsString(text);
        Py_ssize_t more = read_text(self, bytes, (size_t)PyBytes_Size(text), &next, here, fresh);
        if (more < 0)
            goto failed;
        ((int64_t *)PyBytes_AsString(sizes))[i] = more;
        found += more;
    }
    if (_PyBytes_Resize(&numbers, found * (Py_ssize_t)sizeof(int32_t)))
        goto failed;
    return Py_BuildValue("NNN", numbers, sizes, fresh);
failed:
    Py_XDECREF(numbers);
    Py_XDECREF(sizes);
    Py_XDECREF(fresh);
    return NULL;
}

static PyObject *
table_new(PyTypeObject *type, PyObject *args, PyObject *Py_UNUSED(options))
{
    const char *cuts;
    Py_ssize_t size;
    unsigned long long seed;
    if (!PyArg_ParseTuple(args, "y#K:Table", &cuts, &size, &seed))
        return NULL;
    if (size != 256)
        return PyErr_Format(PyExc_ValueError, "what becomes of each of 256 bytes has to be told");
    Table *self = (Table *)PyType_GenericAlloc(type, 0);
    if (!self)
        return NULL;
    for (int byte = 0; byte < 256; byte++)
        self->inside[byte] = cuts[byte] != ' ';
    self->seed = seed;
    self->count = FIRST_SLOTS;
    self->slots = calloc(self->count, sizeof(Slot));
    if (!self->slots) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

static void
table_dealloc(Table *self)
{
    free(self->slots);
    row_free(&self->bytes);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMethodDef table_methods[] = {
    {"read", (PyCFunction)table_read, METH_VARARGS,
     "read(texts, first): the chunks of some texts by number (int32), how many each text has (int64), and those that\n"
     "were never met before, which are numbered from `first` on."},
    {"number", (PyCFunction)table_number, METH_VARARGS,
     "number(terms, first): the numbers of some terms (int32); new ones are numbered from `first` on (terms.c)."},
    {"in_order", (PyCFunction)table_in_order, METH_NOARGS,
     "All terms in order, and the place of each by its number (int32; terms.c)."},
    {"name", (PyCFunction)table_name, METH_VARARGS,
     "name(words, which, sizes, lines, mark, ask, longest, most, first): the numbers of the names of lines (named.c)."},
    {"hear", (PyCFunction)table_hear, METH_VARARGS,
     "hear(rows, tongues, tables, about, ask, first): learn what links say about pages (store/sayings.c)."},
    {"texts", (PyCFunction)table_texts, METH_NOARGS, "All chunks as str, and the number of each (int32)."},
    {"content", (PyCFunction)table_content, METH_NOARGS, "The bytes of all chunks, in the order of their numbers."},
    {"cut", (PyCFunction)table_cut, METH_VARARGS,
     "cut(chunks, first, longest): what plain chunks are made of, as minisearch/text/pieces.py tells (words.c)."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject TableType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "minisearch.native.compiled.Table",
    .tp_doc = "Table(cuts, seed): chunks and their numbers; bytes that `cuts` makes blanks are in none.",
    .tp_basicsize = sizeof(Table),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = table_new,
    .tp_dealloc = (destructor)table_dealloc,
    .tp_methods = table_methods,
};
