"""Sets of experiments: build, vary, check, fetch and list them. `datasets/` loads them."""
