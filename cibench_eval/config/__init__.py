"""A config: read from files, checked, made into records (`session_tasks.Run`), and kept as data in a run folder."""
