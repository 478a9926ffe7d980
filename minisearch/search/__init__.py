"""Which pages answer, best first?"""
