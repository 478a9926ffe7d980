"""Link analysis: PageRank, TrustRank, HITS and related algorithms."""
