/* Reading: a second walk through a page, for its text line by line, its headings, and its links with their words.
 *
 * What is cut (hidden, skipped, or a mere sign beside a heading) has no place in the text. A link inside of it has
 * words all the same, so that they are kept apart, in `said`, as long as any link is open.
 *
 * The same in Python: cut, mark and spell_out in minisearch/crawl/extract.py, read_links in minisearch/crawl/markup.py
 */
#include "memo.h"
#include "tree.h"

enum { LONGEST_ANCHOR = 200, LONGEST_TEXT = 2000 }; /* letters of a link that are kept, and that are looked at */

typedef struct {
    Tree *tree;
    PyObject *known, *folders, *find; /* where links lead; what plain ones lean on; whom to ask where others lead */
    Memo *memo;
    PyObject *nofollow;
    const int *numbers;                /* of the terms that are headings */
    size_t terms, next_term;
    int next_heading;
    Lines lines;
    Row open, said, anchor;
    Row locals; /* where in `open` those links are that lead to places on this page */
    size_t next_hidden;
    int cuts, links, in_body; /* elements that are open */
    PyObject *found, *odd;    /* all links; where in `found` those are that are for others to read */
} Reading;

static int
mark(Reading *reading, const char *sign)
{
    return reading->links ? row_append(&reading->said, sign, strlen(sign)) : 0;
}

static int
mark_heading(Reading *reading, int number)
{
    char sign[40];
    snprintf(sign, sizeof sign, "\xC2\x80\xC2\x84%d\xC2\x86", number);
    return mark(reading, sign);
}

static int
is_shown(const Reading *reading)
{
    return reading->in_body && !reading->cuts;
}

/* -- links -------------------------------------------------------------------------------- */

/* Whether a link leads to another place on the page; -1: it failed. Odd blanks before the sign are for Python to tell. */
static int
is_local(const uint8_t *href, size_t size)
{
    size_t at = 0;
    if (!href || !memchr(href, '#', size))
        return 0;
    while (at < size && (href[at] == ' ' || (href[at] >= '\t' && href[at] <= '\r') || (href[at] >= 28 && href[at] < 32)))
        at++;
    if (at < size && href[at] >= 0x80) {
        PyObject *text = PyUnicode_DecodeUTF8((const char *)href + at, (Py_ssize_t)(size - at), "replace");
        PyObject *rest = text ? PyObject_CallMethod(text, "lstrip", NULL) : NULL;
        int found = rest ? PyUnicode_GET_LENGTH(rest) && PyUnicode_READ_CHAR(rest, 0) == '#' : -1;
        Py_XDECREF(text);
        Py_XDECREF(rest);
        return found;
    }
    return at < size && href[at] == '#';
}

/* Some letter or digit was met: whatever local link is open and shows it is no mere sign. */
static void
heard(Reading *reading)
{
    Open *open = (Open *)reading->open.bytes;
    size_t *locals = (size_t *)reading->locals.bytes;
    for (size_t i = reading->locals.size / sizeof *locals; i-- > 0;) {
        Open *local = &open[locals[i]];
        if (local->says || local->level_of_cuts < reading->cuts) /* and so are, or do, those around it */
            return;
        local->says = 1;
    }
}

static int
has_letters(const uint8_t *text, size_t size)
{
    int is_ascii = 1, found = 0;
    for (size_t i = 0; i < size; i++) {
        if (Py_ISALNUM(text[i]))
            return 1;
        is_ascii &= text[i] < 0x80;
    }
    if (is_ascii)
        return 0;
    PyObject *letters = PyUnicode_DecodeUTF8((const char *)text, (Py_ssize_t)size, "replace");
    for (Py_ssize_t i = 0; letters && i < PyUnicode_GET_LENGTH(letters) && !found; i++)
        found = Py_UNICODE_ISALNUM(PyUnicode_READ_CHAR(letters, i));
    if (!letters)
        return -1;
    Py_DECREF(letters);
    return found;
}

