/* Spellings: of words that are written in several ways, how often each was met and how it is mostly written.
 *
 * Only what is of plain letters is looked at here. Words with others may be the same when their accents are gone, so
 * whoever is written like one of those is given back by itself.
 *
 * The same with dictionaries, and what a word is: minisearch/text/spellings.py
 */
#include "native.h"

enum { MOST_LETTERS = 255, LETTER_WITHIN = 8 };

typedef struct {
    const uint8_t *bytes;
    size_t size;
    int64_t count;
} Spelling;

/* Words that are the same but for their case: how often they were met, and the one that was most. */
typedef struct {
    int64_t count;
    const Spelling *usual;
} Group;

static int
is_upper(uint8_t byte)
{
    return byte >= 'A' && byte <= 'Z';
}

static int
is_lower(uint8_t byte)
{
    return byte >= 'a' && byte <= 'z';
}

/* How many bytes of a piece are left if nothing stands behind it; 0 if it is no word, or not a plain one. */
static size_t
word_in(const uint8_t *piece, size_t size, size_t shortest, size_t longest)
{
    int letter = 0, joint = 1; /* a word does not begin with a joint, nor are there two of them */
    while (size && memchr(".'-+#", piece[size - 1], 5))
        size--;
    if (size < shortest || size > longest)
        return 0;
    for (size_t i = 0; i < size; i++) {
        int is_letter = is_upper(piece[i]) || is_lower(piece[i]), joins = memchr(".'-", piece[i], 3) != NULL;
        if (!is_letter && !joins && piece[i] != '_' && (piece[i] < '0' || piece[i] > '9'))
            return 0;
        if (joins && joint)
            return 0;
        letter |= is_letter && i < LETTER_WITHIN;
        joint = joins;
    }
    return letter ? size : 0;
}

static void
lower(uint8_t *out, const Spelling *word)
{
    for (size_t i = 0; i < word->size; i++)
        out[i] = is_upper(word->bytes[i]) ? word->bytes[i] + 32 : word->bytes[i];
}

static int
is_small(const Spelling *word)
{
    for (size_t i = 0; i < word->size; i++)
        if (is_upper(word->bytes[i]))
            return 0;
    return 1;
}

/* Whether capitals begin words, and nothing else does: it may only have begun a sentence. */
static int
is_title(const Spelling *word)
{
    int within = 0;
    for (size_t i = 0; i < word->size; i++) {
        int upper = is_upper(word->bytes[i]), small = is_lower(word->bytes[i]);
        if ((upper && within) || (small && !within))
            return 0;
        within = upper || small;
    }
    return 1;
}

/* Of two that were met as often, the one without capitals; then the last one in the alphabet. Both are of one size. */
static int
is_more_usual(const Spelling *one, const Spelling *other)
{
    if (one->count != other->count)
        return one->count > other->count;
    int small = is_small(one), others = is_small(other);
    return small != others ? small : memcmp(one->bytes, other->bytes, one->size) > 0;
}

/* The different words among pieces, counted; gives how many, or -1. */
static long
count_words(PyObject *pieces, const int64_t *counts, size_t shortest, size_t longest, Table *table, Spelling *words)
{
    long known = 0;
    for (Py_ssize_t i = 0; i < PyTuple_Size(pieces); i++) {
        PyObject *piece = PyTuple_GetItem(pieces, i);
        if (!PyBytes_Check(piece)) {
            PyErr_SetString(PyExc_TypeError, "a piece is bytes");
            return -1;
        }
        const uint8_t *bytes = (const uint8_t *)PyBytes_AsString(piece);
        size_t size = word_in(bytes, (size_t)PyBytes_Size(piece), shortest, longest);
        if (!size)
            continue;
        long before = known;
        int32_t number = number_of(table, bytes, size, &known, NULL);
        if (number < 0)
            return -1;
        if (known > before)
            words[number] = (Spelling){bytes, size, 0};
        words[number].count += counts[i];
    }
    return known;
}

static int
append(PyObject *list, PyObject *made)
{
    int failed = !made || PyList_Append(list, made);
    Py_XDECREF(made);
    return failed ? -1 : 0;
}

