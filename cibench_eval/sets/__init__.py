"""Sets of experiments: building, varying, checking, fetching and listing them. `datasets/` loads what is here made."""
