"""The exercises of the handbook and their checker."""
