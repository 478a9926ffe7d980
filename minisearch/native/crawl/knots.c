/* Knots: the tree of a page that is written by the book, as those want it who walk through trees (tree.h).
 *
 * The same in Python: LexborHTMLParser, for minisearch/crawl/extract.py
 */
#include "strict.h"

typedef struct {
    PyObject_HEAD
    PyObject *markup; /* texts are pieces of it */
    Block *blocks;
    Knot *root;
} Strict;

static Knot *first_child(Knot *knot) { return knot->first; }
static Knot *next(Knot *knot) { return knot->next; }
static Knot *parent(Knot *knot) { return knot->parent; }
static uintptr_t tag_of(Knot *knot) { return knot->tag; }
static int type_of(Knot *knot) { return knot->type; }
static Trait *first_trait(Knot *knot) { return knot->traits; }
static Trait *next_trait(Trait *trait) { return trait->next; }

static const uint8_t *
text_of(Knot *knot, size_t *size)
{
    *size = knot->size;
    return knot->said;
}

static const uint8_t *
name_of(Trait *trait, size_t *size)
{
    *size = trait->name_size;
    return trait->name;
}

static const uint8_t *
value_of(Trait *trait, size_t *size)
{
    *size = trait->value_size;
    return trait->value;
}

static const uint8_t *
tag_name_of(Knot *knot, size_t *size)
{
    *size = knot->tag == UNHEARD_OF ? knot->size : KNOWN_TAGS[knot->tag].size;
    return knot->tag == UNHEARD_OF ? knot->said : (const uint8_t *)KNOWN_TAGS[knot->tag].name;
}

/* Addresses in the order of tree.h. */
static PyObject *
functions(void)
{
    void *all[] = {first_child, next, parent, tag_of, type_of, text_of, first_trait, next_trait, name_of, value_of,
                   tag_name_of};
    Py_ssize_t count = sizeof all / sizeof *all;
    PyObject *found = PyTuple_New(count);
    for (Py_ssize_t i = 0; found && i < count; i++) {
        PyObject *address = PyLong_FromVoidPtr(all[i]);
        if (!address)
            Py_CLEAR(found);
        else
            PyTuple_SET_ITEM(found, i, address);
    }
    return found;
}

static PyObject *
tags(void)
{
    PyObject *found = PyTuple_New((Py_ssize_t)KNOWN_COUNT);
    for (size_t i = 0; found && i < KNOWN_COUNT; i++) {
        PyObject *name = PyUnicode_FromString(KNOWN_TAGS[i].name);
        if (!name)
            Py_CLEAR(found);
        else
            PyTuple_SET_ITEM(found, (Py_ssize_t)i, name);
    }
    return found;
}

static PyObject *
strict_new(PyTypeObject *type, PyObject *args, PyObject *Py_UNUSED(options))
{
    PyObject *markup;
    if (!PyArg_ParseTuple(args, "S:Strict", &markup))
        return NULL;
    Strict *self = (Strict *)PyType_GenericAlloc(type, 0);
    if (!self)
        return NULL;
    self->markup = Py_NewRef(markup);
    self->root = build_tree(&self->blocks, (const uint8_t *)PyBytes_AS_STRING(markup), (size_t)PyBytes_GET_SIZE(markup));
    return (PyObject *)self;
}

static void
strict_dealloc(Strict *self)
{
    blocks_free(self->blocks);
    Py_XDECREF(self->markup);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyObject *
strict_root(Strict *self, void *Py_UNUSED(closure))
{
    return self->root ? PyLong_FromVoidPtr(self->root) : PyLong_FromLong(0);
}

static PyGetSetDef strict_traits[] = {
    {"root", (getter)strict_root, NULL, "The address of the <html>, 0 if the page is not written by the book.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject StrictType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "minisearch.native.compiled.Strict",
    .tp_doc = "Strict(markup): a page in UTF-8 that is written by the book.",
    .tp_basicsize = sizeof(Strict),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = strict_new,
    .tp_dealloc = (destructor)strict_dealloc,
    .tp_getset = strict_traits,
};

/* What belongs to the type: how its trees are walked, and the names of its elements by their numbers. */
int
strict_ready(void)
{
    PyObject *found[] = {functions(), tags()};
    const char *names[] = {"functions", "tags"};
    int failed = PyType_Ready(&StrictType);
    for (int i = 0; i < 2; i++) {
        failed = failed || !found[i] || PyDict_SetItemString(StrictType.tp_dict, names[i], found[i]);
        Py_XDECREF(found[i]);
    }
    return failed ? -1 : 0;
}
