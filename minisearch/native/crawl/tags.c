/* Tags: how elements, attributes and references are written by the book, and read without looking back.
 *
 * Whatever the HTML standard calls an error, and whatever is rare, is not read here: then the parser does it all.
 *
 * The same in Python: parse in minisearch/crawl/extract.py, by a parser that is ready for any page
 */
#include "strict.h"

enum { MOST_TRAITS = 50, LONGEST_NAME = 40 };

#define TAG(name, ...) {name, sizeof name - 1, __VA_ARGS__}

/* By number; the first is no element, but a text. */
const Known KNOWN_TAGS[] = {
    TAG("-text", ODD),
    TAG("address", BLOCK_TAG, 0, 0), TAG("article", BLOCK_TAG, 0, 1), TAG("aside", BLOCK_TAG, 0, 1),
    TAG("blockquote", BLOCK_TAG, 0, 1), TAG("center", BLOCK_TAG, 0, 1), TAG("details", BLOCK_TAG, 0, 1),
    TAG("dir", BLOCK_TAG, 0, 1), TAG("div", BLOCK_TAG, 0, 0), TAG("dl", BLOCK_TAG, 0, 1),
    TAG("fieldset", BLOCK_TAG, 0, 1), TAG("figcaption", BLOCK_TAG, 0, 1), TAG("figure", BLOCK_TAG, 0, 1),
    TAG("footer", BLOCK_TAG, 0, 1), TAG("header", BLOCK_TAG, 0, 1), TAG("hgroup", BLOCK_TAG, 0, 1),
    TAG("main", BLOCK_TAG, 0, 1), TAG("menu", BLOCK_TAG, 0, 1), TAG("nav", BLOCK_TAG, 0, 1),
    TAG("ol", BLOCK_TAG, 0, 1), TAG("section", BLOCK_TAG, 0, 1), TAG("summary", BLOCK_TAG, 0, 1),
    TAG("ul", BLOCK_TAG, 0, 1),
    TAG("h1", HEADING, 0, 1), TAG("h2", HEADING, 0, 1), TAG("h3", HEADING, 0, 1), TAG("h4", HEADING, 0, 1),
    TAG("h5", HEADING, 0, 1), TAG("h6", HEADING, 0, 1),
    TAG("pre", PRE, 0, 1), TAG("p", PARAGRAPH, 1, 0), TAG("li", ITEM, 1, 1), TAG("dd", DEFINITION, 1, 1),
    TAG("dt", DEFINITION, 1, 1), TAG("hr", RULE), TAG("form", FORM, 0, 1), TAG("button", BUTTON, 0, 1),
    TAG("object", OBJECT, 0, 1),
    TAG("b", FORMAT), TAG("big", FORMAT), TAG("code", FORMAT), TAG("em", FORMAT), TAG("font", FORMAT),
    TAG("i", FORMAT), TAG("s", FORMAT), TAG("small", FORMAT), TAG("strike", FORMAT), TAG("strong", FORMAT),
    TAG("tt", FORMAT), TAG("u", FORMAT), TAG("a", ANCHOR),
    TAG("area", VOID_TAG), TAG("base", VOID_TAG), TAG("br", VOID_TAG), TAG("embed", VOID_TAG), TAG("img", VOID_TAG),
    TAG("input", VOID_TAG), TAG("link", VOID_TAG), TAG("meta", VOID_TAG), TAG("param", VOID_TAG),
    TAG("source", VOID_TAG), TAG("track", VOID_TAG), TAG("wbr", VOID_TAG),
    TAG("script", RAW), TAG("style", RAW), TAG("noscript", NO_SCRIPT, 0, 1),
    TAG("table", TABLE, 0, 1), TAG("tbody", SECTIONS, 0, 1), TAG("thead", SECTIONS, 0, 1), TAG("tfoot", SECTIONS, 0, 1),
    TAG("tr", TABLE_ROW, 0, 1), TAG("td", TABLE_CELL, 0, 1), TAG("th", TABLE_CELL, 0, 1), TAG("caption", CAPTION, 0, 1),
    TAG("colgroup", COLUMNS, 0, 1), TAG("col", COLUMN), TAG("select", SELECT, 0, 1), TAG("option", OPTION, 1, 0),
    TAG("optgroup", OPTIONS, 1, 0), TAG("html", PAGE, 0, 1), TAG("head", HEAD_TAG, 0, 1), TAG("body", BODY_TAG, 0, 1),
    TAG("title", PAGE_TITLE), TAG("svg", DRAWING),
    TAG("span", INLINE), TAG("cite", INLINE), TAG("abbr", INLINE), TAG("sub", INLINE), TAG("sup", INLINE),
    TAG("var", INLINE), TAG("kbd", INLINE), TAG("samp", INLINE), TAG("label", INLINE), TAG("q", INLINE),
    TAG("time", INLINE), TAG("del", INLINE), TAG("ins", INLINE), TAG("dfn", INLINE), TAG("legend", INLINE),
    TAG("audio", INLINE), TAG("video", INLINE), TAG("canvas", INLINE), TAG("map", INLINE), TAG("mark", INLINE),
    /* These have rules of their own, as foreign elements have, and whatever stands in them. */
    TAG("annotation", ODD), TAG("annotation-xml", ODD), TAG("applet", ODD), TAG("basefont", ODD), TAG("bgsound", ODD),
    TAG("datalist", ODD), TAG("desc", ODD), TAG("dialog", ODD), TAG("frame", ODD), TAG("frameset", ODD),
    TAG("iframe", ODD), TAG("image", ODD), TAG("isindex", ODD), TAG("keygen", ODD), TAG("listing", ODD),
    TAG("marquee", ODD), TAG("math", ODD), TAG("menuitem", ODD), TAG("metadata", ODD), TAG("nobr", ODD),
    TAG("noembed", ODD), TAG("noframes", ODD), TAG("plaintext", ODD), TAG("rb", ODD), TAG("rp", ODD), TAG("rt", ODD),
    TAG("rtc", ODD), TAG("ruby", ODD), TAG("search", ODD), TAG("selectedcontent", ODD), TAG("foreignobject", ODD),
    TAG("template", ODD), TAG("text", ODD), TAG("textarea", ODD), TAG("xmp", ODD),
};
const size_t KNOWN_COUNT = sizeof KNOWN_TAGS / sizeof *KNOWN_TAGS;

