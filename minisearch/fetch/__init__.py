"""Fetch: one HTTP request, safely."""
