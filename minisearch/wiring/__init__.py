"""How do the stages reach the file?"""
