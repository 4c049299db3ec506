"""Scores -> tables. Usable without OpenCompass: `aggregate` results, then `print_table`, `to_markdown`, `to_csv`."""