/* Put each word into its group, but for those of the first groups, which are given back; 0 or -1. */
static int
group(const Spelling *words, long count, Table *table, long apart, Group *groups, PyObject *others)
{
    uint8_t lowered[MOST_LETTERS];
    long known = apart;
    for (const Spelling *word = words; word < words + count; word++) {
        long before = known;
        lower(lowered, word);
        int32_t number = number_of(table, lowered, word->size, &known, NULL);
        if (number < 0)
            return -1;
        if (number < apart) {
            if (append(others, Py_BuildValue("s#L", word->bytes, (Py_ssize_t)word->size, (long long)word->count)))
                return -1;
            continue;
        }
        Group *here = &groups[number - apart];
        if (known > before)
            *here = (Group){0, word};
        here->count += word->count;
        if (is_more_usual(word, here->usual))
            here->usual = word;
    }
    return 0;
}

/* What is told of each group, in order; 0 or -1. */
static int
tell(const Table *table, long apart, const Group *groups, PyObject *told)
{
    Placed *placed = in_order(table);
    int failed = !placed;
    if (failed)
        PyErr_NoMemory();
    for (size_t i = 0; !failed && i < table->used; i++) {
        if (placed[i].number < apart)
            continue;
        const Group *here = &groups[placed[i].number - apart];
        const Spelling *usual = here->usual;
        Py_ssize_t written = is_small(usual) || is_title(usual) ? 0 : (Py_ssize_t)usual->size;
        failed = append(told, Py_BuildValue("s#Ls#", placed[i].bytes, (Py_ssize_t)placed[i].size,
                                            (long long)here->count, usual->bytes, written));
    }
    free(placed);
    return failed ? -1 : 0;
}

static Table *
new_table(unsigned long long seed)
{
    const char inside[256] = {0};
    return (Table *)PyObject_CallFunction((PyObject *)&TableType, "y#K", inside, (Py_ssize_t)256, seed);
}

/* spelled(pieces, counts, apart, shortest, longest, seed) */
PyObject *
spelled(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *list, *often, *apart, *told = NULL, *others = NULL;
    Py_ssize_t shortest, longest;
    unsigned long long seed;
    Array counts;
    if (!PyArg_ParseTuple(args, "O!OO!nnK:spelled", &PyList_Type, &list, &often, &PyList_Type, &apart, &shortest,
                          &longest, &seed))
        return NULL;
    if (array_open(often, "q", &counts))
        return NULL;
    PyObject *pieces = PyList_AsTuple(list); /* nobody can change it meanwhile */
    Table *words = new_table(seed), *folded = new_table(seed);
    size_t room = pieces ? (size_t)PyTuple_Size(pieces) + 1 : 1;
    Spelling *found = malloc(sizeof(Spelling) * room);
    Group *groups = malloc(sizeof(Group) * room);
    int failed = !pieces || !words || !folded;
    if (!failed && (!found || !groups)) {
        PyErr_NoMemory();
        failed = 1;
    }
    if (!failed && (shortest < 1 || longest > MOST_LETTERS || counts.count != PyTuple_Size(pieces))) {
        PyErr_SetString(PyExc_ValueError, "pieces that were not counted, or words of any length");
        failed = 1;
    }
    long first = 0;
    for (Py_ssize_t i = 0; !failed && i < PyList_Size(apart); i++) {
        Py_ssize_t size;
        const char *word = PyUnicode_AsUTF8AndSize(PyList_GetItem(apart, i), &size);
        failed = !word || (size && number_of(folded, (const uint8_t *)word, (size_t)size, &first, NULL) < 0);
    }
    told = PyList_New(0);
    others = PyList_New(0);
    if (!failed && told && others) {
        long count = count_words(pieces, counts.view.buf, (size_t)shortest, (size_t)longest, words, found);
        failed = count < 0 || group(found, count, folded, first, groups, others) || tell(folded, first, groups, told);
    }
    free(found);
    free(groups);
    Py_XDECREF(words);
    Py_XDECREF(folded);
    Py_XDECREF(pieces);
    PyBuffer_Release(&counts.view);
    if (!failed && told && others)
        return Py_BuildValue("NN", told, others);
    Py_XDECREF(told);
    Py_XDECREF(others);
    return NULL;
}
