"""`cibench construct`: new benchmarks, a file a command."""

from cibench_eval.commands import files_of, new_app
from cibench_eval.packages import require

COMMANDS = {
    'topics': 'ask a model for topics of Python modules, and show how much of them is covered',
    'tasks': 'let it write experiments on the topics, check them, and revise them until they are clean',
    'review': 'open a page on which a person accepts, edits or rejects each step of a set',
    'accepted': 'copy the experiments whose steps are all accepted into a set of their own',
    'data': 'make tables with given columns and distributions',
    'lift': 'turn an experiment into a template with parameters',
    'fill': 'make experiments of a template on other data, with gold outputs of their own',
    'translate': 'make the Chinese twin of a set, checked by translating it back',
    'contamination': 'look for passages of a set in other texts',
    'prompts': 'copy the prompts into a folder, to be edited there',
}
"""A file each in this folder."""

app = new_app(cls=files_of('cibench_eval.commands.construct', COMMANDS))


@app.callback()
def construct() -> None:
    """New benchmarks: topics, tasks, revision, review."""
    require('construct', 'pandas')
