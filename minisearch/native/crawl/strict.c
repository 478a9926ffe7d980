/* Strict reading: the tree of a page that is written by the book, in a fraction of the time that a parser takes.
 *
 * A parser of HTML spends its time on being ready for whatever may come. Most pages are made by programs, and close what
 * they open, where they should. Of such a page the tree is built here by those rules of the HTML standard that a page
 * without errors needs. At the first sign of anything else (an end without a beginning, text between the rows of a
 * table, drawings and formulas, a reference that is not well known) nothing is given, and the parser reads it all.
 *
 * The same in Python: parse in minisearch/crawl/extract.py, by a parser that is ready for any page
 */
#include "strict.h"

enum { DEEPEST = 200, MOST_KNOTS = 400000, ELEMENT_NODE = 1, TEXT_NODE = 3 };

/* What may stand inside of an element. */
typedef enum { FLOW, IN_TABLE, IN_SECTION, IN_ROW, IN_CELL, IN_CAPTION, IN_COLUMNS, IN_SELECT, IN_DRAWING, IN_TITLE } Inside;

/* How far the page has got. */
typedef enum { AT_START, IN_PAGE, IN_HEAD, IN_NOSCRIPT, PAST_HEAD, IN_BODY, PAST_BODY } Stage;

typedef struct {
    Knot *knot;
    uint16_t tag;
    uint8_t sort, inside;
    uint8_t in_paragraph, in_anchor, in_button, in_form; /* whether one is open, that counts from here */
} Level;

typedef struct {
    PyObject_HEAD
    PyObject *markup; /* texts are pieces of it */
    Block *blocks;
    Knot *root;
} Strict;

typedef struct {
    Block **blocks;
    Knot *root;
    Stage stage;
    int is_doubtful; /* whether a table in a paragraph may be either inside of it or after it */
    int depth;       /* of the open elements, the last one */
    long knots;
    Level levels[DEEPEST + 1];
} Builder;

static uint8_t
sort_of(uint16_t tag)
{
    return tag == UNHEARD_OF ? INLINE : KNOWN_TAGS[tag].sort;
}

static Level *
top(Builder *builder)
{
    return &builder->levels[builder->depth];
}

/* -- knots -------------------------------------------------------------------------------- */

static Knot *
add(Builder *builder, uint8_t type, uint16_t tag)
{
    Knot *knot = builder->knots++ < MOST_KNOTS ? block_take(builder->blocks, sizeof *knot) : NULL;
    if (!knot)
        return NULL;
    *knot = (Knot){.type = type, .tag = tag};
    if (builder->depth >= 0) {
        Knot *parent = knot->parent = top(builder)->knot;
        if (parent->last)
            parent->last->next = knot;
        else
            parent->first = knot;
        parent->last = knot;
    }
    return knot;
}

static int
add_text(Builder *builder, const uint8_t *text, size_t size, int has_references)
{
    if (!size)
        return 1;
    if (size > UINT32_MAX)
        return 0;
    uint32_t length = (uint32_t)size;
    if (has_references && !(text = read_references(builder->blocks, text, &length, 0)))
        return 0;
    Knot *knot = add(builder, TEXT_NODE, WORDS);
    if (!knot)
        return 0;
    knot->said = text;
    knot->size = length;
    return 1;
}

static Knot *
add_element(Builder *builder, const Tag *tag)
{
    Knot *knot = add(builder, ELEMENT_NODE, tag->number);
    if (!knot)
        return NULL;
    knot->traits = tag->traits;
    if (tag->number == UNHEARD_OF) {
        knot->said = tag->name;
        knot->size = tag->size;
    }
    return knot;
}

/* -- open elements ------------------------------------------------------------------------ */

