"""The pages of the graph and of the lab."""
