"""Several files that are searched as one: split a file by host, search the shards, merge them."""
