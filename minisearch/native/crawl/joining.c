/* Joining: what a plain link means on the pages of a folder.
 *
 * The same in Python: Joiner.plain in minisearch/crawl/joining.py
 */
#include "native.h"

/* Whether a byte stands in the segments of a path as it is. */
static int
is_plain(uint8_t byte)
{
    return Py_ISALNUM(byte) || (byte && strchr("_~!$&'()*+,;=@-.", byte) != NULL);
}

/* Whether these are segments with slashes between, none of which begins with a dot, and nothing else. */
static int
is_path(const uint8_t *at, const uint8_t *end)
{
    while (at < end) {
        if (*at == '.' || !is_plain(*at))
            return 0;
        while (at < end && is_plain(*at))
            at++;
        if (at < end && *at++ != '/')
            return 0;
    }
    return 1;
}

/* The url of a plain link without a query, if `folders` are the one in which its page lies and those above it; NULL if
 * it is not plain, or there is an error. */
PyObject *
joined(PyObject *folders, const uint8_t *href, size_t size)
{
    const uint8_t *at = href, *end = href + size;
    Py_ssize_t last = PyTuple_GET_SIZE(folders) - 1, up = 0;
    if (!size || last < 0)
        return NULL;
    if (*at == '/') {
        at++;
        up = last;
    } else {
        for (; end - at >= 3 && !memcmp(at, "../", 3); at += 3)
            up += up < last;
    }
    if (!is_path(at, end))
        return NULL;
    PyObject *rest = PyUnicode_DecodeASCII((const char *)at, end - at, "strict");
    PyObject *url = rest ? PyUnicode_Concat(PyTuple_GET_ITEM(folders, up), rest) : NULL;
    Py_XDECREF(rest);
    return url;
}
