"""The paper's table."""

from cibench_eval.opencompass import CIBenchSummarizer

summarizer = dict(type=CIBenchSummarizer)
