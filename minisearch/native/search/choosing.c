/* Choosing: the pages on which the words of a query are worth most, added up.
 *
 * Pages are gone through a block at a time. No page of a block can be worth more than the best of each word there, added
 * up, times the best of its links; so the most promising blocks come first, and most are never looked at (Ding and Suel,
 * "Faster Top-k Document Retrieval Using Block-Max Indexes", 2011). The best pages so far are in a heap (Williams,
 * "Heapsort", 1964), which tells how good a page has to be.
 *
 * The same with numpy, page by page: minisearch/search/scoring.py
 */
#include "first.h"

static const double NEARLY = 1e-9; /* scores that differ by less share a place: it is due to rounding */

/* Add what a word is worth on the pages from place `low` to `high`. */
static void
add(const Search *search, Word *word, Py_ssize_t low, Py_ssize_t high, double *restrict text)
{
    const double *restrict worth = word->worth.view.buf, share = word->share;
    const int32_t *docs = word->docs.view.buf, *list = search->list;
    if (word->everywhere && !list)
        for (Py_ssize_t page = low; page < high; page++)
            text[page - low] += share * worth[page];
    else if (word->everywhere)
        for (Py_ssize_t place = low; place < high; place++)
            text[place - low] += share * worth[list[place]];
    else {
        int32_t first = list ? list[low] : (int32_t)low;
        Py_ssize_t end = word->docs.count, at = word->at && docs[word->at - 1] >= first ? 0 : word->at;
        at = seek(docs, at, end, first);
        if (!list)
            for (; at < end && docs[at] < high; at++)
                text[docs[at] - low] += share * worth[at];
        else
            for (Py_ssize_t place = low; place < high && at < end; place++) {
                if (docs[at] < list[place])
                    at = seek(docs, at, end, list[place]);
                if (at < end && docs[at] == list[place])
                    text[place - low] += share * worth[at];
            }
        word->at = at;
    }
}

/* Put a worth into its place in the heap, instead of the least. */
static void
sink(double *heap, Py_ssize_t count, double worth)
{
    Py_ssize_t at = 0;
    for (Py_ssize_t below = 1; below < count; below = 2 * at + 1) {
        if (below + 1 < count && heap[below + 1] < heap[below])
            below++;
        if (!(heap[below] < worth))
            break;
        heap[at] = heap[below];
        at = below;
    }
    heap[at] = worth;
}

static int
choose(Search *search, Chosen one)
{
    if (search->found == search->room) {
        Py_ssize_t room = 2 * search->room + 256;
        Chosen *more = PyMem_Realloc(search->chosen, (size_t)room * sizeof(Chosen));
        if (!more) {
            PyErr_NoMemory();
            return -1;
        }
        search->chosen = more;
        search->room = room;
    }
    search->chosen[search->found++] = one;
    if (one.full != search->take_full && one.worth > search->heap[0])
        sink(search->heap, search->wanted, one.worth);
    return 0;
}

/* What a page has to be worth, unless it is chosen anyway. */
static inline double
bound(const Search *search)
{
    return search->heap[0] - NEARLY;
}

/* Look at the pages from place `low` to `high`, no more than a block. */
static int
look(Search *search, Py_ssize_t low, Py_ssize_t high)
{
    double text[BLOCK], least = bound(search);
    int take_full = search->take_full;
    memset(text, 0, sizeof(text));
    for (Py_ssize_t word = 0; word < search->known; word++)
        add(search, &search->words[word], low, high, text);
    for (Py_ssize_t place = low; place < high; place++) {
        Py_ssize_t page = search->list ? search->list[place] : place;
        double worth = text[place - low] * search->factor[page];
        if (worth < least && !(take_full && search->complete[page]))
            continue;
        int full = search->complete[page] != 0;
        if (!search->matched[page] || !(full || take_full))
            continue;
        if (choose(search, (Chosen){(int32_t)page, full, text[place - low], worth}))
            return -1;
        least = bound(search);
    }
    return 0;
}

typedef struct {
    double most;       /* that one of its pages can be worth */
    int32_t number;
    int32_t low, high; /* its places */
    int32_t full;      /* its pages that have all words */
} Block;

/* Of each block where it begins and ends, and its pages that have all words; how many blocks have pages. Where it does
 * not matter which pages are in a block, it has as many as it can.
 */
static Py_ssize_t
cut(const Search *search, Block *blocks)
{
    const int32_t *list = search->list;
    const uint8_t *complete = search->complete;
    Py_ssize_t count = 0;
    for (Py_ssize_t low = 0, high; low < search->count; low = high, count++) {
        Py_ssize_t end = low + BLOCK < search->count ? low + BLOCK : search->count;
        uint32_t full = 0;
        if (!list) {
            for (high = low; high < end; high++)
                full += complete[high] != 0;
        }
        else {
            int64_t beyond = search->tops ? (int64_t)(list[low] / BLOCK + 1) * BLOCK : INT64_MAX;
            for (high = low; high < end && list[high] < beyond; high++)
                full += complete[list[high]] != 0;
        }
        int32_t number = (list ? list[low] : (int32_t)low) / BLOCK;
        blocks[count] = (Block){0.0, number, (int32_t)low, (int32_t)high, (int32_t)full};
    }
    return count;
}