/* Where a link leads; None if it leads nowhere. `known`: it leads there from all pages of the folder. */
static PyObject *
where(Reading *reading, const uint8_t *href, size_t size, int *known)
{
    PyObject *key = PyUnicode_DecodeUTF8((const char *)href, (Py_ssize_t)size, "replace");
    PyObject *url = key ? Py_XNewRef(PyDict_GetItemWithError(reading->known, key)) : NULL;
    if (key && !url && !PyErr_Occurred() && (url = joined(reading->folders, href, size)) &&
        PyDict_SetItem(reading->known, key, url))
        Py_CLEAR(url);
    *known = url != NULL;
    if (key && !url && !PyErr_Occurred())
        url = PyObject_CallOneArg(reading->find, key);
    Py_XDECREF(key);
    return url;
}

/* The link of a url and some words, NULL if these are none, or too many; or if there is an error. */
static PyObject *
worded(Reading *reading, PyObject *url, const uint8_t *text, size_t size)
{
    reading->anchor.size = 0;
    if (collapse(&reading->anchor, text, bytes_of_letters(text, size, LONGEST_TEXT)))
        return NULL;
    PyObject *anchor = PyUnicode_DecodeUTF8(reading->anchor.bytes, (Py_ssize_t)reading->anchor.size, "replace");
    int fits = anchor && PyUnicode_GET_LENGTH(anchor) && PyUnicode_GET_LENGTH(anchor) <= LONGEST_ANCHOR;
    PyObject *values[] = {url, anchor, reading->nofollow};
    PyObject *link = fits ? record_of(reading->memo->kind, values, 3) : NULL;
    Py_XDECREF(anchor);
    return link;
}

/* A link as most are, or NULL: then it is for others to tell, unless there is an error. */
static PyObject *
plain_link(Reading *reading, Node *node, const uint8_t *text, size_t size)
{
    Parser *parser = &reading->tree->parser;
    size_t length = 0, told;
    const uint8_t *href = NULL;
    for (Attribute *each = parser->first_attribute(node); each; each = parser->next_attribute(each)) {
        const uint8_t *name = parser->name(each, &told);
        if (name && told == 3 && !memcmp(name, "rel", 3))
            return NULL;
        if (name && told == 4 && !memcmp(name, "href", 4))
            href = parser->value(each, &length);
    }
    if (!href || !length)
        return NULL;
    const uint8_t *fragment = memchr(href, '#', length);
    length = fragment ? (size_t)(fragment - href) : length;
    int known, in_folder = PyTuple_GET_SIZE(reading->folders) > 0;
    Wording wording = {.href = href, .href_size = length, .text = text, .text_size = size,
                       .nofollow = reading->nofollow == Py_True};
    PyObject *link = NULL;
    if (in_folder) {
        wording.folder = PyTuple_GET_ITEM(reading->folders, 0);
        link = memo_find(reading->memo, &wording);
    }
    if (link)
        return link;
    PyObject *url = where(reading, href, length, &known);
    link = url && url != Py_None ? worded(reading, url, text, size) : NULL;
    if (link && known && in_folder && memo_keep(reading->memo, &wording, link))
        Py_CLEAR(link);
    Py_XDECREF(url);
    return link;
}

/* Take down the link that ends here, in the place that was kept for it; what is not plain as (tag, attributes, text). */
static int
take_down(Reading *reading, Open *open)
{
    const uint8_t *text = (const uint8_t *)(reading->said.bytes ? reading->said.bytes : "") + open->said;
    size_t size = reading->said.size - open->said, told = 0;
    PyObject *link = open->what & A ? plain_link(reading, open->node, text, size) : NULL;
    if (!link && !PyErr_Occurred()) {
        const uint8_t *tag = reading->tree->parser.tag_name(open->node, &told);
        PyObject *place = PyLong_FromSsize_t(open->found);
        size_t looked_at = bytes_of_letters(text, size, LONGEST_TEXT); /* each of nested links has all words within */
        link = Py_BuildValue("(NNN)", PyUnicode_DecodeUTF8((const char *)tag, tag ? (Py_ssize_t)told : 0, "replace"),
                             attributes_of(reading->tree, open->node),
                             PyUnicode_DecodeUTF8((const char *)text, (Py_ssize_t)looked_at, "replace"));
        if (!place || PyList_Append(reading->odd, place))
            Py_CLEAR(link);
        Py_XDECREF(place);
    }
    return link ? PyList_SetItem(reading->found, open->found, link) : -1;
}

