"""Scores -> statistics. An experiment is a cluster: its steps stand and fall together, so it counts once.

`steps.py` turns step scores into columns, `intervals.py` says how sure a figure is and what several runs of a session
are worth together, `comparison.py` what two or more models' figures differ by; `clusters.py` is the arithmetic below
them. Figures are fractions in [0, 1]; SSIM may be below. The parts of scipy are imported where they are first used:
they take their time.
"""
