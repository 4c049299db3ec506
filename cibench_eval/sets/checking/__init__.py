"""Check a set of experiments: read its files, run its gold code again, and report what is wrong."""

from cibench_eval.sets.checking.check import CheckSettings, check_set
from cibench_eval.sets.checking.findings import AuditReport, CheckFinding, CheckReport
from cibench_eval.sets.checking.scores import Thresholds

__all__ = ['AuditReport', 'CheckFinding', 'CheckReport', 'CheckSettings', 'Thresholds', 'check_set']