/* How many of the first ones are wanted, and of which kind. */
static int
aim(Search *search, const Block *blocks, Py_ssize_t cut_into, Py_ssize_t count)
{
    Py_ssize_t full = 0;
    for (Py_ssize_t block = 0; block < cut_into; block++)
        full += blocks[block].full;
    search->take_full = full < count;
    search->wanted = search->take_full ? count - full : count;
    search->heap = PyMem_New(double, (size_t)search->wanted);
    if (!search->heap) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t at = 0; at < search->wanted; at++)
        search->heap[at] = -Py_HUGE_VAL;
    return 0;
}

/* Tell of each block what one of its pages can be worth; those that have none to choose are left out. */
static Py_ssize_t
weigh_blocks(const Search *search, Block *blocks, Py_ssize_t count)
{
    Py_ssize_t kept = 0;
    for (Py_ssize_t at = 0; at < count; at++)
        if (blocks[at].full || search->take_full)
            blocks[kept++] = blocks[at];
    for (Py_ssize_t word = 0; word < search->known; word++) {
        const double *tops = (double *)PyBytes_AS_STRING(search->words[word].tops), share = search->words[word].share;
        for (Py_ssize_t at = 0; at < kept; at++)
            blocks[at].most += share * tops[blocks[at].number];
    }
    for (Py_ssize_t at = 0; at < kept; at++)
        blocks[at].most = blocks[at].full && search->take_full ? Py_HUGE_VAL
                                                               : blocks[at].most * search->tops[blocks[at].number];
    return kept;
}

/* Put a block into its place in a heap, the most promising on top, from place `at` on. */
static void
sink_block(Block *heap, Py_ssize_t count, Py_ssize_t at, Block block)
{
    for (Py_ssize_t below = 2 * at + 1; below < count; below = 2 * at + 1) {
        if (below + 1 < count && heap[below + 1].most > heap[below].most)
            below++;
        if (!(heap[below].most > block.most))
            break;
        heap[at] = heap[below];
        at = below;
    }
    heap[at] = block;
}

static int
by_page(const void *one, const void *other)
{
    return (((const Chosen *)one)->page > ((const Chosen *)other)->page) * 2 - 1;
}

int
choose_first(Search *search, Py_ssize_t count)
{
    Block *blocks = PyMem_New(Block, (size_t)(search->size / BLOCK + 1));
    if (!blocks) {
        PyErr_NoMemory();
        return -1;
    }
    Py_ssize_t left = cut(search, blocks);
    int bad = aim(search, blocks, left, count);
    if (search->tops && !bad) {
        left = weigh_blocks(search, blocks, left);
        for (Py_ssize_t at = left / 2; at-- > 0;)
            sink_block(blocks, left, at, blocks[at]);
        for (; !bad && left && !(blocks[0].most < bound(search)); sink_block(blocks, left, 0, blocks[left])) {
            bad = look(search, blocks[0].low, blocks[0].high);
            left--;
        }
    }
    else
        for (Py_ssize_t at = 0; !bad && at < left; at++)
            bad = look(search, blocks[at].low, blocks[at].high);
    PyMem_Free(blocks);
    if (bad)
        return -1;
    Py_ssize_t kept = 0;
    for (Py_ssize_t at = 0; at < search->found; at++)
        if (search->chosen[at].worth >= bound(search) || (search->take_full && search->chosen[at].full))
            search->chosen[kept++] = search->chosen[at];
    search->found = kept;
    if (kept)
        qsort(search->chosen, (size_t)kept, sizeof(Chosen), by_page);
    return 0;
}

PyObject *
tops_of(Py_ssize_t blocks, const int32_t *pages, const Array *values)
{
    PyObject *found = PyBytes_FromStringAndSize(NULL, blocks * (Py_ssize_t)sizeof(double));
    if (!found)
        return NULL;
    double *tops = (double *)PyBytes_AS_STRING(found);
    const double *value = values->view.buf;
    memset(tops, 0, (size_t)blocks * sizeof(double));
    for (Py_ssize_t at = 0; pages && at < values->count; at++)
        if (value[at] > tops[pages[at] / BLOCK])
            tops[pages[at] / BLOCK] = value[at];
    for (Py_ssize_t block = 0; !pages && block < blocks; block++) {
        Py_ssize_t high = (block + 1) * BLOCK < values->count ? (block + 1) * BLOCK : values->count;
        double top = 0.0;
        for (Py_ssize_t at = block * BLOCK; at < high; at++)
            top = value[at] > top ? value[at] : top;
        tops[block] = top;
    }
    return found;
}
