"""`cibench run`: evaluate models, as `run.py` of a clone does."""

import typer

from cibench_eval.commands import new_app
from cibench_eval.run.main import main

app = new_app()


@app.command(
    context_settings={'allow_extra_args': True, 'ignore_unknown_options': True, 'help_option_names': []},
    add_help_option=False,
)
def run(context: typer.Context) -> int:
    """Evaluate models: the flags are those of `run.py`, which takes `--help`, too."""
    try:
        return main(context.args, 'cibench run')
    except SystemExit as end:  # after --help, or a flag that there is not
        return end.code if isinstance(end.code, int) else int(end.code is not None)
