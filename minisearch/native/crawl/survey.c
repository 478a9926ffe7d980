/* Survey: a first walk through a page, for all that has to be known before its text is read.
 *
 * The same in Python: sort, first_title, first_refresh, told, headed and hidden in minisearch/crawl/extract.py
 */
#include "tree.h"

enum { LONGEST_PLAIN = 1 << 16 };

/* A heading, or a term, until the first id inside it is met. */
typedef struct {
    Node *node;
    PyObject *told; /* the list that is told of it, borrowed */
} Nameless;

typedef struct {
    Tree *tree;
    PyObject *hides;
    PyObject *title, *bases, *metas, *relations, *headings, *terms;
    Row open, nameless; /* Open; Nameless */
    int foreign, noscript, body, defined; /* elements of these sorts that are open */
    Py_ssize_t links;
} Survey;

static void
count_open(Survey *survey, uint16_t what, int step)
{
    survey->foreign += what & FOREIGN ? step : 0;
    survey->noscript += what & NOSCRIPT ? step : 0;
    survey->body += what & BODY ? step : 0;
    survey->defined += what & DEFINES ? step : 0;
}

static int
leave(void *walk, Node *node)
{
    Survey *survey = walk;
    Open *open = (Open *)survey->open.bytes;
    Nameless *waiting = (Nameless *)survey->nameless.bytes;
    size_t count = survey->open.size / sizeof *open, some = survey->nameless.size / sizeof *waiting;
    count_open(survey, open[count - 1].what, -1);
    survey->open.size -= sizeof *open;
    survey->tree->top = count > 1 ? open[count - 2].node : NULL;
    if (some && waiting[some - 1].node == node)
        survey->nameless.size -= sizeof *waiting;
    return 0;
}

static int
append(PyObject *list, PyObject *item)
{
    int failed = !item || PyList_Append(list, item);
    Py_XDECREF(item);
    return failed ? -1 : 0;
}

/* An attribute as a string, None if there is none. */
static PyObject *
told(Tree *tree, Node *node, const char *name)
{
    size_t size;
    int is_there;
    const uint8_t *value = attribute(tree, node, name, &size, &is_there);
    return value ? PyUnicode_DecodeUTF8((const char *)value, (Py_ssize_t)size, "replace") : Py_NewRef(Py_None);
}

/* Whatever is open and has no id inside it yet has one now, unless this is empty. */
static int
name_all(Survey *survey, const uint8_t *value, size_t size)
{
    Nameless *waiting = (Nameless *)survey->nameless.bytes;
    size_t count = survey->nameless.size / sizeof *waiting;
    if (!value || !size || !count)
        return 0;
    PyObject *id = PyUnicode_DecodeUTF8((const char *)value, (Py_ssize_t)size, "replace");
    int failed = !id;
    for (size_t i = 0; i < count && !failed; i++)
        failed = PyList_Append(waiting[i].told, id);
    Py_XDECREF(id);
    survey->nameless.size = 0;
    return failed ? -1 : 0;
}

static int
is_likely_to_hide(const uint8_t *style, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (style[i] >= 0x80) /* letters that count as others if case does not */
            return 1;
        if (size - i >= 4 && !PyOS_strnicmp((const char *)style + i, "none", 4))
            return 1;
        if (size - i >= 6 && !PyOS_strnicmp((const char *)style + i, "hidden", 6))
            return 1;
    }
    return 0;
}

/* Look at the attributes that any element may have. */
static int
look_at(Survey *survey, Node *node, uint16_t what)
{
    Parser *parser = &survey->tree->parser;
    const uint8_t *id = NULL, *other = NULL;
    size_t size, id_size = 0, other_size = 0;
    int hides = 0;
    for (Attribute *each = parser->first_attribute(node); each; each = parser->next_attribute(each)) {
        const uint8_t *name = parser->name(each, &size);
        if (!name)
            continue;
        if (size == 2 && !memcmp(name, "id", 2))
            id = parser->value(each, &id_size);
        else if (size == 4 && what & A && !memcmp(name, "name", 4))
            other = parser->value(each, &other_size);
        else if (size == 6 && !memcmp(name, "hidden", 6))
            hides = 1;
        else if (size == 5 && !hides && !memcmp(name, "style", 5)) {
            size_t length = 0;
            const uint8_t *style = parser->value(each, &length);
            if (style && is_likely_to_hide(style, length)) {
                PyObject *said = PyUnicode_DecodeUTF8((const char *)style, (Py_ssize_t)length, "replace");
                PyObject *found = said ? PyObject_CallOneArg(survey->hides, said) : NULL;
                Py_XDECREF(said);
                if (!found)
                    return -1;
                hides = PyObject_IsTrue(found);
                Py_DECREF(found);
                if (hides < 0)
                    return -1;
            }
        }
    }
    if (hides && !(what & ALWAYS_SHOWN) && row_append(&survey->tree->hidden, &node, sizeof node))
        return -1;
    return id && id_size ? name_all(survey, id, id_size) : name_all(survey, other, other_size);
}

