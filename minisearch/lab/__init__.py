"""Link analysis experiments on small graphs and on crawls: what the lab commands and the lab page compute."""
