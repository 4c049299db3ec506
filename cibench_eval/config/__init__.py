"""A config: read from files, checked, made into typed records (`tasks.Run`), and kept as data in a run folder."""
