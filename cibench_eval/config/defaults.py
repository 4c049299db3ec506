"""What holds where neither a config nor a command line says anything."""

from cibench_eval.schema import Mode

CONFIGS = 'configs'
"""Folder of the config files."""
AGENT, SUMMARIZER, RUNTIME = 'react', 'cibench', 'local'
"""Files in its folders `agents`, `summarizers` and `runtimes`."""
WORK_DIR = 'outputs/default'
"""Folder of all runs."""
MOST_EPOCHS = 1000
"""Upper bound: each epoch is filed as a dataset of its own."""
MODE: Mode = 'end_to_end'
PROFILE = 'official'
"""The scoring profile. The sets that come with the package name `strict` instead."""
