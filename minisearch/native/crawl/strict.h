/* Pages that are written by the book, read without a parser that is ready for any others. */
#ifndef MINISEARCH_STRICT_H
#define MINISEARCH_STRICT_H

#include "native.h"

/* How the HTML standard has the elements opened and closed. */
typedef enum {
    INLINE,  /* whatever is not named below */
    ODD,     /* with rules that are not followed here */
    VOID_TAG, BLOCK_TAG, HEADING, PRE, PARAGRAPH, ITEM, DEFINITION, RULE, FORM, BUTTON, OBJECT, FORMAT, ANCHOR, RAW,
    NO_SCRIPT, TABLE, SECTIONS, TABLE_ROW, TABLE_CELL, CAPTION, COLUMNS, COLUMN, SELECT, OPTION, OPTIONS, PAGE, HEAD_TAG,
    BODY_TAG, PAGE_TITLE, DRAWING
} Sort;

enum { UNHEARD_OF = 1000, WORDS = 0 }; /* the number of an element that is in no table, and that of a text */

typedef struct {
    char name[16];
    uint8_t size, sort;
    uint8_t is_implied; /* its end need not be written where another one's is */
    uint8_t is_special; /* a search for an open <li>, <dd> or <dt> ends here */
} Known;

extern const Known KNOWN_TAGS[];
extern const size_t KNOWN_COUNT;

typedef struct Trait {
    struct Trait *next;
    const uint8_t *name, *value; /* no value: NULL */
    uint32_t name_size, value_size;
} Trait;

typedef struct Knot {
    struct Knot *parent, *next, *first, *last;
    Trait *traits;
    const uint8_t *said; /* a text; or the name of an element that is unheard of */
    uint32_t size;
    uint16_t tag;
    uint8_t type;
} Knot;

/* Memory that is given back as a whole. */
typedef struct Block {
    struct Block *next;
    size_t used;
    char bytes[];
} Block;

void *block_take(Block **blocks, size_t size); /* NULL: there is no memory, or that was too much */
void blocks_free(Block *blocks);

/* A tag as it is written. */
typedef struct {
    uint16_t number;
    const uint8_t *name; /* in small letters */
    uint32_t size;
    int is_closed; /* by a stroke at its end */
    Trait *traits;
} Tag;

/* All of these give where they end, or NULL if what stands there is not by the book. */
const uint8_t *read_begin_tag(Block **blocks, const uint8_t *at, const uint8_t *end, Tag *tag);
const uint8_t *read_end_tag(Block **blocks, const uint8_t *at, const uint8_t *end, Tag *tag);
const uint8_t *pass_comment(const uint8_t *at, const uint8_t *end);
const uint8_t *find_end_of(const char *name, const uint8_t *at, const uint8_t *end);

/* A text with its references (&amp;) read, or NULL if one of them is not by the book. */
const uint8_t *read_references(Block **blocks, const uint8_t *text, uint32_t *size, int in_attribute);

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
    Block **blocks;
    Knot *root;
    Stage stage;
    int has_doctype; /* whether one was read */
    int is_doubtful; /* whether a table in a paragraph may be either inside of it or after it */
    int depth;       /* of the open elements, the last one */
    long knots;
    Level levels[DEEPEST + 1];
} Builder;

static inline uint8_t
sort_of(uint16_t tag)
{
    return tag == UNHEARD_OF ? INLINE : KNOWN_TAGS[tag].sort;
}

static inline Level *
top(Builder *builder)
{
    return &builder->levels[builder->depth];
}

/* All of these give 1, or 0 if that is not by the book (nested.c). */
int add_text(Builder *builder, const uint8_t *text, size_t size, int has_references);
int add_element(Builder *builder, const Tag *tag);
int open_element(Builder *builder, const Tag *tag);
int close_sort(Builder *builder, Sort sort);
int begin_element(Builder *builder, const Tag *tag, Sort sort);
int end_element(Builder *builder, const Tag *tag, Sort sort);

Knot *build_tree(Block **blocks, const uint8_t *at, size_t size); /* strict.c; NULL: the page is not written by the book */

static inline int
is_blank(uint8_t letter)
{
    return letter == ' ' || letter == '\n' || letter == '\t' || letter == '\f';
}

#endif