static int
open_element(Builder *builder, const Tag *tag)
{
    Knot *knot = builder->depth < DEEPEST ? add_element(builder, tag) : NULL;
    if (!knot)
        return 0;
    static const Level none = {0};
    const Level *around = builder->depth >= 0 ? top(builder) : &none;
    Level level = *around;
    level.knot = knot;
    level.tag = tag->number;
    level.sort = sort_of(tag->number);
    switch (level.sort) {
    case PARAGRAPH: level.in_paragraph = 1; break;
    case ANCHOR: level.in_anchor = 1; break;
    case FORM: level.in_form = 1; break;
    case BUTTON: level.in_button = 1; level.in_paragraph = 0; break;
    case OBJECT: level.in_paragraph = level.in_anchor = 0; break;
    case TABLE: level.inside = IN_TABLE; level.in_paragraph = 0; break;
    case SECTIONS: level.inside = IN_SECTION; break;
    case TABLE_ROW: level.inside = IN_ROW; break;
    case TABLE_CELL: level.inside = IN_CELL; level.in_paragraph = level.in_anchor = 0; break;
    case CAPTION: level.inside = IN_CAPTION; level.in_paragraph = level.in_anchor = 0; break;
    case COLUMNS: level.inside = IN_COLUMNS; break;
    case SELECT: level.inside = IN_SELECT; break;
    case DRAWING: level.inside = IN_DRAWING; break;
    case PAGE_TITLE: level.inside = IN_TITLE; break;
    }
    builder->levels[++builder->depth] = level;
    return 1;
}

static void
close_implied(Builder *builder, uint16_t but)
{
    while (top(builder)->tag != UNHEARD_OF && KNOWN_TAGS[top(builder)->tag].is_implied && top(builder)->tag != but)
        builder->depth--;
}

/* Close the last element, which must be this one. */
static int
close_tag(Builder *builder, uint16_t tag)
{
    return top(builder)->tag == tag ? (builder->depth--, 1) : 0;
}

static int
close_sort(Builder *builder, Sort sort)
{
    return top(builder)->sort == sort ? (builder->depth--, 1) : 0;
}

/* Close the paragraph that is open, if one is. */
static int
close_paragraph(Builder *builder)
{
    return !top(builder)->in_paragraph || close_sort(builder, PARAGRAPH);
}

/* An item of a list, or a term or its definition, ends the one before it. */
static int
close_item(Builder *builder, Sort sort)
{
    for (int i = builder->depth; i > 0; i--) {
        const Level *level = &builder->levels[i];
        if (level->sort == sort) {
            close_implied(builder, level->tag);
            return close_tag(builder, level->tag);
        }
        if (level->tag != UNHEARD_OF && KNOWN_TAGS[level->tag].is_special)
            return 1;
    }
    return 1;
}

static int
close_cell(Builder *builder)
{
    close_implied(builder, WORDS);
    return close_sort(builder, TABLE_CELL);
}

/* Close what is open of a table, until this may come next: 1 if it may, 0 if that is not by the book. */
static int
close_in_table(Builder *builder, Sort next)
{
    for (;;) {
        switch (top(builder)->inside) {
        case IN_CELL:
            if (!close_cell(builder))
                return 0;
            break;
        case IN_ROW:
            if (next == TABLE_CELL)
                return 1;
            if (!close_sort(builder, TABLE_ROW))
                return 0;
            break;
        case IN_SECTION:
            if (next == TABLE_ROW)
                return 1;
            if (next == TABLE_CELL || !close_sort(builder, SECTIONS))
                return 0;
            break;
        case IN_COLUMNS:
            if (next == COLUMN)
                return 1;
            if (!close_sort(builder, COLUMNS))
                return 0;
            break;
        case IN_TABLE:
            return next != TABLE_CELL && top(builder)->sort == TABLE;
        default:
            return 0;
        }
    }
}

/* -- tags --------------------------------------------------------------------------------- */

/* An element that nobody has written, and that must be there. */
static int
open_unwritten(Builder *builder, const char *name)
{
    Tag tag = {0};
    while (strcmp(KNOWN_TAGS[++tag.number].name, name))
        ;
    return open_element(builder, &tag);
}

static int
begin_in_table(Builder *builder, const Tag *tag, Sort sort)
{
    if (!close_in_table(builder, sort))
        return 0;
    if (top(builder)->inside == IN_TABLE && (sort == TABLE_ROW || sort == COLUMN) &&
        !open_unwritten(builder, sort == TABLE_ROW ? "tbody" : "colgroup"))
        return 0;
    return sort == COLUMN ? add_element(builder, tag) != NULL : open_element(builder, tag);
}

static int
begin_in_select(Builder *builder, const Tag *tag, Sort sort)
{
    if (sort != OPTION && sort != OPTIONS)
        return 0;
    if (top(builder)->sort == OPTION)
        builder->depth--;
    if (sort == OPTIONS && top(builder)->sort == OPTIONS)
        builder->depth--;
    return open_element(builder, tag);
}

