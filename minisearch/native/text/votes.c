/* Votes: the fingerprint of a text, and of what stands beside it, in one pass over their words.
 *
 * The same with numpy, and what it is good for: minisearch/text/simhash.py
 */
#include "native.h"

#include <math.h>

enum { RUN = 3, SHORT = 64, BITS = 64, MOST = 255 /* votes that a byte can count */ };
enum { BLANK_BYTE = 0, DIGIT = 2, LETTER = 4 }; /* kinds of bytes; others are signs */

static const double MANY = 0.1; /* share of the words that are numbers in a text that is about numbers */
static const uint64_t BASE = 0x9E3779B97F4A7C15u;

typedef struct {
    Row runs;      /* the different ones (uint64_t) */
    double lead[BITS];
} Party;

/* Add the words of a text to others, a number for each. Its capitals are small letters to us. */
int
words_add(Words *words, const uint8_t *text, size_t size, const uint8_t *kinds)
{
    static uint64_t powers[64]; /* of BASE, for all but very long words */
    if (!powers[0]) {
        powers[0] = 1;
        for (size_t i = 1; i < 64; i++)
            powers[i] = powers[i - 1] * BASE;
    }
    size_t at = 0;
    for (;;) {
        while (at < size && kinds[text[at]] == BLANK_BYTE)
            at++;
        if (at == size)
            return 0;
        uint64_t sum = 0, power = 0;
        size_t start = at;
        int kind = 0, this;
        for (; at < size && (this = kinds[text[at]]) != BLANK_BYTE; at++) {
            uint64_t byte = text[at];
            byte += (uint64_t)(byte - 'A' < 26) << 5;
            power = at - start < 64 ? powers[at - start] : power * BASE;
            kind |= this;
            sum += byte * power;
        }
        size_t count = words->words.size / sizeof sum;
        sum = mixed(sum);
        if (row_append(&words->words, &sum, sizeof sum))
            return -1;
        if ((kind & (DIGIT | LETTER)) == DIGIT && row_append(&words->numbers, &count, sizeof count))
            return -1;
    }
}

void
words_free(Words *words)
{
    row_free(&words->words);
    row_free(&words->numbers);
}

/* A few numbers among many words are all alike. */
static void
level_numbers(Words *words)
{
    size_t count = words->words.size / sizeof(uint64_t), some = words->numbers.size / sizeof(size_t);
    if (count >= SHORT && (double)some <= MANY * (double)count)
        for (size_t i = 0; i < some; i++)
            ((uint64_t *)words->words.bytes)[((size_t *)words->numbers.bytes)[i]] = 0;
}

/* Each run of words once, those that reach over the ends included. `factor` is odd, and nobody else's to know: with it
 * no text can be made whose runs all come to the same slot. */
static int
find_runs(const Row *words, uint64_t factor, Row *runs)
{
    const uint64_t *word = (const uint64_t *)words->bytes;
    size_t count = words->size / sizeof *word, slots = 16, bits = 4;
    int has_zero = 0;
    if (!count)
        return 0;
    while (slots < 2 * (count + RUN - 1)) {
        slots *= 2;
        bits++;
    }
    uint64_t *table = calloc(slots, sizeof *table), one = 0, two = 0;
    if (!table || row_make_room(runs, (count + RUN - 1) * sizeof *word)) {
        free(table);
        PyErr_NoMemory();
        return -1;
    }
    uint64_t *found = (uint64_t *)runs->bytes;
    size_t different = 0;
    for (size_t i = 0; i < count + RUN - 1; i++) {
        uint64_t here = i < count ? word[i] : 0, run = mixed(mixed(mixed(here) + one) + two);
        two = one;
        one = here;
        size_t slot = (size_t)(run * factor >> (64 - bits));
        while (table[slot] && table[slot] != run)
            slot = (slot + 1) & (slots - 1);
        if (run ? table[slot] == run : has_zero)
            continue;
        table[slot] = run;
        has_zero |= !run;
        found[different++] = run;
    }
    runs->size = different * sizeof *found;
    free(table);
    return 0;
}

/* By how many votes each bit wins, or loses. Eight bits are counted in one sum, each in a byte of its own. */
static void
count_votes(Party *party)
{
    const uint64_t *run = (const uint64_t *)party->runs.bytes;
    size_t count = party->runs.size / sizeof *run;
    uint64_t ayes[BITS] = {0};
    for (size_t from = 0; from < count; from += MOST) {
        uint64_t sums[8] = {0};
        size_t to = count - from < MOST ? count : from + MOST;
        for (size_t i = from; i < to; i++)
            for (int bit = 0; bit < 8; bit++)
                sums[bit] += run[i] >> bit & 0x0101010101010101u;
        for (int bit = 0; bit < BITS; bit++)
            ayes[bit] += sums[bit % 8] >> (bit / 8 * 8) & 0xFF;
    }
    for (int bit = 0; bit < BITS; bit++)
        party->lead[bit] = 2.0 * (double)ayes[bit] - (double)count;
}

static int
gather(Party *party, Words *words, uint64_t factor)
{
    level_numbers(words);
    int failed = find_runs(&words->words, factor | 1, &party->runs);
    if (!failed)
        count_votes(party);
    return failed;
}

/* The fingerprint of some words and of those beside them, which are not to be used again. */
int
words_vote(Words *words, Words *beside, uint64_t factor, uint64_t *bits)
{
    Party own = {0}, other = {0};
    int failed = gather(&own, words, factor) || gather(&other, beside, factor);
    if (!failed) {
        Party *first = own.runs.size ? &own : &other, *second = first == &own ? &other : &own;
        size_t some = first->runs.size / sizeof(uint64_t), more = second->runs.size / sizeof(uint64_t);
        double weight = more ? pow((double)some / (double)more, 0.5) : 0.0;
        *bits = 0;
        for (int bit = 0; some && bit < BITS; bit++) {
            double lead = first->lead[bit];
            if (more)
                lead = lead + second->lead[bit] * (weight < 1.0 ? weight : 1.0);
            *bits |= (uint64_t)(lead > 0) << bit;
        }
    }
    row_free(&own.runs);
    row_free(&other.runs);
    return failed ? -1 : 0;
}

PyObject *
simhash(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    Py_buffer text, beside;
    const uint8_t *kinds;
    Py_ssize_t size;
    unsigned long long factor;
    if (!PyArg_ParseTuple(arguments, "y*y*y#K:simhash", &text, &beside, &kinds, &size, &factor))
        return NULL;
    Words own = {0}, other = {0};
    PyObject *found = NULL;
    uint64_t bits;
    if (size != 256)
        PyErr_SetString(PyExc_ValueError, "the kind of each of 256 bytes has to be told");
    else if (!words_add(&own, text.buf, (size_t)text.len, kinds)
             && !words_add(&other, beside.buf, (size_t)beside.len, kinds) && !words_vote(&own, &other, factor, &bits))
        found = PyLong_FromUnsignedLongLong(bits);
    words_free(&own);
    words_free(&other);
    PyBuffer_Release(&text);
    PyBuffer_Release(&beside);
    return found;
}
