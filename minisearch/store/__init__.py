"""The SQLite file: all SQL of the project."""