/* Take down a heading or a term: [level, address, whether it is part of another, id, id of its section, id inside]. */
static int
take_down(Survey *survey, Node *node, PyObject *list, int is_part)
{
    Tree *tree = survey->tree;
    Node *above = tree->parser.parent(node);
    int is_element = above && tree->parser.type(above) == ELEMENT, what = is_element ? what_is(tree, above) : 0;
    int has_section = what > 0 && what & SECTION;
    if (what < 0)
        return -1;
    size_t size = 0;
    const uint8_t *tag = tree->parser.tag_name(node, &size);
    PyObject *own = told(tree, node, "id");
    PyObject *section = has_section ? told(tree, above, "id") : Py_NewRef(Py_None);
    PyObject *found = own && section ? Py_BuildValue("[iNiNN]", size > 1 ? tag[1] - '0' : 0, PyLong_FromVoidPtr(node),
                                                     is_part, own, section) : NULL;
    Nameless waiting = {node, found};
    if (append(list, found))
        return -1;
    return row_append(&survey->nameless, &waiting, sizeof waiting);
}

static int
enter(Survey *survey, Node *node)
{
    Tree *tree = survey->tree;
    int what = what_is(tree, node);
    if (what < 0 || look_at(survey, node, (uint16_t)what))
        return -1;
    int failed = 0;
    switch (what & KIND) {
    case TITLE:
        if (survey->title == Py_None && !survey->foreign) {
            PyObject *title = words_of(tree, node, 0);
            if (!title)
                return -1;
            Py_SETREF(survey->title, title);
        }
        break;
    case BASE:
        failed = append(survey->bases, attributes_of(tree, node));
        break;
    case META:
        failed = append(survey->metas, Py_BuildValue("(Ni)", attributes_of(tree, node), survey->noscript));
        break;
    case RELATION:
        failed = append(survey->relations, Py_BuildValue("(Ni)", attributes_of(tree, node), survey->body));
        break;
    case HEADED:
        failed = take_down(survey, node, survey->headings, 0);
        break;
    case TERM:
        failed = take_down(survey, node, survey->terms, survey->defined);
        break;
    case LINK:
        survey->links++;
        break;
    }
    if (!failed && (what & (FOREIGN | NOSCRIPT | BODY | DEFINES) || (what & KIND) == HEADED)) {
        Open open = {.node = node, .what = (uint16_t)what};
        count_open(survey, (uint16_t)what, 1);
        tree->top = node;
        failed = row_append(&survey->open, &open, sizeof open);
    }
    return failed;
}

PyObject *
tree_survey(Tree *tree, PyObject *hides)
{
    Survey survey = {.tree = tree, .hides = hides, .title = Py_NewRef(Py_None)};
    PyObject **lists[] = {&survey.bases, &survey.metas, &survey.relations, &survey.headings, &survey.terms};
    PyObject *found = NULL;
    int failed = 0;
    tree->hidden.size = 0;
    tree->top = NULL;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        failed |= !(*lists[i] = PyList_New(0));
    for (Node *node = tree->root; node && !failed; node = walk_on(tree, node, leave, &survey, &failed))
        if (tree->parser.type(node) == ELEMENT && enter(&survey, node)) {
            failed = 1;
            break;
        }
    PyObject *html = failed ? NULL : attributes_of(tree, tree->root);
    if (html)
        found = Py_BuildValue("(NOOOOOOn)", html, survey.title, survey.bases, survey.metas, survey.relations,
                              survey.headings, survey.terms, survey.links);
    Py_DECREF(survey.title);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        Py_XDECREF(*lists[i]);
    row_free(&survey.open);
    row_free(&survey.nameless);
    return found;
}
