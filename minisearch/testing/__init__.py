"""Testing: a real local server, and a zoo of misbehaving ones."""