/* An element of a drawing; it may hold words, but nothing that would end the drawing. */
static int
begin_in_drawing(Builder *builder, const Tag *tag, Sort sort)
{
    if (tag->number != UNHEARD_OF && sort != PAGE_TITLE)
        return 0;
    return tag->is_closed ? add_element(builder, tag) != NULL : open_element(builder, tag);
}

static int
begin_in_body(Builder *builder, const Tag *tag, Sort sort)
{
    Level *around = top(builder);
    switch (sort) {
    case VOID_TAG:
        return add_element(builder, tag) != NULL;
    case RULE:
        return close_paragraph(builder) && add_element(builder, tag);
    case INLINE: case FORMAT: case NO_SCRIPT: case OBJECT: case SELECT: case DRAWING:
        break;
    case ANCHOR:
        if (around->in_anchor)
            return 0;
        break;
    case BUTTON:
        if (around->in_button)
            return 0;
        break;
    case FORM:
        if (around->in_form || !close_paragraph(builder))
            return 0;
        break;
    case HEADING:
        if (!close_paragraph(builder) || top(builder)->sort == HEADING)
            return 0;
        break;
    case BLOCK_TAG: case PRE: case PARAGRAPH:
        if (!close_paragraph(builder))
            return 0;
        break;
    case ITEM: case DEFINITION:
        if (!close_item(builder, sort) || !close_paragraph(builder))
            return 0;
        break;
    case TABLE:
        if ((builder->is_doubtful && around->in_paragraph) || !close_paragraph(builder))
            return 0;
        break;
    default:
        return 0;
    }
    return open_element(builder, tag);
}

static int
begin(Builder *builder, const Tag *tag, Sort sort)
{
    Inside inside = top(builder)->inside;
    if (inside == IN_DRAWING)
        return begin_in_drawing(builder, tag, sort);
    if (sort >= SECTIONS && sort <= COLUMN && sort != TABLE)
        return begin_in_table(builder, tag, sort);
    if (inside == IN_SELECT)
        return begin_in_select(builder, tag, sort);
    if (inside == IN_TABLE || inside == IN_SECTION || inside == IN_ROW || inside == IN_COLUMNS || inside == IN_TITLE)
        return 0;
    return begin_in_body(builder, tag, sort);
}

/* End a paragraph. Where none is open, there is an empty one. */
static int
end_paragraph(Builder *builder, const Tag *tag)
{
    if (!top(builder)->in_paragraph)
        return add_element(builder, tag) != NULL;
    close_implied(builder, tag->number);
    return close_tag(builder, tag->number);
}

static int
end(Builder *builder, const Tag *tag, Sort sort)
{
    Inside inside = top(builder)->inside;
    switch (sort) {
    case INLINE: case FORMAT: case ANCHOR: case NO_SCRIPT: case DRAWING: case PAGE_TITLE:
        return top(builder)->sort == sort && top(builder)->tag == tag->number &&
               (tag->number != UNHEARD_OF || (top(builder)->knot->size == tag->size &&
                                              !memcmp(top(builder)->knot->said, tag->name, tag->size))) &&
               close_tag(builder, tag->number);
    case PARAGRAPH:
        return inside != IN_TABLE && inside != IN_SECTION && inside != IN_ROW && inside != IN_COLUMNS &&
               inside != IN_SELECT && inside != IN_DRAWING && inside != IN_TITLE && end_paragraph(builder, tag);
    case ITEM: case DEFINITION:
        close_implied(builder, tag->number);
        return close_tag(builder, tag->number);
    case BLOCK_TAG: case HEADING: case PRE: case FORM: case BUTTON: case OBJECT: case CAPTION:
        close_implied(builder, WORDS);
        return close_tag(builder, tag->number);
    case TABLE_CELL:
        close_implied(builder, WORDS);
        return close_tag(builder, tag->number);
    case TABLE_ROW:
        return (inside != IN_CELL || close_cell(builder)) && close_sort(builder, TABLE_ROW);
    case SECTIONS:
        return (inside != IN_CELL || close_cell(builder)) &&
               (top(builder)->inside != IN_ROW || close_sort(builder, TABLE_ROW)) && close_tag(builder, tag->number);
    case COLUMNS:
        return close_tag(builder, tag->number);
    case TABLE:
        return inside != IN_CAPTION && close_in_table(builder, TABLE) && close_sort(builder, TABLE);
    case SELECT: case OPTION: case OPTIONS:
        if (inside != IN_SELECT)
            return 0;
        if (sort != OPTION && top(builder)->sort == OPTION)
            builder->depth--;
        if (sort == SELECT && top(builder)->sort == OPTIONS)
            builder->depth--;
        return close_tag(builder, tag->number);
    default:
        return 0;
    }
}

