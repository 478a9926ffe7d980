"""Link analysis: PageRank and its variants, HITS, TrustRank, the structure of link graphs."""
