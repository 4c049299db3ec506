"""Free displays of foreign notebooks held against each other: what `docs/open-form.md` describes."""
