"""Measure how well a language model works with a Python code interpreter on data science notebooks."""

__version__ = '0.1.0'
