/* A row of bytes that grows: bytearray, for the other files of this folder. */
#include "native.h"

enum { FIRST_ROOM = 1 << 10 };

/* See to it that so many more bytes fit in. */
int
row_make_room(Row *row, size_t size)
{
    size_t room = row->room ? row->room : FIRST_ROOM;
    while (room - row->size < size) {
        if (room > SIZE_MAX / 2) {
            PyErr_NoMemory();
            return -1;
        }
        room *= 2;
    }
    char *moved = room > row->room ? realloc(row->bytes, room) : row->bytes;
    if (!moved) {
        PyErr_NoMemory();
        return -1;
    }
    row->bytes = moved;
    row->room = room;
    return 0;
}

void
row_free(Row *row)
{
    free(row->bytes);
    row->bytes = NULL;
    row->size = row->room = 0;
}
