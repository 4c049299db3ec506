"""The benchmark in other frameworks: a thin file for each, over the same agents, kernels and scorers."""