/* -- the page ----------------------------------------------------------------------------- */

static int
is_all_blank(const uint8_t *at, const uint8_t *end)
{
    while (at < end && is_blank(*at))
        at++;
    return at == end;
}

static int
hear(Builder *builder, const uint8_t *at, const uint8_t *until)
{
    Inside inside = builder->depth >= 0 ? top(builder)->inside : FLOW;
    int is_loose = builder->stage == IN_BODY && inside != IN_TABLE && inside != IN_SECTION && inside != IN_ROW &&
                   inside != IN_COLUMNS;
    if (!is_loose && !is_all_blank(at, until))
        return 0;
    if (builder->stage <= IN_PAGE)
        return 1;
    return add_text(builder, at, (size_t)(until - at), 1);
}

/* A script, a style or a title: nothing in it is a tag. */
static const uint8_t *
read_whole(Builder *builder, const Tag *tag, const uint8_t *at, const uint8_t *end)
{
    const uint8_t *until = find_end_of(KNOWN_TAGS[tag->number].name, at, end);
    Tag closing;
    if (!until || !open_element(builder, tag) ||
        !add_text(builder, at, (size_t)(until - at), sort_of(tag->number) == PAGE_TITLE))
        return NULL;
    builder->depth--;
    return read_end_tag(builder->blocks, until + 2, end, &closing);
}

/* A doctype: by most of them the standard is followed to the letter. */
static const uint8_t *
read_doctype(Builder *builder, const uint8_t *at, const uint8_t *end)
{
    static const char plain[] = "doctype html>";
    if (builder->stage != AT_START || end - at < (Py_ssize_t)sizeof plain || PyOS_strnicmp((const char *)at, "doctype", 7))
        return NULL;
    if (!PyOS_strnicmp((const char *)at, plain, sizeof plain - 1)) {
        builder->is_doubtful = 0;
        return at + sizeof plain - 1;
    }
    at = memchr(at, '>', (size_t)(end - at));
    return at ? at + 1 : NULL;
}

/* A tag that opens before the body does. */
static int
begin_head(Builder *builder, const Tag *tag, Sort sort)
{
    switch (builder->stage) {
    case AT_START:
        builder->stage = IN_PAGE;
        return sort == PAGE && open_element(builder, tag) && (builder->root = top(builder)->knot);
    case IN_PAGE:
        builder->stage = IN_HEAD;
        return sort == HEAD_TAG && open_element(builder, tag);
    case IN_HEAD: case IN_NOSCRIPT:
        if (sort == NO_SCRIPT && builder->stage == IN_HEAD) {
            builder->stage = IN_NOSCRIPT;
            return open_element(builder, tag);
        }
        return sort == VOID_TAG && (!strcmp(KNOWN_TAGS[tag->number].name, "meta") ||
                                    !strcmp(KNOWN_TAGS[tag->number].name, "link") ||
                                    (!strcmp(KNOWN_TAGS[tag->number].name, "base") && builder->stage == IN_HEAD)) &&
               add_element(builder, tag);
    case PAST_HEAD:
        builder->stage = IN_BODY;
        return sort == BODY_TAG && open_element(builder, tag);
    default:
        return 0;
    }
}

static const uint8_t *
read_opening(Builder *builder, const uint8_t *at, const uint8_t *end)
{
    Tag tag;
    if (!(at = read_begin_tag(builder->blocks, at, end, &tag)))
        return NULL;
    Sort sort = sort_of(tag.number);
    int is_empty = sort == VOID_TAG || sort == RULE || sort == COLUMN;
    int in_drawing = builder->stage == IN_BODY && top(builder)->inside == IN_DRAWING;
    if (tag.is_closed && !is_empty && !in_drawing)
        return NULL;
    if ((sort == RAW || sort == PAGE_TITLE) && !in_drawing) {
        int is_style = !strcmp(KNOWN_TAGS[tag.number].name, "style");
        int in_head = builder->stage == IN_HEAD || (builder->stage == IN_NOSCRIPT && is_style);
        Inside inside = builder->stage == IN_BODY ? top(builder)->inside : FLOW;
        if (!in_head && (builder->stage != IN_BODY || sort == PAGE_TITLE || (inside != FLOW && inside != IN_CELL)))
            return NULL;
        return read_whole(builder, &tag, at, end);
    }
    if (builder->stage != IN_BODY)
        return begin_head(builder, &tag, sort) ? at : NULL;
    if (!begin(builder, &tag, sort))
        return NULL;
    if (sort == PRE && at < end && *at == '\n')
        at++;
    return at;
}

