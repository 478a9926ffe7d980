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
