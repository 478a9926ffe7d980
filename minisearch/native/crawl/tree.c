/* Trees: a page as selectolax has parsed it, walked without an object for every element.
 *
 * The parser is lexbor. Its functions are called by their addresses, which whoever makes a Tree has looked up, and
 * nothing is known here of how it keeps its nodes: a Node is a pointer that is handed back to it.
 *
 * The same in Python: minisearch/crawl/extract.py
 */
#include "tree.h"

/* What an element is to us, -1 if it cannot be told. */
int
what_is(Tree *tree, Node *node)
{
    uintptr_t tag = tree->parser.tag(node);
    if (tag < KNOWN)
        return tree->what[tag];
    if (tree->parser.type(node) != ELEMENT)
        return OTHER;
    size_t size = 0;
    const uint8_t *name = tree->parser.tag_name(node, &size);
    PyObject *key = PyUnicode_DecodeUTF8((const char *)name, name ? (Py_ssize_t)size : 0, "replace");
    PyObject *known = key ? PyDict_GetItemWithError(tree->others, key) : NULL;
    Py_XDECREF(key);
    if (!known)
        return PyErr_Occurred() ? -1 : OTHER;
    return (int)PyLong_AsLong(known) & 0xFFFF;
}

/* The node after this one in the order of the page, NULL at the end; the open elements that end before it are left. */
Node *
walk_on(Tree *tree, Node *node, int (*leave)(void *, Node *), void *walk, int *failed)
{
    Node *next = tree->parser.first_child(node);
    while (!next) {
        if (node == tree->top && leave(walk, node)) {
            *failed = 1;
            return NULL;
        }
        if (node == tree->root)
            return NULL;
        next = tree->parser.next(node);
        if (!next && !(node = tree->parser.parent(node)))
            return NULL;
    }
    return next;
}

static PyObject *
text(const uint8_t *bytes, size_t size)
{
    return PyUnicode_DecodeUTF8((const char *)bytes, (Py_ssize_t)size, "replace");
}

/* All attributes of an element: name -> value, None where nothing is said. */
PyObject *
attributes_of(Tree *tree, Node *node)
{
    PyObject *found = PyDict_New();
    size_t size;
    Attribute *each = found ? tree->parser.first_attribute(node) : NULL;
    for (; each; each = tree->parser.next_attribute(each)) {
        const uint8_t *said = tree->parser.name(each, &size);
        PyObject *name = said ? text(said, size) : PyErr_NoMemory();
        size = 0;
        said = tree->parser.value(each, &size);
        PyObject *value = said ? text(said, size) : Py_NewRef(Py_None);
        int failed = !name || !value || PyDict_SetItem(found, name, value);
        Py_XDECREF(name);
        Py_XDECREF(value);
        if (failed) {
            Py_DECREF(found);
            return NULL;
        }
    }
    return found;
}

/* The value of an attribute, NULL if there is none; of several of that name there is but the first. */
const uint8_t *
attribute(Tree *tree, Node *node, const char *name, size_t *size, int *is_there)
{
    size_t length = strlen(name), told;
    *size = 0;
    *is_there = 0;
    for (Attribute *each = tree->parser.first_attribute(node); each; each = tree->parser.next_attribute(each)) {
        const uint8_t *said = tree->parser.name(each, &told);
        if (said && told == length && !memcmp(said, name, length)) {
            *is_there = 1;
            return tree->parser.value(each, size);
        }
    }
    return NULL;
}

/* The words inside an element; None if one of them is a link and that matters. */
PyObject *
words_of(Tree *tree, Node *top, int unless_linked)
{
    Row words = {0};
    PyObject *found = NULL;
    Node *root = tree->root, *open = tree->top;
    size_t size;
    int failed = 0, is_there;
    tree->root = top;
    tree->top = NULL;
    for (Node *node = top; node; node = walk_on(tree, node, NULL, NULL, &failed)) {
        uintptr_t tag = tree->parser.tag(node);
        if (tree->parser.type(node) == ELEMENT) {
            if (unless_linked && tag < KNOWN && tree->what[tag] & A) {
                attribute(tree, node, "href", &size, &is_there);
                if (is_there) {
                    found = Py_NewRef(Py_None);
                    goto done;
                }
            }
        } else if (tag < KNOWN && tree->what[tag] & TEXT) {
            const uint8_t *said = tree->parser.text(node, &size);
            if (said && row_append(&words, said, size))
                goto done;
        }
    }
    found = text((const uint8_t *)(words.bytes ? words.bytes : ""), words.size);
done:
    tree->root = root;
    tree->top = open;
    row_free(&words);
    return found;
}

static PyObject *
tree_words(Tree *self, PyObject *address)
{
    Node *node = PyLong_AsVoidPtr(address);
    return node ? words_of(self, node, 1) : NULL;
}

static PyObject *
tree_new(PyTypeObject *type, PyObject *args, PyObject *Py_UNUSED(options))
{
    PyObject *owner, *addresses, *others, *root;
    const char *what;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "OOO!y#O!:Tree", &owner, &root, &PyTuple_Type, &addresses, &what, &size, &PyDict_Type,
                          &others))
        return NULL;
    Tree *self = (Tree *)PyType_GenericAlloc(type, 0);
    if (!self)
        return NULL;
    void **functions = (void **)&self->parser;
    Py_ssize_t count = sizeof self->parser / sizeof *functions;
    self->root = PyLong_AsVoidPtr(root);
    if (!self->root || PyTuple_Size(addresses) != count || size != sizeof self->what) {
        Py_DECREF(self);
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "this is not what a tree is made of");
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        if (!(functions[i] = PyLong_AsVoidPtr(PyTuple_GET_ITEM(addresses, i)))) {
            Py_DECREF(self);
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "a function has no address");
            return NULL;
        }
    memcpy(self->what, what, sizeof self->what);
    self->owner = Py_NewRef(owner);
    self->others = Py_NewRef(others);
    return (PyObject *)self;
}

static void
tree_dealloc(Tree *self)
{
    row_free(&self->hidden);
    Py_XDECREF(self->others);
    Py_XDECREF(self->owner);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMethodDef tree_methods[] = {
    {"survey", (PyCFunction)tree_survey, METH_O, "survey(hides): see compiled.pyi"},
    {"read", (PyCFunction)tree_read, METH_VARARGS, "read(...): see compiled.pyi"},
    {"words", (PyCFunction)tree_words, METH_O, "words(address): see compiled.pyi"},
    {NULL, NULL, 0, NULL},
};

PyTypeObject TreeType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "minisearch.native.compiled.Tree",
    .tp_doc = "Tree(owner, root, functions, what, others): a page as the parser keeps it.",
    .tp_basicsize = sizeof(Tree),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = tree_new,
    .tp_dealloc = (destructor)tree_dealloc,
    .tp_methods = tree_methods,
};
