/* Columns: the pages of a segment, from the steps between them.
 *
 * The same with numpy: `rising` in minisearch/store/columns.py
 */
#include "native.h"

PyObject *
rising_column(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer blob;
    Py_ssize_t count;
    if (!PyArg_ParseTuple(args, "y*n:rising", &blob, &count))
        return NULL;
    const uint8_t *bytes = blob.buf;
    int width = blob.len ? *bytes++ : -1;
    PyObject *found = NULL;
    if ((width != 0 && width != 1 && width != 2 && width != 4) || count < 0 ||
        (width ? count != (blob.len - 1) / width || (blob.len - 1) % width : blob.len != 1))
        PyErr_SetString(PyExc_ValueError, "too short or too long");
    else if (count > PY_SSIZE_T_MAX / 4)
        PyErr_NoMemory();
    else if ((found = PyBytes_FromStringAndSize(NULL, 4 * count))) {
        uint32_t *sums = (uint32_t *)PyBytes_AS_STRING(found), sum = 0; /* which may come round again */
        for (Py_ssize_t place = 0; place < count; place++) {
            uint32_t step = 0;
            for (int byte = 0; byte < width; byte++)
                step |= (uint32_t)bytes[width * place + byte] << 8 * byte;
            sums[place] = sum += step;
        }
    }
    PyBuffer_Release(&blob);
    return found;
}
