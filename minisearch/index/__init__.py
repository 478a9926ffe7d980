"""Which pages have this term?"""
