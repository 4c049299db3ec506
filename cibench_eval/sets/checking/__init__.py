"""Is a set of experiments sound? Its gold code is run again, its files are read, and what is wrong is reported."""

from cibench_eval.sets.checking.check import CheckSettings, check_set
from cibench_eval.sets.checking.findings import CheckReport, Finding
from cibench_eval.sets.checking.scores import Bars

__all__ = ['Bars', 'CheckReport', 'CheckSettings', 'Finding', 'check_set']
