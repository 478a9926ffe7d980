"""Stored responses: WARC files and mirrors."""