/* -- names -------------------------------------------------------------------------------- */

enum { SLOTS = 512 };
static uint8_t slots[SLOTS]; /* numbers of elements, by their names */

static size_t
slot_of(const uint8_t *name, size_t size)
{
    return (size * 131 + name[0] * 31u + name[size - 1] * 7u + name[size / 2] * 3u) % SLOTS;
}

static void
fill_slots(void)
{
    for (size_t i = 1; i < KNOWN_COUNT; i++) {
        size_t slot = slot_of((const uint8_t *)KNOWN_TAGS[i].name, KNOWN_TAGS[i].size);
        while (slots[slot])
            slot = (slot + 1) % SLOTS;
        slots[slot] = (uint8_t)i;
    }
}

static uint16_t
number_of_tag(const uint8_t *name, size_t size)
{
    if (!slots[slot_of((const uint8_t *)"p", 1)])
        fill_slots();
    for (size_t slot = slot_of(name, size); slots[slot]; slot = (slot + 1) % SLOTS) {
        const Known *known = &KNOWN_TAGS[slots[slot]];
        if (known->size == size && !memcmp(known->name, name, size))
            return slots[slot];
    }
    return UNHEARD_OF;
}

/* Letters that names are made of, and which of them are large. */
enum { SMALL = 1, LARGE = 2 };
static const uint8_t IN_NAMES[256] = {
    ['-'] = SMALL, ['.'] = SMALL, ['_'] = SMALL, [':'] = SMALL, ['0'] = SMALL, ['1'] = SMALL, ['2'] = SMALL,
    ['3'] = SMALL, ['4'] = SMALL, ['5'] = SMALL, ['6'] = SMALL, ['7'] = SMALL, ['8'] = SMALL, ['9'] = SMALL,
    ['a'] = SMALL, ['b'] = SMALL, ['c'] = SMALL, ['d'] = SMALL, ['e'] = SMALL, ['f'] = SMALL, ['g'] = SMALL,
    ['h'] = SMALL, ['i'] = SMALL, ['j'] = SMALL, ['k'] = SMALL, ['l'] = SMALL, ['m'] = SMALL, ['n'] = SMALL,
    ['o'] = SMALL, ['p'] = SMALL, ['q'] = SMALL, ['r'] = SMALL, ['s'] = SMALL, ['t'] = SMALL, ['u'] = SMALL,
    ['v'] = SMALL, ['w'] = SMALL, ['x'] = SMALL, ['y'] = SMALL, ['z'] = SMALL,
    ['A'] = LARGE, ['B'] = LARGE, ['C'] = LARGE, ['D'] = LARGE, ['E'] = LARGE, ['F'] = LARGE, ['G'] = LARGE,
    ['H'] = LARGE, ['I'] = LARGE, ['J'] = LARGE, ['K'] = LARGE, ['L'] = LARGE, ['M'] = LARGE, ['N'] = LARGE,
    ['O'] = LARGE, ['P'] = LARGE, ['Q'] = LARGE, ['R'] = LARGE, ['S'] = LARGE, ['T'] = LARGE, ['U'] = LARGE,
    ['V'] = LARGE, ['W'] = LARGE, ['X'] = LARGE, ['Y'] = LARGE, ['Z'] = LARGE,
};

