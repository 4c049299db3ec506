"""The program `cibench`: runs, and all that is around them."""

import os
import re
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from cibench_eval import __version__
from cibench_eval.commands import files_of, new_app
from cibench_eval.schema import CibenchError
from cibench_eval.terminal import Errors, accept_any_text, ended_as_by_ctrl_c, filtering, log_to_stderr, say

COMMANDS = {
    'run': 'evaluate models, as `run.py` of a clone does',
    'configs': 'the configs that runs find by name: list them, copy those of the package',
    'doctor': 'what is there, what is missing, and how to fix it',
    'kernel': 'environments in which model code runs',
    'exec': 'run a script or notebook as the code of a model is run',
    'model': 'the embedded model',
    'server': 'environments of model servers',
    'data': 'sets of experiments: list, fetch, add, check, build, export, vary',
    'construct': 'new benchmarks: topics, tasks, revision, review, translation',
    'status': 'how far a run is, here or on a cluster',
    'show': 'the steps of a run and their scores, or one conversation as the model saw it',
    'view': 'runs as pages in the browser: tables, charts, every session',
    'leaderboard': 'the main table over several runs, beside the published one',
    'analyse': 'the analyses of the paper over runs: tables and figures',
    'compare': 'compare two runs step by step, and fail where the second is worse',
    'export': 'the sessions of a run as notebooks, its steps as a table',
    'score': 'score the sessions of a run again, without running anything',
    'serve': 'let a coding agent that speaks MCP sit the benchmark',
    'env': 'an environment server for training: OpenEnv, TRL',
    'judge': 'let a model judge the figures, answers or failures of a run',
    'agreement': 'how far judges and scores of a run agree',
    'trust': 'read the run folder of somebody else as your own',
}
"""A file each in `commands/`."""

app = new_app(cls=files_of('cibench_eval.commands', COMMANDS), context_settings={'help_option_names': ['-h', '--help']})


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f'cibench-eval {__version__}')
        raise typer.Exit


@app.callback()
def cibench(
    version: Annotated[bool, typer.Option('--version', help='Print it.', is_eager=True, callback=show_version)] = False,
) -> None:
    """Evaluate models, and what is around it: environments, models, sets of experiments, scores of a run."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 2 for bad input or a missing part, named in one line.

    1 if the command did its work but met damage, which it has named.
    """
    accept_any_text()
    log_to_stderr()
    try:
        with ended_as_by_ctrl_c(), filtering(Errors()) as errors:
            code = call(arguments) or int(bool(errors))
    except typer.TyperException as error:
        return fail(usage_problem(error))
    except CibenchError as error:
        return fail(*str(error).splitlines())
    except OSError as error:
        return fail(os_problem(error))
    if code == 130:
        print('cibench: interrupted', file=sys.stderr)
    return code


def call(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; what goes wrong is raised."""
    return typer.main.get_command(app).main(arguments, prog_name='cibench', standalone_mode=False) or 0


def fail(*problems: str) -> int:
    for problem in problems:
        say(f'cibench: error: {" ".join(problem.split())}', error=True)
    return 2


def usage_problem(error: typer.TyperException) -> str:
    """What is wrong with the command line, and where it says what would be right."""
    context = getattr(error, 'ctx', None)
    problem = error.format_message().rstrip('.').replace('Value error, ', '')  # pydantic says that of every choice
    problem = re.sub('Input should be a valid (.*), unable to parse .*', r'must be a valid \1', problem)
    return f'{problem} (see {context.command_path if context else "cibench"} --help)'


def os_problem(error: OSError) -> str:
    """What an error of the operating system says, its file first, as ours do."""
    if isinstance(error.filename, str | bytes):
        return f'{os.fsdecode(error.filename)}: {error.strerror}; name another place, or mend that one'
    return str(error) or type(error).__name__


if __name__ == '__main__':
    sys.exit(main())
