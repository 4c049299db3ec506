"""Gold outputs held against printed answers: a closed set of rules, numbered on one page of `docs/metrics.md`."""
