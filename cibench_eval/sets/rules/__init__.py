"""Sessions of rules: what does a manual of rates, exceptions and circulars make of a ledger?"""
