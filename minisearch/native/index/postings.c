/* Postings: the words of many texts put in the order of the index by counting, and packed term by term.
 *
 * How often each term stands in all texts is known, so each has a stretch of one long row waiting for it. The texts
 * are gone through once, and every word is written where its term has its next free spot: a counting sort (Seward,
 * 1954), which is all the sorting there is. A spot is the number of a text and the place in it, as in keys.py.
 *
 * The same with numpy: minisearch/index/keys.py sorts, minisearch/index/planes.py packs. The format of what comes
 * out is told in minisearch/packing.py
 */
#include "native.h"

enum { PLACE_BITS = 20, LAST_PLACE = (1 << PLACE_BITS) - 1, MOST_FIELDS = 4, AHEAD = 8 };

/* The terms of all chunks: chunk n has count[n] of them, from first[n] on; the next chunk stands span[n] further. */
typedef struct {
    const int32_t *first, *count, *span, *terms, *places;
    Py_ssize_t chunks, entries;
} Lexicon;

static int
lexicon_of(const Py_buffer *columns, Lexicon *lexicon)
{
    *lexicon = (Lexicon){columns[0].buf, columns[1].buf, columns[2].buf, columns[3].buf, columns[4].buf,
                         columns[0].len / 4, columns[3].len / 4};
    if (columns[1].len != columns[0].len || columns[2].len != columns[0].len || columns[4].len != columns[3].len) {
        PyErr_SetString(PyExc_ValueError, "columns of a lexicon that do not belong together");
        return -1;
    }
    for (Py_ssize_t chunk = 0; chunk < lexicon->chunks; chunk++)
        if (lexicon->count[chunk] < 0 || lexicon->first[chunk] < 0 || lexicon->span[chunk] < 0 ||
            (int64_t)lexicon->first[chunk] + lexicon->count[chunk] > lexicon->entries) {
            PyErr_SetString(PyExc_ValueError, "a chunk with terms that are not there");
            return -1;
        }
    return 0;
}

/* count_chunks(runs, met) */
PyObject *
count_chunks(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *runs;
    Py_buffer met, run[3];
    int failed = 0;
    if (!PyArg_ParseTuple(args, "O!w*:count_chunks", &PyList_Type, &runs, &met))
        return NULL;
    int64_t *often = met.buf;
    const Py_ssize_t known = met.len / 8;
    for (Py_ssize_t i = 0; !failed && i < PyList_Size(runs); i++) {
        failed = !PyArg_ParseTuple(PyList_GetItem(runs, i), "y*y*y*", &run[0], &run[1], &run[2]);
        if (failed)
            break;
        const int32_t *chunk = run[0].buf, *end = chunk + run[0].len / 4;
        for (; chunk < end && *chunk >= 0 && *chunk < known; chunk++)
            often[*chunk]++;
        if (chunk < end) {
            PyErr_SetString(PyExc_ValueError, "a chunk that nobody knows");
            failed = 1;
        }
        for (int column = 0; column < 3; column++)
            PyBuffer_Release(&run[column]);
    }
    PyBuffer_Release(&met);
    return failed ? NULL : Py_NewRef(Py_None);
}

/* count_terms(met, first, count, span, terms, places, begins) */
PyObject *
count_terms(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer met, columns[5], begins;
    Lexicon lexicon;
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*w*:count_terms", &met, &columns[0], &columns[1], &columns[2], &columns[3],
                          &columns[4], &begins))
        return NULL;
    if (lexicon_of(columns, &lexicon))
        goto done;
    int64_t *often = begins.buf, total = 0;
    Py_ssize_t known = begins.len / 8 - 1;
    if (met.len / 8 != lexicon.chunks || known < 0) {
        PyErr_SetString(PyExc_ValueError, "too few numbers to count with");
        goto done;
    }
    memset(often, 0, (size_t)begins.len);
    for (Py_ssize_t chunk = 0; chunk < lexicon.chunks; chunk++) {
        int64_t times = ((const int64_t *)met.buf)[chunk];
        for (int32_t i = 0; i < lexicon.count[chunk]; i++) {
            int32_t term = lexicon.terms[lexicon.first[chunk] + i];
            if (term < 0 || term >= known) {
                PyErr_SetString(PyExc_ValueError, "a term without a number");
                goto done;
            }
            often[term] += times;
        }
    }
    for (Py_ssize_t term = 0; term <= known; term++) {
        int64_t here = often[term];
        often[term] = total;
        total += here;
    }
    result = Py_NewRef(Py_None);
