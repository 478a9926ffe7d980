/* Lines: the text of a page, its blanks collapsed as it is written, and where its headings are.
 *
 * The same in Python, from a text with marks in it: minisearch/crawl/lines.py
 */
#include "native.h"

/* A letter comes next: write what has to stand before it. There is room. */
static int
come_to_letter(Lines *lines)
{
    Place *place = &lines->place;
    if (place->size && (place->gap || !place->begun)) {
        lines->text.bytes[place->size++] = place->begun ? ' ' : '\n';
        place->letters++;
    }
    place->begun = 1;
    place->gap = 0;
    if (lines->heading && !place->named) {
        HeadingLine heading = {lines->number, place->letters, place->size, 0};
        lines->headings.size = place->headings * sizeof heading;
        place->headings++;
        place->named = 1;
        return row_append(&lines->headings, &heading, sizeof heading);
    }
    return 0;
}

int
lines_write(Lines *lines, const uint8_t *text, size_t size)
{
    const uint8_t *at = text, *end = text + size;
    Place *place = &lines->place;
    lines->text.size = place->size; /* what was taken back is gone */
    if (row_make_room(&lines->text, size + 1)) /* for each word, and the blank that parts it from what is there */
        return -1;
    while (at < end) {
        const uint8_t *from = at;
        size_t step = 1;
        Fate fate = KEPT;
        if (*at <= ' ' || *at >= 0x7F)
            fate = fate_of(at, end, &step);
        if (fate == KEPT) {
            if ((place->gap || !place->begun || lines->heading) && come_to_letter(lines))
                return -1;
            for (at += step; at < end && *at > ' ' && *at < 0x7F; at++)
                ;
            memcpy(lines->text.bytes + place->size, from, (size_t)(at - from));
            place->size += (size_t)(at - from);
            place->letters += (size_t)(at - from) - step + 1;
            continue;
        }
        if (fate == BREAK && lines->pre)
            lines_break(lines);
        else if (fate != DROPPED)
            lines_blank(lines);
        at += step;
    }
    return 0;
}

void
lines_blank(Lines *lines)
{
    lines->place.gap = lines->place.begun;
}

/* Begin a new line; but a heading is one line, whatever it is made of. */
void
lines_break(Lines *lines)
{
    if (lines->heading) {
        lines_blank(lines);
        return;
    }
    lines->place.begun = lines->place.gap = 0;
}

int
lines_heading(Lines *lines, int number)
{
    lines_break(lines);
    if (!lines->heading++) {
        lines->number = number;
        lines->place.named = 0;
    }
    return 0;
}

int
lines_heading_end(Lines *lines)
{
    Place *place = &lines->place;
    if (!--lines->heading && place->named) {
        HeadingLine *all = (HeadingLine *)lines->headings.bytes;
        all[place->headings - 1].to = place->size;
        place->named = 0;
    }
    lines_break(lines);
    return 0;
}

void
lines_free(Lines *lines)
{
    row_free(&lines->text);
    row_free(&lines->headings);
}
