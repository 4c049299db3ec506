"""Whether an answer of any form shows what the gold shows (docs/open-form.md)."""
