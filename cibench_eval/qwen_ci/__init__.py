"""Qwen-Agent's Code Interpreter Benchmark: its command line, its tables, its result files."""
