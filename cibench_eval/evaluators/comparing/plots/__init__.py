"""Figures by what they show: the plot of an answer against the gold's. Pixels are left to `figures.py`."""
