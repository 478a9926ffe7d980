/* Arrays that are handed in: numpy's, or bytes, read where they lie. */
#include "native.h"

int
array_open(PyObject *object, const char *kinds, Array *array)
{
    if (PyObject_GetBuffer(object, &array->view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS))
        return -1;
    const char *format = array->view.format ? array->view.format : "B";
    array->kind = *format == 'l' && sizeof(long) == 8 ? 'q' : *format;
    array->count = array->view.itemsize ? array->view.len / array->view.itemsize : 0;
    /* Where numbers stand at odd places, numpy puts another sign before the kind. */
    if (array->view.ndim == 1 && *format && !format[1] && strchr(kinds, array->kind))
        return 0;
    PyErr_Format(PyExc_TypeError, "an array of %s was expected, not of %s", kinds, format);
    PyBuffer_Release(&array->view);
    return -1;
}

int
is_rising(const int32_t *list, Py_ssize_t count, Py_ssize_t size)
{
    int bad = count && (list[0] < 0 || list[count - 1] >= size);
    for (Py_ssize_t i = 1; i < count; i++)
        bad |= list[i] <= list[i - 1];
    return !bad;
}

Py_ssize_t
seek(const int32_t *list, Py_ssize_t low, Py_ssize_t high, int32_t page)
{
    Py_ssize_t step = 1;
    while (low + step < high && list[low + step] < page)
        step *= 2;
    Py_ssize_t top = low + step < high ? low + step : high;
    for (low += step / 2; low < top;) {
        Py_ssize_t middle = low + (top - low) / 2;
        if (list[middle] < page)
            low = middle + 1;
        else
            top = middle;
    }
    return low;
}
