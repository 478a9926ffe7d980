/* Memo: links that were read before, so that one which is written the same on the next page of the folder is the same
 * object again: nothing of it is decoded, joined or made. Those that stand on one page alone are many, and are not kept:
 * a link is when it is met for the second time. When the memo is full it begins anew.
 *
 * In Python every link is made anew, and is equal: read_links in minisearch/crawl/anchors.py
 */
#include "memo.h"

enum { LONGEST = 1000 }; /* bytes of a link that is kept, as it is written */

/* `seed` is nobody else's to know: no page can be made whose links all come to the same slot. */
static uint64_t
stirred(uint64_t hash, const uint8_t *bytes, size_t size)
{
    uint64_t eight;
    for (hash += size; size >= 8; bytes += 8, size -= 8) {
        memcpy(&eight, bytes, 8);
        hash = mixed(hash ^ eight);
    }
    eight = 0;
    if (size)
        memcpy(&eight, bytes, size);
    return mixed(hash ^ eight);
}

/* The slot of a link as it is written, which may be free. */
static Noted *
slot_of(const Memo *memo, const Wording *wording)
{
    for (size_t at = (size_t)wording->hash & (memo->slots - 1);; at = (at + 1) & (memo->slots - 1)) {
        Noted *noted = &memo->noted[at];
        if (!noted->link)
            return noted;
        if (noted->hash != wording->hash || noted->href != wording->href_size || noted->text != wording->text_size ||
            noted->nofollow != wording->nofollow)
            continue;
        const char *bytes = memo->bytes.bytes + noted->at;
        if (!memcmp(bytes, wording->href, noted->href) && !memcmp(bytes + noted->href, wording->text, noted->text) &&
            (noted->folder == wording->folder || !PyUnicode_Compare(noted->folder, wording->folder)))
            return noted;
    }
}

static void
forget(Memo *memo)
{
    for (size_t i = 0; i < memo->slots; i++)
        if (memo->noted[i].link) {
            Py_DECREF(memo->noted[i].link);
            Py_DECREF(memo->noted[i].folder);
        }
    memset(memo->noted, 0, memo->slots * sizeof *memo->noted);
    row_free(&memo->bytes);
    memo->used = 0;
    memo->letters = 0;
}

/* The link that is written so in this folder, if it was met before; NULL and no error if not. */
PyObject *
memo_find(Memo *memo, Wording *wording)
{
    wording->is_short = wording->href_size + wording->text_size <= LONGEST;
    if (!wording->is_short)
        return NULL;
    uint64_t hash = memo->seed ^ (uint64_t)PyObject_Hash(wording->folder) ^ (uint64_t)wording->nofollow;
    wording->hash = stirred(stirred(hash, wording->href, wording->href_size), wording->text, wording->text_size);
    return Py_XNewRef(slot_of(memo, wording)->link);
}

/* Keep a link that was made of what was not found, if it is met for the second time; 0, or -1 and an error. */
int
memo_keep(Memo *memo, const Wording *wording, PyObject *link)
{
    uint32_t sign = (uint32_t)(wording->hash >> 32) | 1, *seen = &memo->seen[wording->hash & (SEEN - 1)];
    if (!wording->is_short || *seen != sign) {
        *seen = sign;
        return 0;
    }
    size_t letters = wording->href_size + wording->text_size;
    letters += (size_t)PyUnicode_GET_LENGTH(PyTuple_GET_ITEM(link, 0));
    letters += (size_t)PyUnicode_GET_LENGTH(PyTuple_GET_ITEM(link, 1));
    if (memo->used >= memo->most || memo->letters + letters > memo->most_letters)
        forget(memo);
    if (letters > memo->most_letters)
        return 0;
    size_t at = memo->bytes.size;
    if (row_append(&memo->bytes, wording->href, wording->href_size) ||
        row_append(&memo->bytes, wording->text, wording->text_size))
        return -1;
    *slot_of(memo, wording) = (Noted){
        .hash = wording->hash,
        .link = Py_NewRef(link),
        .folder = Py_NewRef(wording->folder),
        .at = (uint32_t)at,
        .href = (uint16_t)wording->href_size,
        .text = (uint16_t)wording->text_size,
        .nofollow = (uint8_t)wording->nofollow,
    };
    memo->used++;
    memo->letters += letters;
    return 0;
}

static PyObject *
memo_new(PyTypeObject *type, PyObject *arguments, PyObject *Py_UNUSED(options))
{
    PyTypeObject *kind;
    Py_ssize_t most, letters;
    unsigned long long seed;
    if (!PyArg_ParseTuple(arguments, "O!nnK:LinkMemo", &PyType_Type, &kind, &most, &letters, &seed))
        return NULL;
    if (!PyType_IsSubtype(kind, &PyTuple_Type))
        return PyErr_Format(PyExc_TypeError, "a link is a tuple");
    if (most < 1 || most > 1 << 24 || letters < 0 || letters > 1 << 30)
        return PyErr_Format(PyExc_ValueError, "a memo has to have room for something, and not for all");
    Memo *self = (Memo *)PyType_GenericAlloc(type, 0);
    if (!self)
        return NULL;
    self->kind = (PyTypeObject *)Py_NewRef(kind);
    self->most = (size_t)most;
    self->most_letters = (size_t)letters;
    self->seed = seed;
    for (self->slots = 2; self->slots < 2 * self->most;)
        self->slots *= 2;
    self->noted = calloc(self->slots, sizeof *self->noted);
    self->seen = calloc(SEEN, sizeof *self->seen);
    if (!self->noted || !self->seen) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

static void
memo_dealloc(Memo *self)
{
    if (self->noted)
        forget(self);
    free(self->noted);
    free(self->seen);
    Py_XDECREF(self->kind);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

PyTypeObject LinkMemoType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "minisearch.native.compiled.LinkMemo",
    .tp_doc = "LinkMemo(kind, most, letters, seed): links, which are tuples of a kind, that were read before.",
    .tp_basicsize = sizeof(Memo),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = memo_new,
    .tp_dealloc = (destructor)memo_dealloc,
};
