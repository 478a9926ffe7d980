"""Are the answers any good?"""
