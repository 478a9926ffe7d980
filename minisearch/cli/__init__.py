"""What does one type?"""
