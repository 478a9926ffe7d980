/* The tree of a page as the parser keeps it, seen through the parser's own functions. */
#ifndef MINISEARCH_TREE_H
#define MINISEARCH_TREE_H

#include "native.h"

enum { KNOWN = 1000 }; /* the parser numbers the elements it knows below that */
enum { ELEMENT = 1 };  /* of the types of nodes, by the DOM standard */

/* What an element is to us: the kinds of minisearch/crawl/markup.py, in the order of minisearch/crawl/reading.py */
typedef enum {
    OTHER, BLOCK, LINE_BREAK, CELL, PREFORMATTED, HEADED, TERM, SKIPPED, TITLE, LINK, IMAGE, BASE, META, RELATION
} Kind;

/* And what it is besides. */
enum { KIND = 15, A = 16, FOREIGN = 32, SECTION = 64, BODY = 128, ALWAYS_SHOWN = 256, NOSCRIPT = 512, DEFINES = 1024,
       TEXT = 2048 };

typedef void Node;
typedef void Attribute;

/* The parser's functions, in the order in which their addresses are given. */
typedef struct {
    Node *(*first_child)(Node *);
    Node *(*next)(Node *);
    Node *(*parent)(Node *);
    uintptr_t (*tag)(Node *);
    int (*type)(Node *);
    const uint8_t *(*text)(Node *, size_t *);
    Attribute *(*first_attribute)(Node *);
    Attribute *(*next_attribute)(Attribute *);
    const uint8_t *(*name)(Attribute *, size_t *);
    const uint8_t *(*value)(Attribute *, size_t *);
    const uint8_t *(*tag_name)(Node *, size_t *);
} Parser;

/* An element that is open while the tree is walked, and what is to be known again when it ends. */
typedef struct {
    Node *node;
    uint16_t what;
    uint8_t is_cut, is_local, says; /* hidden or skipped; leads to a place on this page; has a letter or digit */
    int number;                     /* of a heading, from 0 on; -1: none */
    int level_of_cuts;              /* how many cut elements are around a link, itself included */
    size_t said;                    /* where its text begins */
    Py_ssize_t found;               /* where a link stands among all of them */
    Place place;
} Open;

typedef struct {
    PyObject_HEAD
    PyObject *owner; /* the parser's tree, which must stay as long as we do */
    Parser parser;
    uint16_t what[KNOWN];
    PyObject *others;  /* name -> kind, of elements that the parser does not know */
    Node *root, *top;  /* where a walk began, and the last element that is open and is to be told of its end */
    Row hidden;        /* elements kept from the reader, in the order of the page; so far as it was surveyed */
} Tree;

int what_is(Tree *tree, Node *node);
Node *walk_on(Tree *tree, Node *node, int (*leave)(void *, Node *), void *walk, int *failed);
PyObject *attributes_of(Tree *tree, Node *node);
const uint8_t *attribute(Tree *tree, Node *node, const char *name, size_t *size, int *is_there);
PyObject *words_of(Tree *tree, Node *top, int unless_linked);

PyObject *tree_survey(Tree *tree, PyObject *hides);                 /* survey.c */
PyObject *tree_read(Tree *tree, PyObject *arguments);               /* reading.c */

#endif
