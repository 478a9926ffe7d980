"""What if a loop over millions of words takes too long in Python?"""
