/* Deflating blobs in which little but one byte, many times, repeats: no other match is looked for, and the codes are
 * made for the blob (Huffman, "A Method for the Construction of Minimum-Redundancy Codes", 1952).
 *
 * zlib does the same by its strategy Z_RLE, but sets up all that it would need for a long stream, which takes it longer
 * than the blob does. Blocks end where those of zlib do, so that what comes out is no longer than its.
 *
 * With zlib: _repeating in minisearch/index/pack.py
 */
#include "deflate.h"

enum {
    SYMBOLS = 286,
    LONGEST_CODE = 15,
    LENGTH_SYMBOLS = 19, /* that tell the lengths of codes */
    LONGEST_LENGTH_CODE = 7,
    BLOCK = 4095, /* symbols in a block, so that codes follow what changes; 12 bits count them */
    HALF = 6,     /* of these bits */
};

/* Sort numbers by the 12 bits above their lowest 16, by one half of them after the other. */
static void
sort(uint32_t *keys, int count)
{
    uint32_t other[SYMBOLS];
    for (int half = 0; half < 2; half++) {
        int shift = 16 + half * HALF, begins[(1 << HALF) + 1] = {0};
        for (int i = 0; i < count; i++)
            begins[(keys[i] >> shift & ((1 << HALF) - 1)) + 1]++;
        for (int i = 1; i < 1 << HALF; i++)
            begins[i] += begins[i - 1];
        for (int i = 0; i < count; i++)
            other[begins[keys[i] >> shift & ((1 << HALF) - 1)]++] = keys[i];
        memcpy(keys, other, (size_t)count * sizeof(uint32_t));
    }
}

/* How deep in Huffman's tree each of several weights is, which rise; they are overwritten (Moffat and Katajainen,
 * "In-Place Calculation of Minimum-Redundancy Codes", 1995). */
static void
depths_of(uint32_t *weights, int count)
{
    int root = 0, leaf = 2;
    weights[0] += weights[1];
    for (int next = 1; next < count - 1; next++) {
        uint32_t sum = 0;
        for (int i = 0; i < 2; i++)
            if (leaf >= count || (root < next && weights[root] < weights[leaf])) {
                sum += weights[root];
                weights[root++] = (uint32_t)next; /* now its parent */
            } else
                sum += weights[leaf++];
        weights[next] = sum;
    }
    weights[count - 2] = 0;
    for (int next = count - 3; next >= 0; next--)
        weights[next] = weights[weights[next]] + 1;
    int free = 1, next = count - 1;
    root = count - 2;
    for (uint32_t depth = 0; free > 0; depth++) {
        int used = 0;
        for (; root >= 0 && weights[root] == depth; root--)
            used++;
        for (; free > used; free--)
            weights[next--] = depth;
        free = 2 * used;
    }
}

/* Let no code have more than `most` bits; `counts` tells how many have as many as their place says. */
static void
shorten(int *counts, int deepest, int most)
{
    uint32_t taken = 0;
    for (; deepest > most; deepest--)
        counts[most] += counts[deepest];
    for (int bits = 1; bits <= most; bits++)
        taken += (uint32_t)counts[bits] << (most - bits);
    for (; taken > 1u << most; taken--) { /* one of the longest finds its place beside a shorter one */
        int bits = most - 1;
        while (!counts[bits])
            bits--;
        counts[most]--;
        counts[bits]--;
        counts[bits + 1] += 2;
    }
}