done:
    for (int i = 0; i < 5; i++)
        PyBuffer_Release(&columns[i]);
    PyBuffer_Release(&met);
    PyBuffer_Release(&begins);
    return result;
}

/* All that has to be known of a chunk while words are spread, in one place. */
typedef struct {
    int32_t first, count, span;
    int32_t term; /* its first one, which stands where it begins; 0 if it has none */
} Chunk;

static Chunk *
chunks_of(const Lexicon *lexicon, int64_t known)
{
    Chunk *chunks = malloc(sizeof(Chunk) * (size_t)(lexicon->chunks + 1));
    if (!chunks)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; chunks && i < lexicon->chunks; i++) {
        int32_t first = lexicon->first[i], count = lexicon->count[i];
        int bad = 0;
        for (int32_t n = 0; n < count; n++)
            bad |= lexicon->terms[first + n] < 0 || lexicon->terms[first + n] >= known || lexicon->places[first + n] < 0;
        if (bad) {
            PyErr_SetString(PyExc_ValueError, "a term for which there is no room, or no place");
            free(chunks);
            return NULL;
        }
        chunks[i] = (Chunk){first, count, lexicon->span[i], count ? lexicon->terms[first] : 0};
    }
    return chunks;
}

/* Words go anywhere in memory, which is slow: it is asked in time for the chunk that is some steps ahead, then for the
 * head of its term, and then for the spot. */
static inline void
look_ahead(const Chunk *chunks, Py_ssize_t known, const int32_t *at, const int32_t *end, const int64_t *head,
           const int64_t *spot, int64_t most)
{
    if (end - at <= 3 * AHEAD)
        return;
    if (at[3 * AHEAD] >= 0 && at[3 * AHEAD] < known)
        FETCH(&chunks[at[3 * AHEAD]]);
    if (at[2 * AHEAD] >= 0 && at[2 * AHEAD] < known)
        FETCH(&head[chunks[at[2 * AHEAD]].term]);
    if (at[AHEAD] >= 0 && at[AHEAD] < known) {
        int64_t place = head[chunks[at[AHEAD]].term];
        if (place >= 0 && place < most)
            FETCH(&spot[place]);
    }
}

static int
spread_run(const Lexicon *lexicon, const Chunk *chunks, const Py_buffer *run, const Py_buffer *heads,
           const Py_buffer *spots)
{
    const int32_t *chunk = run[0].buf, *end = chunk + run[0].len / 4, *text = run[2].buf;
    const int64_t *size = run[1].buf;
    int64_t *head = heads->buf, *spot = spots->buf, most = spots->len / 8;
    Py_ssize_t texts = run[1].len / 8;
    if (run[2].len / 4 != texts || heads->len < 8)
        return -1;
    for (Py_ssize_t i = 0; i < texts; i++) {
        int64_t base = (int64_t)text[i] << PLACE_BITS, at = 0;
        if (size[i] < 0 || size[i] > end - chunk)
            return -1;
        for (const int32_t *stop = chunk + size[i]; chunk < stop; chunk++) {
            if (*chunk < 0 || *chunk >= lexicon->chunks)
                return -1;
            look_ahead(chunks, lexicon->chunks, chunk, end, head, spot, most);
            const Chunk *here = &chunks[*chunk];
            const int32_t *term = lexicon->terms + here->first, *place = lexicon->places + here->first;
            for (int32_t n = 0; n < here->count; n++) {
                int64_t *free = &head[n ? term[n] : here->term], spread = at + (n ? place[n] : 0);
                if (*free < 0 || *free >= most)
                    return -1;
                spot[(*free)++] = base | (spread < LAST_PLACE ? spread : LAST_PLACE);
            }
            at += here->span;
        }
    }
    return 0;
}

/* spread_words(runs, first, count, span, terms, places, heads, spots) */
PyObject *
spread_words(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer run[3], columns[5], heads, spots;
    Lexicon lexicon;
    PyObject *runs, *result = NULL;
    if (!PyArg_ParseTuple(args, "O!y*y*y*y*y*w*w*:spread_words", &PyList_Type, &runs, &columns[0], &columns[1], &columns[2],
                          &columns[3], &columns[4], &heads, &spots))
        return NULL;
    Chunk *chunks = lexicon_of(columns, &lexicon) ? NULL : chunks_of(&lexicon, heads.len / 8);
    if (!chunks)
        goto done;
    for (Py_ssize_t i = 0; i < PyList_Size(runs); i++) {
        if (!PyArg_ParseTuple(PyList_GetItem(runs, i), "y*y*y*", &run[0], &run[1], &run[2]))
            goto done;
        int failed = spread_run(&lexicon, chunks, run, &heads, &spots);
        for (int column = 0; column < 3; column++)
            PyBuffer_Release(&run[column]);
        if (failed) {
            PyErr_SetString(PyExc_ValueError, "a word for which there is no room");
            goto done;
        }
    }
    result = Py_NewRef(Py_None);
done:
    free(chunks);
    for (int i = 0; i < 5; i++)
        PyBuffer_Release(&columns[i]);
    PyBuffer_Release(&heads);
    PyBuffer_Release(&spots);
    return result;
}

