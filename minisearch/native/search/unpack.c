/* Unpacking: numbers that were packed in planes, first the lowest byte of every number, then the next byte of each.
 *
 * The same with numpy: minisearch/packing.py
 */
#include "native.h"

static inline uint64_t
packed_at(const uint8_t *planes, Py_ssize_t count, int width, Py_ssize_t place)
{
    uint64_t number = 0;
    for (int plane = 0; plane < width; plane++)
        number |= (uint64_t)planes[plane * count + place] << 8 * plane;
    return number;
}

/* Read (bytes, where to begin, how many numbers, planes, and one number more). */
static int
open_planes(PyObject *args, Array *raw, Py_ssize_t *at, Py_ssize_t *count, int *width, long *first)
{
    PyObject *bytes;
    if (!PyArg_ParseTuple(args, "Onnil", &bytes, at, count, width, first) || array_open(bytes, "B", raw))
        return -1;
    if (*width >= 1 && *width <= 4 && *at >= 0 && *count >= 0 && *at <= raw->count &&
        *count <= (raw->count - *at) / *width)
        return 0;
    PyBuffer_Release(&raw->view);
    PyErr_SetString(PyExc_ValueError, "too short or too long");
    return -1;
}

PyObject *
summed(PyObject *Py_UNUSED(module), PyObject *args)
{
    Array raw;
    Py_ssize_t at, count;
    int width;
    long first;
    if (open_planes(args, &raw, &at, &count, &width, &first))
        return NULL;
    PyObject *found = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(int32_t));
    if (found) {
        int32_t *sums = (int32_t *)PyBytes_AS_STRING(found);
        const uint8_t *planes = (const uint8_t *)raw.view.buf + at;
        uint64_t sum = (uint64_t)first, step;
        int stops = 0;
        for (Py_ssize_t place = 0; place < count; place++) {
            step = width == 1 ? planes[place] : packed_at(planes, count, width, place);
            stops |= place && !step;
            sums[place] = (int32_t)(sum += step);
        }
        if (stops || first < 0 || sum > INT32_MAX) {
            Py_DECREF(found);
            found = stops ? PyErr_Format(PyExc_ValueError, "numbers that do not rise") : Py_None;
            Py_XINCREF(found);
        }
    }
    PyBuffer_Release(&raw.view);
    return found;
}

PyObject *
numbers(PyObject *Py_UNUSED(module), PyObject *args)
{
    Array raw;
    Py_ssize_t at, count;
    int width;
    long bytes;
    if (open_planes(args, &raw, &at, &count, &width, &bytes))
        return NULL;
    PyObject *found = NULL;
    if ((bytes != 2 && bytes != 4) || width > bytes)
        PyErr_SetString(PyExc_ValueError, "numbers are of two bytes or four");
    else if ((found = PyBytes_FromStringAndSize(NULL, count * bytes))) {
        const uint8_t *planes = (const uint8_t *)raw.view.buf + at;
        uint32_t *fours = (uint32_t *)PyBytes_AS_STRING(found);
        uint16_t *twos = (uint16_t *)PyBytes_AS_STRING(found);
        if (bytes == 2)
            for (Py_ssize_t place = 0; place < count; place++)
                twos[place] = (uint16_t)packed_at(planes, count, width, place);
        else if (width == 1) /* as most are */
            for (Py_ssize_t place = 0; place < count; place++)
                fours[place] = planes[place];
        else
            for (Py_ssize_t place = 0; place < count; place++)
                fours[place] = (uint32_t)packed_at(planes, count, width, place);
    }
    PyBuffer_Release(&raw.view);
    return found;
}
