/* Nested elements: which may stand in which, and which end where others begin, if a page is written by the book.
 *
 * The same in Python: parse in minisearch/crawl/extract.py, by a parser that is ready for any page
 */
#include "strict.h"

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

int
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
add_tag(Builder *builder, const Tag *tag)
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

int
add_element(Builder *builder, const Tag *tag)
{
    return add_tag(builder, tag) != NULL;
}

/* -- open elements ------------------------------------------------------------------------ */

int
open_element(Builder *builder, const Tag *tag)
{
    Knot *knot = builder->depth < DEEPEST ? add_tag(builder, tag) : NULL;
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

int
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
    return sort == COLUMN ? add_element(builder, tag) : open_element(builder, tag);
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
    return tag->is_closed ? add_element(builder, tag) : open_element(builder, tag);
}

static int
begin_in_body(Builder *builder, const Tag *tag, Sort sort)
{
    Level *around = top(builder);
    switch (sort) {
    case VOID_TAG:
        return add_element(builder, tag);
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

int
begin_element(Builder *builder, const Tag *tag, Sort sort)
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
        return add_element(builder, tag);
    close_implied(builder, tag->number);
    return close_tag(builder, tag->number);
}

int
end_element(Builder *builder, const Tag *tag, Sort sort)
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