/* How many bits the code of each symbol has, 0 if it never stands: `most` of them at most. */
static void
lengths_of(const uint16_t *often, int symbols, int most, uint8_t *lengths)
{
    uint32_t keys[SYMBOLS], weights[SYMBOLS];
    int count = 0, counts[SYMBOLS] = {0}, deepest = 0;
    memset(lengths, 0, (size_t)symbols);
    for (int symbol = 0; symbol < symbols; symbol++)
        if (often[symbol])
            keys[count++] = (uint32_t)often[symbol] << 16 | (uint32_t)symbol;
    if (count < 2) {
        if (count)
            lengths[keys[0] & 0xFFFF] = 1;
        return;
    }
    sort(keys, count);
    for (int i = 0; i < count; i++)
        weights[i] = keys[i] >> 16;
    depths_of(weights, count);
    for (int i = 0; i < count; i++) {
        counts[weights[i]]++;
        deepest = (int)weights[i] > deepest ? (int)weights[i] : deepest;
    }
    shorten(counts, deepest, most);
    for (int i = count - 1, bits = 1; i >= 0; i--) { /* those that stand most often have the shortest */
        while (!counts[bits])
            bits++;
        counts[bits]--;
        lengths[keys[i] & 0xFFFF] = (uint8_t)bits;
    }
}

/* Codes of such lengths (RFC 1951, 3.2.2). */
static void
codes_of(const uint8_t *lengths, int symbols, Code *codes)
{
    int next[LONGEST_CODE + 2] = {0};
    for (int symbol = 0; symbol < symbols; symbol++)
        next[lengths[symbol] + 1] += lengths[symbol] > 0;
    for (int bits = 1; bits <= LONGEST_CODE; bits++)
        next[bits] = (next[bits] + next[bits - 1]) << 1;
    for (int symbol = 0; symbol < symbols; symbol++)
        if (lengths[symbol])
            codes[symbol] = turned(next[lengths[symbol]]++, lengths[symbol]);
}

/* The lengths of codes, as they are told: symbols, of which some say how often a length is repeated. */
typedef struct {
    uint8_t symbols[SYMBOLS + 1], repeats[SYMBOLS + 1], lengths[LENGTH_SYMBOLS];
    uint16_t often[LENGTH_SYMBOLS];
    int count, told; /* of the symbols; and of their own lengths */
} Telling;

