"""How fast is it, and how good, beside others?"""
