"""Reading what models write: code in fences, labels, thinking."""
