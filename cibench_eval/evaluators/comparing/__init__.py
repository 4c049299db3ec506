"""Gold against answer: numbers, tables, text, figures, plots. Nothing here knows of profiles, steps or runs."""
