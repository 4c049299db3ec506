"""Judges: models that say what a figure, an answer or a failure is worth."""
