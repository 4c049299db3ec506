"""`cibench data`: sets of experiments, a file a command."""

from pathlib import Path
from typing import Annotated

import typer

from cibench_eval.commands import files_of, new_app

COMMANDS = {
    'list': 'sets that are there: experiments, steps, kinds',
    'fetch': 'download a published archive and unpack it',
    'add': 'take in an archive or a folder that is on this machine',
    'check': 'run all gold code of a set again and report what is wrong',
    'build': 'execute the sources of a built-in set into notebooks',
    'describe': 'run the gold code of a set and write down what it came to, for scoring',
    'export': 'a set as tasks of Harbor',
    'vary': 'make a private variant of the template experiments on fresh data',
}
"""A file each in this folder."""

To = Annotated[Path, typer.Option('--to', metavar='DIR', file_okay=False, help='Folder of sets.')]
AcceptNew = Annotated[bool, typer.Option('--accept-new', help='Take content that is not what was recorded.')]

app = new_app(cls=files_of('cibench_eval.commands.data', COMMANDS))


@app.callback()
def data() -> None:
    """Sets of experiments."""
