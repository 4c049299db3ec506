"""Results that the authors of the benchmarks have published, as CSV files."""

import csv
from importlib import resources


def published_lines(name: str) -> list[dict[str, str]]:
    """The lines of a file of this package."""
    return list(csv.DictReader((resources.files(__package__) / name).read_text(encoding='utf-8').splitlines()))
