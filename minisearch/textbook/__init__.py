"""How would one show it on a board?"""
