/* The module `compiled`: all loops of this folder under one roof. What each of them takes and gives: compiled.pyi */
#include "native.h"

/* A sum over compiled.pyi, by which loops.py knows what these loops take and give (tests/native tells it anew). */
#define PROMISED 0x2eb4a79eu

static PyMethodDef functions[] = {
    {"count_chunks", count_chunks, METH_VARARGS, "How often each chunk was met (index/postings.c)."},
    {"count_terms", count_terms, METH_VARARGS, "How many words stand before those of each term (index/postings.c)."},
    {"spread_words", spread_words, METH_VARARGS, "Where every word stands, term by term (index/postings.c)."},
    {"pack", pack, METH_VARARGS, "The postings of some terms, packed (index/postings.c)."},
    {"deflated", deflated, METH_VARARGS, "A blob, deflated if that makes it shorter (index/deflate.c)."},
    {"deflated_repeats", deflated_repeats, METH_VARARGS,
     "The same of a blob in which one byte is repeated many times (index/repeats.c)."},
    {"rows", made_rows, METH_VARARGS, "Terms in planes, as they are stored (index/rows.c)."},
    {"joined", joined_words, METH_VARARGS, "Words by number, with blanks between (text/joined.c)."},
    {"lengths", lengths, METH_VARARGS, "How many words texts have (text/lengths.c)."},
    {"spelled", spelled, METH_VARARGS, "Words, and how they are mostly written (text/spelled.c)."},
    {"others", all_others, METH_VARARGS, "Lines, each with what else it is called (text/others.c)."},
    {"link_rows", link_rows, METH_VARARGS, "link_rows(links, ids): see compiled.pyi"},
    {"records", records, METH_VARARGS, "records(kind, columns): see compiled.pyi"},
    {"known_verdicts", known_verdicts, METH_VARARGS, "known_verdicts(links, followed, shunned, also, folders, ...): see compiled.pyi"},
    {"headings_kept", headings_kept, METH_O, "headings_kept(headings): see compiled.pyi"},
    {"rising", rising_column, METH_VARARGS, "rising(blob, count): see compiled.pyi"},
    {"heading_lines", headings_read, METH_VARARGS, "heading_lines(kept, ask): see compiled.pyi"},
    {"letters", letters, METH_O, "letters(rows): see compiled.pyi"},
    {"columns", columns, METH_O, "columns(rows): see compiled.pyi"},
    {"unsettled", unsettled, METH_VARARGS, "unsettled(found, known, teller, shunned, far): see compiled.pyi"},
    {"simhash", simhash, METH_VARARGS, "simhash(text, beside, kinds, factor): see compiled.pyi"},
    {"likeness", likeness, METH_VARARGS, "likeness(text, links, kinds, alone, seed): see compiled.pyi"},
    {"encoded", encoded_text, METH_O, "encoded(text): see compiled.pyi"},
    {"without_digits", without_digits, METH_O, "without_digits(text): see compiled.pyi"},
    {"sketch", sketch, METH_VARARGS, "sketch(text, most): see compiled.pyi"},
    {"is_plain_utf8", is_plain_utf8, METH_O, "is_plain_utf8(body): see compiled.pyi"},
    {"wording", wording, METH_O, "wording(text): see compiled.pyi"},
    {"tidy", tidy, METH_VARARGS, "tidy(text, kept): see compiled.pyi"},
    {"meet", meet, METH_VARARGS, "meet(size, count, must, barred, choice, telling): the pages that match."},
    {"first_pages", first_pages, METH_VARARGS,
     "first_pages(matched, complete, factor, tops, best, count, words): those that are worth most, and what by words."},
    {"first_rows", first_rows, METH_VARARGS, "first_rows(...): the same, as a list of all that is known of each."},
    {"tops", tops, METH_VARARGS, "tops(size, pages, values): the largest value in each block of pages."},
    {"hits", hits, METH_VARARGS, "hits(kind, slots, names, found, similar): see compiled.pyi"},
    {"gained", gained, METH_VARARGS, "gained(known, pages): what pages gain by pairs of words, if that is known."},
    {"find_all", find_all, METH_VARARGS, "find_all(text, sought, most): the first places of some letters."},
    {"words_at", words_at, METH_VARARGS, "words_at(plain, lowered, places, known, low): the words that match there."},
    {"chances", chances, METH_VARARGS, "chances(matches, weigh, width, least, sure): runs that may be worth showing."},
    {"weigh", weigh, METH_VARARGS, "weigh(worth, some, docs, fields, k1): add what a term is worth on pages."},
    {"entry", entry, METH_VARARGS, "entry(inflate, pieces, fields): the postings of a term on some shelves, end to end."},
    {"summed", summed, METH_VARARGS, "summed(raw, at, count, planes, first): numbers by the steps between them."},
    {"numbers", numbers, METH_VARARGS, "numbers(raw, at, count, planes, bytes): numbers of two bytes each, or four."},
    {"stretches", stretches, METH_VARARGS, "stretches(fields, postings): where the places of postings begin and end."},
    {"distances", distances_of, METH_VARARGS,
     "distances(inflate, fields, shelves, opened, postings): those between the places of postings, and what they take."},
    {"neighbours", neighbours, METH_VARARGS, "neighbours(pairs, pages, fields, k1): what pages gain by pairs of words."},
    {"spots", spots, METH_VARARGS, "spots(wanted, distances): where words stand, each place as one number."},
    {"numbered", numbered, METH_VARARGS, "numbered(pages, some): the numbers that some pages have among others."},
    {"spread", spread, METH_VARARGS, "spread(size, numbers, values): a row of values, 0 where there is none."},
    {"picked", picked, METH_VARARGS, "picked(values, pages): what is known of some pages, NaN where nothing is."},
    {"total", total, METH_O, "total(numbers): what some numbers add up to."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "compiled", .m_doc = "Loops that take too long in Python.", .m_size = -1,
    .m_methods = functions,
};

static int
add_promised(PyObject *module)
{
    PyObject *sum = PyLong_FromUnsignedLong(PROMISED);
    int failed = !sum || PyModule_AddObjectRef(module, "promised", sum);
    Py_XDECREF(sum);
    return failed;
}

PyMODINIT_FUNC
PyInit_compiled(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module && (PyModule_AddType(module, &TableType) || PyModule_AddType(module, &TreeType) || strict_ready() ||
                   PyModule_AddType(module, &StrictType) || PyModule_AddType(module, &LinkMemoType) ||
                   PyModule_AddType(module, &LinkWriterType) || PyModule_AddType(module, &LinkReaderType) ||
                   add_promised(module))) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
