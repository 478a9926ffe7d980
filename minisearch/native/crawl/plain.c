/* Plain: whether the bytes of a page are UTF-8 and surely nothing else, in one pass over them.
 *
 * Most of a page is ASCII, of which nothing is to be known but that no escape is in it: that is told of many bytes at a
 * time. Whatever stands beyond it is looked at letter by letter.
 *
 * The same in Python, and what it is good for: _is_plain in minisearch/crawl/charset.py
 */
#include "native.h"

enum { AT_ONCE = 64, ESCAPE = 0x1B };

/* Whether so many bytes are ASCII without an escape. There is no way out of the loop, so that compilers can widen it. */
static int
is_tame(const uint8_t *bytes)
{
    uint8_t all = 0, escapes = 0;
    for (size_t i = 0; i < AT_ONCE; i++) {
        all |= bytes[i];
        escapes |= bytes[i] == ESCAPE;
    }
    return all < 0x80 && !escapes;
}

/* Whether here begins a letter of Latin-1 that looks like one byte of UTF-8, and is followed by what looks like
 * another: so it is written twice. */
static int
is_twice(const uint8_t *at, const uint8_t *end)
{
    static const char next[] = "\xc2\xc5\xc6\xcb\xe2";
    return end - at > 2 && at[0] == 0xC3 && at[1] >= 0x82 && at[1] <= 0xB4 && memchr(next, at[2], sizeof next - 1);
}

PyObject *
is_plain_utf8(PyObject *Py_UNUSED(module), PyObject *body)
{
    if (!PyBytes_Check(body)) {
        PyErr_SetString(PyExc_TypeError, "a body has to be bytes");
        return NULL;
    }
    const uint8_t *at = (const uint8_t *)PyBytes_AS_STRING(body), *end = at + PyBytes_GET_SIZE(body);
    if (end - at > 2 && !memcmp(at, "\xef\xbb\xbf", 3))
        Py_RETURN_FALSE;
    while (at < end) {
        while (end - at >= AT_ONCE && is_tame(at))
            at += AT_ONCE;
        const uint8_t *until = end - at > AT_ONCE ? at + AT_ONCE : end;
        while (at < until) {
            Py_UCS4 letter;
            size_t size = letter_at(at, end, &letter);
            int is_longer = (size == 3 && letter < 0x800) || (size == 4 && letter < 0x10000); /* than it should be */
            if (!size || letter == ESCAPE || is_longer || (letter >= 0xD800 && letter < 0xE000) || is_twice(at, end))
                Py_RETURN_FALSE;
            at += size;
        }
    }
    Py_RETURN_TRUE;
}
