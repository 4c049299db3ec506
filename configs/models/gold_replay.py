"""The ceiling of this machine: every question is answered with its gold code."""

from cibench_eval.models import GoldReplay

models = [dict(type=GoldReplay, abbr='gold-replay')]
