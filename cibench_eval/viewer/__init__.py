"""A run as static pages: `write_report` makes them, a browser opens them from disk. Nothing that a model wrote runs."""
