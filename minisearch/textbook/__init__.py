"""The algorithms in plain Python with the standard library only, to be read and compared with the fast versions."""
