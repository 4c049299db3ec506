"""Is a set of experiments sound? Its gold code is run again, its files are read, and what is wrong is reported."""

from cibench_eval.sets.checking.check import CheckSettings, check_set
from cibench_eval.sets.checking.findings import CheckFinding, CheckReport
from cibench_eval.sets.checking.scores import Thresholds

__all__ = ['CheckFinding', 'CheckReport', 'CheckSettings', 'Thresholds', 'check_set']
