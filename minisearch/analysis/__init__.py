"""From text to terms: normalization, tokens, stems, stop words and exact-match keys."""
