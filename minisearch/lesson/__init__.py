"""The exercises of the handbook, with a checker."""