/* -- elements ----------------------------------------------------------------------------- */

static int
begin(Reading *reading, Open *open)
{
    Tree *tree = reading->tree;
    Lines *lines = &reading->lines;
    int shown = is_shown(reading), is_there, failed = 0;
    size_t size;
    const uint8_t *value;
    switch (open->what & KIND) {
    case TERM:
        open->number = reading->next_term < reading->terms ? reading->numbers[reading->next_term++] : -1;
        break;
    case HEADED:
        open->number = reading->next_heading++;
        break;
    }
    if (open->number >= 0) {
        failed = mark_heading(reading, open->number);
        if (shown)
            lines_heading(lines, open->number);
        return failed;
    }
    switch (open->what & KIND) {
    case BLOCK: case TERM: case LINE_BREAK:
        failed = mark(reading, "\xC2\x80");
        if (shown)
            lines_break(lines);
        break;
    case CELL:
        failed = mark(reading, " ");
        if (shown)
            lines_blank(lines);
        break;
    case PREFORMATTED:
        failed = mark(reading, "\xC2\x80\xC2\x82");
        if (shown) {
            lines_break(lines);
            lines->pre++;
        }
        break;
    case IMAGE:
        value = reading->links ? attribute(tree, open->node, "alt", &size, &is_there) : NULL;
        if (value && size)
            failed = mark(reading, " ") || row_append(&reading->said, value, size) || mark(reading, " ");
        break;
    case LINK:
        value = attribute(tree, open->node, "href", &size, &is_there);
        is_there = open->what & A ? is_local(value, size) : 0;
        if (is_there < 0)
            return -1;
        if (is_there) {
            size_t place = reading->open.size / sizeof *open;
            open->is_local = 1;
            open->level_of_cuts = reading->cuts;
            failed = row_append(&reading->locals, &place, sizeof place);
        } else {
            open->found = PyList_GET_SIZE(reading->found);
            reading->links++;
            failed = PyList_Append(reading->found, Py_None);
        }
        break;
    }
    return failed;
}

static int
end(Reading *reading, Open *open)
{
    Lines *lines = &reading->lines;
    int shown = is_shown(reading), failed = 0;
    if (open->number >= 0) {
        if (shown)
            lines_heading_end(lines);
        return mark(reading, "\xC2\x87\xC2\x80");
    }
    switch (open->what & KIND) {
    case BLOCK: case TERM:
        failed = mark(reading, "\xC2\x80");
        if (shown)
            lines_break(lines);
        break;
    case CELL:
        failed = mark(reading, " ");
        if (shown)
            lines_blank(lines);
        break;
    case PREFORMATTED:
        failed = mark(reading, "\xC2\x83\xC2\x80");
        if (shown) {
            lines->pre--;
            lines_break(lines);
        }
        break;
    case LINK:
        if (open->is_local) {
            reading->locals.size -= sizeof(size_t);
            if (!open->says) {
                lines->place = open->place;
                reading->said.size = open->said;
            }
        } else {
            failed = take_down(reading, open);
            if (!--reading->links)
                reading->said.size = 0;
        }
        break;
    }
    return failed;
}

static int
leave(void *walk, Node *node)
{
    Reading *reading = walk;
    Open open, *all = (Open *)reading->open.bytes;
    size_t count = reading->open.size / sizeof open;
    open = all[count - 1];
    if (open.node != node || end(reading, &open))
        return -1;
    reading->open.size -= sizeof open;
    reading->tree->top = count > 1 ? all[count - 2].node : NULL;
    reading->in_body -= !!(open.what & BODY);
    if (open.is_cut) {
        reading->cuts--;
        if (reading->said.size > open.said)
            reading->said.size = open.said;
    }
    return 0;
}

