"""The benchmark at home in other frameworks: a thin file each over the same agents, kernels and scorers."""
