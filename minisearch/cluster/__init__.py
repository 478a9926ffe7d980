"""Link analysis of graphs larger than memory, on this machine or on a Dask cluster."""
