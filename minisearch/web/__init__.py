"""The web application: search pages and a JSON API over one file."""
