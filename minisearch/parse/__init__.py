"""Parse: from bytes to a Page."""
