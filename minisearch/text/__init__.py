"""How does text become terms?"""