/* A name in small letters, up to what cannot be part of it. */
static const uint8_t *
read_lower(Block **blocks, const uint8_t *at, const uint8_t *end, const uint8_t **name, uint32_t *size)
{
    const uint8_t *from = at;
    uint8_t met = 0;
    for (; at < end && IN_NAMES[*at]; at++)
        met |= IN_NAMES[*at];
    if (at == from || at == end || at - from > LONGEST_NAME)
        return NULL;
    *size = (uint32_t)(at - from);
    *name = from;
    if (met & LARGE) {
        uint8_t *lower = block_take(blocks, *size);
        if (!lower)
            return NULL;
        for (uint32_t i = 0; i < *size; i++)
            lower[i] = Py_TOLOWER(from[i]);
        *name = lower;
    }
    return at;
}

static const uint8_t *
skip_blanks(const uint8_t *at, const uint8_t *end)
{
    while (at < end && is_blank(*at))
        at++;
    return at;
}

/* -- tags --------------------------------------------------------------------------------- */

static const uint8_t *
read_value(Block **blocks, const uint8_t *at, const uint8_t *end, Trait *trait)
{
    const uint8_t *from = at, *after;
    if (at < end && (*at == '"' || *at == '\'')) {
        from = at + 1;
        at = memchr(from, *at, (size_t)(end - from));
        if (!at)
            return NULL;
        after = at + 1;
    } else {
        for (; at < end && !is_blank(*at) && *at != '>'; at++)
            if (*at == '"' || *at == '\'' || *at == '<' || *at == '=' || *at == '`')
                return NULL;
        if (at == from)
            return NULL;
        after = at;
    }
    if (at - from > UINT32_MAX)
        return NULL;
    trait->value_size = (uint32_t)(at - from);
    trait->value = read_references(blocks, from, &trait->value_size, 1);
    return trait->value && after < end && (is_blank(*after) || *after == '>' || *after == '/') ? after : NULL;
}

static int
is_among(const Trait *traits, const Trait *trait)
{
    for (; traits; traits = traits->next)
        if (traits->name_size == trait->name_size && !memcmp(traits->name, trait->name, trait->name_size))
            return 1;
    return 0;
}

const uint8_t *
read_begin_tag(Block **blocks, const uint8_t *at, const uint8_t *end, Tag *tag)
{
    Trait **last = &tag->traits;
    *tag = (Tag){0};
    if (!(at = read_lower(blocks, at, end, &tag->name, &tag->size)))
        return NULL;
    tag->number = number_of_tag(tag->name, tag->size);
    for (int count = 0;; count++) {
        const uint8_t *blank = at;
        if ((at = skip_blanks(at, end)) == end || count > MOST_TRAITS)
            return NULL;
        if (*at == '>')
            return at + 1;
        if (*at == '/') {
            tag->is_closed = 1;
            return at + 1 < end && at[1] == '>' ? at + 2 : NULL;
        }
        Trait *trait = at > blank ? block_take(blocks, sizeof *trait) : NULL;
        if (!trait)
            return NULL;
        *trait = (Trait){0};
        if (!(at = read_lower(blocks, at, end, &trait->name, &trait->name_size)))
            return NULL;
        const uint8_t *sign = skip_blanks(at, end);
        if (sign < end && *sign == '=') {
            if (!(at = read_value(blocks, skip_blanks(sign + 1, end), end, trait)))
                return NULL;
        } else if (at == end || (!is_blank(*at) && *at != '>' && *at != '/')) {
            return NULL;
        }
        if (!is_among(tag->traits, trait)) { /* of several of one name the first counts */
            *last = trait;
            last = &trait->next;
        }
    }
}

const uint8_t *
read_end_tag(Block **blocks, const uint8_t *at, const uint8_t *end, Tag *tag)
{
    *tag = (Tag){0};
    if (!(at = read_lower(blocks, at, end, &tag->name, &tag->size)))
        return NULL;
    tag->number = number_of_tag(tag->name, tag->size);
    at = skip_blanks(at, end);
    return at < end && *at == '>' ? at + 1 : NULL;
}

/* Pass over a comment from its first letter on. */
const uint8_t *
pass_comment(const uint8_t *at, const uint8_t *end)
{
    if (at == end || *at == '>' || (*at == '-' && at + 1 < end && at[1] == '>'))
        return NULL;
    for (; (at = memchr(at, '-', (size_t)(end - at))); at++)
        if (end - at >= 3 && at[1] == '-') {
            if (at[2] == '>')
                return at + 3;
            if (at[2] == '!')
                return NULL;
        }
    return NULL;
}

/* Where the end tag begins of an element in which no other tags are read. */
const uint8_t *
find_end_of(const char *name, const uint8_t *at, const uint8_t *end)
{
    size_t size = strlen(name);
    for (; (at = memchr(at, '<', (size_t)(end - at))); at++) {
        if ((size_t)(end - at) < size + 3)
            return NULL;
        if (at[1] == '!' && at[2] == '-' && *name == 's' && name[1] == 'c')
            return NULL; /* scripts in comments in scripts end elsewhere */
        if (at[1] == '/' && !PyOS_strnicmp((const char *)at + 2, name, (Py_ssize_t)size) &&
            (is_blank(at[size + 2]) || at[size + 2] == '>' || at[size + 2] == '/'))
            return at;
    }
    return NULL;
}
