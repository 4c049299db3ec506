"""The two tables of Qwen-Agent's Code Interpreter Benchmark, beside the published results."""

from cibench_eval.opencompass import QwenCISummarizer

summarizer = dict(type=QwenCISummarizer)
