"""The algorithms in plain Python, as in a textbook. Tests use them as oracles."""
