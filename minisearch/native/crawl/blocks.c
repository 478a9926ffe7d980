/* Blocks: memory that is taken piece by piece and given back as a whole, and kept for the next page.
 *
 * For the tree of a page (knots.c). In Python nobody has to: minisearch/crawl/extract.py
 */
#include "strict.h"

enum { BLOCK_SIZE = 1 << 17, MOST_KEPT = 24 };

static Block *kept; /* for the next page: what was just in use is at hand sooner than what is asked for anew */
static int kept_count;

static Block *
new_block(Block *before)
{
    Block *block = kept;
    if (block) {
        kept = block->next;
        kept_count--;
    } else if (!(block = malloc(BLOCK_SIZE))) {
        return NULL;
    }
    block->next = before;
    block->used = 0;
    return block;
}

void *
block_take(Block **blocks, size_t size)
{
    const size_t room = BLOCK_SIZE - sizeof(Block);
    size = (size + 7) & ~(size_t)7;
    if (size > room)
        return NULL;
    if (!*blocks || room - (*blocks)->used < size) {
        Block *block = new_block(*blocks);
        if (!block)
            return NULL;
        *blocks = block;
    }
    void *taken = (*blocks)->bytes + (*blocks)->used;
    (*blocks)->used += size;
    return taken;
}

void
blocks_free(Block *blocks)
{
    while (blocks) {
        Block *next = blocks->next;
        if (kept_count < MOST_KEPT) {
            blocks->next = kept;
            kept = blocks;
            kept_count++;
        } else {
            free(blocks);
        }
        blocks = next;
    }
}