/* Whether the body can end here: inside of some elements nobody heeds it. */
static int
may_end(Builder *builder)
{
    for (int i = builder->depth; i >= 0; i--)
        if (builder->levels[i].sort == OBJECT)
            return 0;
    return top(builder)->inside == FLOW;
}

static const uint8_t *
read_closing(Builder *builder, const uint8_t *at, const uint8_t *end_of_all)
{
    Tag tag;
    if (!(at = read_end_tag(builder->blocks, at, end_of_all, &tag)))
        return NULL;
    Sort sort = sort_of(tag.number);
    switch (builder->stage) {
    case IN_HEAD:
        builder->stage = PAST_HEAD;
        return sort == HEAD_TAG && close_sort(builder, HEAD_TAG) ? at : NULL;
    case IN_NOSCRIPT:
        builder->stage = IN_HEAD;
        return sort == NO_SCRIPT && close_sort(builder, NO_SCRIPT) ? at : NULL;
    case IN_BODY:
        if (sort == BODY_TAG) {
            builder->stage = PAST_BODY; /* what is open stays so */
            return may_end(builder) ? at : NULL;
        }
        return end(builder, &tag, sort) ? at : NULL;
    case PAST_BODY:
        return sort == PAGE ? at : NULL;
    default:
        return NULL;
    }
}

static const uint8_t *
read_next(Builder *builder, const uint8_t *at, const uint8_t *end)
{
    if (*at != '<') {
        const uint8_t *until = memchr(at, '<', (size_t)(end - at));
        if (!until)
            until = end;
        return hear(builder, at, until) ? until : NULL;
    }
    if (end - at < 4)
        return NULL;
    if (Py_ISALPHA(at[1]))
        return read_opening(builder, at + 1, end);
    if (at[1] == '/' && Py_ISALPHA(at[2]))
        return read_closing(builder, at + 2, end);
    if (at[1] == '!' && at[2] == '-' && at[3] == '-')
        return pass_comment(at + 4, end);
    if (at[1] == '!')
        return read_doctype(builder, at + 2, end);
    if (at[1] == '?' && builder->stage == AT_START) { /* <?xml version="1.0"?> */
        at = memchr(at, '>', (size_t)(end - at));
        return at ? at + 1 : NULL;
    }
    return NULL;
}

/* Whether a page has letters that are marks to us (U+0080 to U+0087, in minisearch/crawl/lines.py), or zeros: it needs
 * cleaning, which is for others to do. */
static int
is_unclean(const uint8_t *at, const uint8_t *end)
{
    if (at == end || memchr(at, 0, (size_t)(end - at)))
        return 1;
    while ((at = memchr(at, 0xC2, (size_t)(end - at))) && ++at < end)
        if (*at >= 0x80 && *at <= 0x87)
            return 1;
    return 0;
}

static Knot *
build(Block **blocks, const uint8_t *at, size_t size)
{
    Builder *builder = malloc(sizeof *builder);
    const uint8_t *end = at + size;
    if (!builder)
        return NULL;
    builder->blocks = blocks;
    builder->root = NULL;
    builder->stage = AT_START;
    builder->is_doubtful = 1;
    builder->depth = -1;
    builder->knots = 0;
    if (is_unclean(at, end))
        at = NULL;
    while (at && at < end)
        at = read_next(builder, at, end);
    Knot *root = at && builder->stage >= IN_BODY ? builder->root : NULL;
    free(builder);
    return root;
}

/* -- as the walks through a tree want it (tree.h) ------------------------------------------ */

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
    self->root = build(&self->blocks, (const uint8_t *)PyBytes_AS_STRING(markup), (size_t)PyBytes_GET_SIZE(markup));
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