/* -- packing ------------------------------------------------------------------------------------------------------ */

static uint8_t *
more(Row *row, size_t count)
{
    if (count > row->room - row->size && row_make_room(row, count))
        return NULL;
    row->size += count;
    return (uint8_t *)row->bytes + row->size - count;
}

static int
planes_of(uint32_t largest)
{
    return 1 + (largest >= 1 << 8) + (largest >= 1 << 16) + (largest >= 1 << 24);
}

static uint32_t
largest_of(const uint32_t *numbers, size_t count)
{
    uint32_t largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = numbers[i] > largest ? numbers[i] : largest;
    return largest;
}

/* The lowest byte of every number, then the next one of every number. */
static uint8_t *
write_planes(uint8_t *out, const uint32_t *numbers, size_t count, int planes)
{
    for (int plane = 0; plane < planes; plane++, out += count)
        for (size_t i = 0; i < count; i++)
            out[i] = (uint8_t)(numbers[i] >> 8 * plane);
    return out;
}

/* One term, taken apart: a column for the steps from page to page and one for the words in each field, a number a
 * posting; where the words of each posting begin; and the distances between words. */
typedef struct {
    uint32_t *columns[1 + MOST_FIELDS], *begins, *gaps;
    size_t df, words;
} Term;

static int
rising(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

static inline void
take_apart(Term *term, int64_t *spots, size_t words, int fields)
{
    for (size_t i = 1; i < words; i++)
        if (spots[i] < spots[i - 1]) { /* never so far: texts come in order, and places in them */
            qsort(spots, words, sizeof(int64_t), rising);
            break;
        }
    int64_t last_text = -1, last_page = -1, last_place = 0;
    term->df = 0;
    term->words = words;
    for (size_t i = 0; i < words; i++) {
        int64_t text = spots[i] >> PLACE_BITS, place = spots[i] & LAST_PLACE, page = text / fields;
        if (page != last_page) {
            for (int field = 0; field < fields; field++)
                term->columns[1 + field][term->df] = 0;
            term->columns[0][term->df] = (uint32_t)(term->df ? page - last_page : page);
            term->begins[term->df++] = (uint32_t)i;
            last_page = page;
        }
        term->columns[1 + text % fields][term->df - 1]++;
        term->gaps[i] = (uint32_t)(text == last_text ? place - last_place : place);
        last_text = text;
        last_place = place;
    }
}

static int
write_docs(Row *row, const Term *term, int fields)
{
    int planes[1 + MOST_FIELDS], codes = 0, all = 0;
    for (int column = 0; column <= fields; column++) {
        uint32_t largest = largest_of(term->columns[column], term->df);
        planes[column] = column && !largest ? 0 : planes_of(largest);
        all += planes[column];
        if (column)
            codes |= planes[column] << 2 * (column - 1);
    }
    uint8_t *out = more(row, 2 + (size_t)all * term->df);
    if (!out)
        return -1;
    *out++ = (uint8_t)planes[0];
    *out++ = (uint8_t)codes;
    for (int column = 0; column <= fields; column++)
        out = write_planes(out, term->columns[column], term->df, planes[column]);
    return 0;
}

static int
write_gaps(Row *row, const uint32_t *gaps, size_t count)
{
    int planes = planes_of(largest_of(gaps, count));
    uint8_t *out = more(row, 1 + (size_t)planes * count);
    if (!out)
        return -1;
    *out++ = (uint8_t)planes;
    write_planes(out, gaps, count, planes);
    return 0;
}

/* The distances of a term of many words, in chunks that begin with a posting: with which one each does, how many
 * distances it has, and the chunks. */
static PyObject *
chunked(const Term *term, size_t chunk)
{
    PyObject *cuts = PyList_New(0), *sizes = PyList_New(0), *chunks = PyList_New(0);
    Row row = {0};
    for (size_t posting = 0; cuts && sizes && chunks && posting < term->df;) {
        size_t from = term->begins[posting], next = posting + 1, limit = (from / chunk + 1) * chunk;
        while (next < term->df && term->begins[next] < limit)
            next++;
        size_t count = (next < term->df ? term->begins[next] : term->words) - from;
        row.size = 0;
        if (write_gaps(&row, term->gaps + from, count))
            break;
        PyObject *made[] = {PyLong_FromSize_t(posting), PyLong_FromSize_t(count),
                            PyBytes_FromStringAndSize(row.bytes, (Py_ssize_t)row.size)};
        PyObject *lists[] = {cuts, sizes, chunks};
        for (int i = 0; i < 3; i++) {
            if (made[i] && !PyErr_Occurred())
                PyList_Append(lists[i], made[i]);
            Py_XDECREF(made[i]);
        }
        if (PyErr_Occurred())
            break;
        posting = next;
    }
    row_free(&row);
    if (!PyErr_Occurred())
        return Py_BuildValue("NNN", cuts, sizes, chunks);
    Py_XDECREF(cuts);
    Py_XDECREF(sizes);
    Py_XDECREF(chunks);
    return NULL;
}

/* pack(spots, bounds, fields, chunk) */
PyObject *
pack(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer spots, bounds;
    int fields;
    Py_ssize_t chunk;
    if (!PyArg_ParseTuple(args, "w*y*in:pack", &spots, &bounds, &fields, &chunk))
        return NULL;
    const int64_t *bound = bounds.buf, words = spots.len / 8;
    Py_ssize_t terms = bounds.len / 8 - 1;
    size_t most = 1;
    int right = fields > 0 && fields <= MOST_FIELDS && chunk > 0 && terms >= 0;
    for (Py_ssize_t i = 0; right && i < terms; i++) {
        right = bound[i] >= 0 && bound[i] < bound[i + 1] && bound[i + 1] <= words && words < UINT32_MAX;
        if (right && (size_t)(bound[i + 1] - bound[i]) > most)
            most = (size_t)(bound[i + 1] - bound[i]);
    }
    Term term = {0};
    Row docs = {0}, places = {0};
    PyObject *result = NULL, *counts = NULL, *many = NULL;
    uint32_t *room = right ? malloc(sizeof(uint32_t) * most * (size_t)(fields + 3)) : NULL;
    if (!room) {
        right ? PyErr_NoMemory() : PyErr_SetString(PyExc_ValueError, "terms without words, or beyond the last one");
        goto done;
    }
    for (int column = 0; column <= fields; column++)
        term.columns[column] = room + most * (size_t)column;
    term.begins = room + most * (size_t)(fields + 1);
    term.gaps = room + most * (size_t)(fields + 2);
    counts = PyBytes_FromStringAndSize(NULL, terms * 3 * (Py_ssize_t)sizeof(int64_t));
    many = PyDict_New();
    if (!counts || !many)
        goto done;
    int64_t *count = (int64_t *)PyBytes_AsString(counts);
    for (Py_ssize_t i = 0; i < terms; i++) {
        size_t docs_before = docs.size, places_before = places.size;
        int64_t *here = (int64_t *)spots.buf + bound[i];
        size_t words_here = (size_t)(bound[i + 1] - bound[i]);
        if (fields == MOST_FIELDS) /* as pages have: to divide by a number that is known takes no time */
            take_apart(&term, here, words_here, MOST_FIELDS);
        else
            take_apart(&term, here, words_here, fields);
        if (write_docs(&docs, &term, fields))
            goto done;
        if (term.words > (size_t)chunk) {
            PyObject *number = PyLong_FromSsize_t(i), *made = chunked(&term, (size_t)chunk);
            int failed = !number || !made || PyDict_SetItem(many, number, made);
            Py_XDECREF(number);
            Py_XDECREF(made);
            if (failed)
                goto done;
        } else if (write_gaps(&places, term.gaps, term.words))
            goto done;
        count[i] = (int64_t)term.df;
        count[terms + i] = (int64_t)(docs.size - docs_before);
        count[2 * terms + i] = (int64_t)(places.size - places_before);
    }
    result = Py_BuildValue("Oy#y#O", counts, docs.bytes ? docs.bytes : "", (Py_ssize_t)docs.size,
                           places.bytes ? places.bytes : "", (Py_ssize_t)places.size, many);
done:
    Py_XDECREF(counts);
    Py_XDECREF(many);
    free(room);
    row_free(&docs);
    row_free(&places);
    PyBuffer_Release(&spots);
    PyBuffer_Release(&bounds);
    return result;
}
