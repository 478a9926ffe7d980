"""How do people see it?"""
