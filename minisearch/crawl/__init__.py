"""How do pages get here?"""
