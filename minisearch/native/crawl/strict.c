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

/* A doctype: by most of them the standard is followed to the letter. The first decides; where there is another, somebody
 * has put two pages together. */
static const uint8_t *
read_doctype(Builder *builder, const uint8_t *at, const uint8_t *end)
{
    static const char plain[] = "doctype html>";
    if (builder->stage != AT_START || builder->has_doctype || end - at < (Py_ssize_t)sizeof plain ||
        PyOS_strnicmp((const char *)at, "doctype", 7))
        return NULL;
    builder->has_doctype = 1;
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
    if (!begin_element(builder, &tag, sort))
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
        return end_element(builder, &tag, sort) ? at : NULL;
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

Knot *
build_tree(Block **blocks, const uint8_t *at, size_t size)
{
    Builder *builder = malloc(sizeof *builder);
    const uint8_t *end = at + size;
    if (!builder)
        return NULL;
    builder->blocks = blocks;
    builder->root = NULL;
    builder->stage = AT_START;
    builder->has_doctype = 0;
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
