"""Crawling: frontier, politeness, duplicates, crawler traps, recrawls."""
