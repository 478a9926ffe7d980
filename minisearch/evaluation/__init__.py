"""Evaluation of rankings by judged queries: metrics, TREC files, significance tests."""
