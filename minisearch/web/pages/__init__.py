"""What can be asked at which address?"""
