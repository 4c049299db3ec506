"""New benchmarks: modules -> topics -> tasks -> revision -> human review (arXiv 2407.10499, section 2)."""
