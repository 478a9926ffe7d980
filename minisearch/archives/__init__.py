"""Archives: WARC files and mirrors."""
