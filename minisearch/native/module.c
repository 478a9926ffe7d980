/* The module `compiled`: all loops of this folder under one roof. What each of them takes and gives: compiled.pyi */
#include "native.h"

static PyMethodDef functions[] = {
    {"count_terms", count_terms, METH_VARARGS, "How many words stand before those of each term (index/postings.c)."},
    {"spread_words", spread_words, METH_VARARGS, "Where every word stands, term by term (index/postings.c)."},
    {"pack", pack, METH_VARARGS, "The postings of some terms, packed (index/postings.c)."},
    {"deflate", deflate, METH_VARARGS, "Some bytes, deflated (index/deflate.c)."},
    {"joined", joined_words, METH_VARARGS, "Words by number, with blanks between (text/joined.c)."},
    {"lengths", lengths, METH_VARARGS, "How many words texts have (text/lengths.c)."},
    {"spelled", spelled, METH_VARARGS, "Words, and how they are mostly written (text/spelled.c)."},
    {"others", all_others, METH_VARARGS, "Lines, each with what else it is called (text/others.c)."},
    {"link_rows", link_rows, METH_VARARGS, "link_rows(page, links, ids): see compiled.pyi"},
    {"records", records, METH_VARARGS, "records(kind, columns): see compiled.pyi"},
    {"unsettled", unsettled, METH_VARARGS, "unsettled(found, lately, teller, shunned, far): see compiled.pyi"},
    {"simhash", simhash, METH_VARARGS, "simhash(text, beside, kinds, factor): see compiled.pyi"},
    {"tidy", tidy, METH_VARARGS, "tidy(text, kept): see compiled.pyi"},
    {"meet", meet, METH_VARARGS, "meet(size, count, must, barred, choice, telling): the pages that match."},
    {"first_pages", first_pages, METH_VARARGS,
     "first_pages(matched, complete, factor, best, count, words): the pages that are worth most, and what by words."},
    {"first_rows", first_rows, METH_VARARGS, "first_rows(...): the same, as a list of all that is known of each."},
    {"weigh", weigh, METH_VARARGS, "weigh(worth, some, docs, fields, k1): add what a term is worth on pages."},
    {"summed", summed, METH_VARARGS, "summed(raw, at, count, planes, first): numbers by the steps between them."},
    {"numbers", numbers, METH_VARARGS, "numbers(raw, at, count, planes, bytes): numbers of two bytes each, or four."},
    {"stretches", stretches, METH_VARARGS, "stretches(fields, postings): where the places of postings begin and end."},
    {"numbered", numbered, METH_VARARGS, "numbered(pages, some): the numbers that some pages have among others."},
    {"spread", spread, METH_VARARGS, "spread(size, numbers, values): a row of values, 0 where there is none."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "compiled", .m_doc = "Loops that take too long in Python.", .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC
PyInit_compiled(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module && (PyModule_AddType(module, &TableType) || PyModule_AddType(module, &TreeType))) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