static int
enter(Reading *reading, Node *node, int what)
{
    Tree *tree = reading->tree;
    Node **hidden = (Node **)tree->hidden.bytes;
    int kind = what & KIND, is_cut = kind == SKIPPED || kind == TITLE;
    if (reading->next_hidden < tree->hidden.size / sizeof node && hidden[reading->next_hidden] == node) {
        is_cut = 1;
        reading->next_hidden++;
    }
    if (!is_cut && !(what & BODY) && (kind == OTHER || kind > IMAGE))
        return 0;
    Open open = {.node = node, .what = (uint16_t)what, .is_cut = (uint8_t)is_cut, .number = -1};
    open.place = reading->lines.place;
    open.said = reading->said.size;
    if (what & BODY && tree->parser.parent(node) != tree->root)
        open.what = OTHER;
    reading->cuts += is_cut;
    reading->in_body += !!(open.what & BODY);
    if (begin(reading, &open) || row_append(&reading->open, &open, sizeof open))
        return -1;
    tree->top = node;
    return 0;
}

static int
hear(Reading *reading, Node *node)
{
    size_t size = 0;
    if (!is_shown(reading) && !reading->links && !reading->locals.size)
        return 0;
    const uint8_t *text = reading->tree->parser.text(node, &size);
    if (!text) {
        PyErr_NoMemory();
        return -1;
    }
    if (reading->locals.size) {
        int letters = has_letters(text, size);
        if (letters < 0)
            return -1;
        if (letters)
            heard(reading);
    }
    if (reading->links && row_append(&reading->said, text, size))
        return -1;
    return is_shown(reading) ? lines_write(&reading->lines, text, size) : 0;
}

/* -- the whole ---------------------------------------------------------------------------- */

static PyObject *
heading_lines(const Lines *lines)
{
    const HeadingLine *all = (const HeadingLine *)lines->headings.bytes;
    PyObject *found = PyList_New(0);
    for (size_t i = 0; found && i < lines->place.headings; i++) {
        const char *from = lines->text.bytes + all[i].from;
        PyObject *said = PyUnicode_DecodeUTF8(from, (Py_ssize_t)(all[i].to - all[i].from), "replace");
        PyObject *line = Py_BuildValue("(iNn)", all[i].number, said, (Py_ssize_t)all[i].start);
        if (!line || PyList_Append(found, line))
            Py_CLEAR(found);
        Py_XDECREF(line);
    }
    return found;
}

static PyObject *
walk(Reading *reading)
{
    Tree *tree = reading->tree;
    int failed = 0;
    tree->top = NULL;
    for (Node *node = tree->root; node; node = walk_on(tree, node, leave, reading, &failed)) {
        int what = what_is(tree, node);
        if (what < 0 || (what & TEXT ? hear(reading, node) : enter(reading, node, what)))
            return NULL;
    }
    if (failed)
        return NULL;
    PyObject *text = PyUnicode_DecodeUTF8(reading->lines.text.bytes, (Py_ssize_t)reading->lines.place.size, "replace");
    PyObject *headings = text ? heading_lines(&reading->lines) : NULL;
    if (!headings) {
        Py_XDECREF(text);
        return NULL;
    }
    return Py_BuildValue("(NNOO)", text, headings, reading->found, reading->odd);
}

PyObject *
tree_read(Tree *tree, PyObject *arguments)
{
    Reading reading = {.tree = tree};
    Py_buffer numbers;
    if (!PyArg_ParseTuple(arguments, "y*O!O!OO!O!:read", &numbers, &PyDict_Type, &reading.known, &PyTuple_Type,
                          &reading.folders, &reading.find, &LinkMemoType, &reading.memo, &PyBool_Type,
                          &reading.nofollow))
        return NULL;
    PyObject *found = NULL;
    if (PyTuple_GET_SIZE(reading.folders) && !PyUnicode_Check(PyTuple_GET_ITEM(reading.folders, 0))) {
        PyErr_SetString(PyExc_TypeError, "a folder is a string");
    } else if ((reading.found = PyList_New(0)) && (reading.odd = PyList_New(0))) {
        reading.numbers = numbers.buf;
        reading.terms = (size_t)numbers.len / sizeof *reading.numbers;
        found = walk(&reading);
    }
    Py_XDECREF(reading.found);
    Py_XDECREF(reading.odd);
    PyBuffer_Release(&numbers);
    lines_free(&reading.lines);
    row_free(&reading.open);
    row_free(&reading.said);
    row_free(&reading.anchor);
    row_free(&reading.locals);
    return found;
}