static const uint8_t ORDER[LENGTH_SYMBOLS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

static int
bits_of_repeats(int symbol)
{
    return symbol == 16 ? 2 : symbol == 17 ? 3 : symbol == 18 ? 7 : 0;
}

static void
tell(Telling *telling, int symbol, int repeats)
{
    telling->symbols[telling->count] = (uint8_t)symbol;
    telling->repeats[telling->count++] = (uint8_t)repeats;
    telling->often[symbol]++;
}

/* Tell some lengths; gives how many bits that takes. */
static size_t
tell_lengths(Telling *telling, const uint8_t *lengths, int count)
{
    memset(telling->often, 0, sizeof(telling->often));
    telling->count = 0;
    for (int at = 0; at < count;) {
        int length = lengths[at], run = 1;
        while (at + run < count && lengths[at + run] == length)
            run++;
        at += run;
        if (length) {
            tell(telling, length, 0);
            run--;
        }
        while (run >= 3) {
            int longest = length ? 6 : run > 10 ? 138 : 10, part = run < longest ? run : longest;
            tell(telling, length ? 16 : part > 10 ? 18 : 17, part - (part > 10 ? 11 : 3));
            run -= part;
        }
        for (; run > 0; run--)
            tell(telling, length, 0);
    }
    lengths_of(telling->often, LENGTH_SYMBOLS, LONGEST_LENGTH_CODE, telling->lengths);
    for (telling->told = LENGTH_SYMBOLS; telling->told > 4 && !telling->lengths[ORDER[telling->told - 1]];)
        telling->told--;
    size_t bits = 14 + 3 * (size_t)telling->told;
    for (int symbol = 0; symbol < LENGTH_SYMBOLS; symbol++)
        bits += (size_t)telling->often[symbol] * (size_t)(telling->lengths[symbol] + bits_of_repeats(symbol));
    return bits;
}

static void
write_lengths(Writer *writer, const Telling *telling, int symbols)
{
    Code codes[LENGTH_SYMBOLS];
    codes_of(telling->lengths, LENGTH_SYMBOLS, codes);
    write_bits(writer, (uint32_t)(symbols - 257), 5);
    write_bits(writer, 0, 5); /* one distance */
    write_bits(writer, (uint32_t)(telling->told - 4), 4);
    flush(writer);
    for (int i = 0; i < telling->told; i++) {
        write_bits(writer, telling->lengths[ORDER[i]], 3);
        flush(writer);
    }
    for (int i = 0; i < telling->count; i++) {
        write_code(writer, codes[telling->symbols[i]]);
        write_bits(writer, telling->repeats[i], bits_of_repeats(telling->symbols[i]));
        flush(writer);
    }
}

/* A block: bytes, and lengths of matches, which are more than 256. */
typedef struct {
    uint16_t parts[BLOCK], often[SYMBOLS];
    int count;
} Block;

static void
note(Block *block, uint32_t part)
{
    int below;
    block->parts[block->count++] = (uint16_t)part;
    block->often[part < END ? (int)part : length_symbol(part - END, &below)]++;
}

/* Fill a block with what comes from a place on; gives where the next one goes on. */
static size_t
fill(Block *block, const uint8_t *data, size_t size, size_t at)
{
    memset(block->often, 0, sizeof(block->often));
    block->often[END] = 1;
    block->count = 0;
    while (at < size && block->count < BLOCK) {
        size_t length = 0, most = size - at < MOST ? size - at : MOST;
        while (at && length < most && data[at + length] == data[at - 1])
            length++;
        note(block, length < LEAST ? data[at] : END + (uint32_t)length);
        at += length < LEAST ? 1 : length;
    }
    return at;
}

/* How many bits the symbols of a block take, by codes of such lengths; what lengths tell apart is left out. */
static size_t
bits_of(const Block *block, const uint8_t *lengths, int distance)
{
    size_t bits = 0;
    for (int symbol = 0; symbol < SYMBOLS; symbol++) {
        int length = lengths ? lengths[symbol] : fixed_codes[symbol].count;
        bits += (size_t)block->often[symbol] * (size_t)(length + (symbol > END ? distance : 0));
    }
    return bits;
}

static void
write_parts(Writer *writer, const Block *block, const Code *codes, int distance)
{
    for (int i = 0; i < block->count; i++) {
        if (block->parts[i] < END)
            write_code(writer, codes[block->parts[i]]);
        else {
            int below, symbol = length_symbol((uint32_t)(block->parts[i] - END), &below);
            write_code(writer, codes[symbol]);
            write_bits(writer, (uint32_t)(block->parts[i] - END - LEAST) & ((1u << below) - 1), below);
            write_bits(writer, 0, distance); /* the byte before */
        }
        flush(writer);
    }
    write_code(writer, codes[END]);
    flush(writer);
}

static void
write_block(Writer *writer, const Block *block, int is_last)
{
    enum { FIXED = 1, MADE = 2, FIXED_DISTANCE = 5, MADE_DISTANCE = 1 };
    uint8_t lengths[SYMBOLS + 1];
    Telling telling;
    Code codes[SYMBOLS];
    int symbols = SYMBOLS;
    lengths_of(block->often, SYMBOLS, LONGEST_CODE, lengths);
    while (symbols > 257 && !lengths[symbols - 1])
        symbols--;
    lengths[symbols] = MADE_DISTANCE;
    size_t bits = tell_lengths(&telling, lengths, symbols + 1);
    lengths[symbols] = 0;
    int made = bits + bits_of(block, lengths, MADE_DISTANCE) < bits_of(block, NULL, FIXED_DISTANCE);
    write_bits(writer, (uint32_t)is_last, 1);
    write_bits(writer, made ? MADE : FIXED, 2);
    flush(writer);
    if (made) {
        write_lengths(writer, &telling, symbols);
        codes_of(lengths, symbols, codes);
    }
    write_parts(writer, block, made ? codes : fixed_codes, made ? MADE_DISTANCE : FIXED_DISTANCE);
}

size_t
deflate_repeats_into(uint8_t *out, const uint8_t *data, size_t size)
{
    Writer writer = {out, 0, 0};
    Block block;
    size_t at = 0;
    make_fixed_codes();
    do {
        at = fill(&block, data, size, at);
        write_block(&writer, &block, at == size);
    } while (at < size);
    finish(&writer);
    return (size_t)(writer.out - out);
}
