"""What if one machine is not enough?"""
