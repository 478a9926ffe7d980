"""What if the links were different?"""
