"""Gold outputs held against printed answers: a closed set of rules, all on one page of `docs/metrics.md`."""
