"""Many tasks on many machines: cut, submit, watch, merge. Knows nothing of OpenCompass."""
