"""Audit: a report on one page for its owner."""
