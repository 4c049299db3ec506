"""Sessions of claims: what do studies show whose notes say what is wrong with some of them?"""
