"""`cibench construct topics`: topics of modules, and how much of the modules they cover."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from cibench_eval.commands import log, new_console
from cibench_eval.commands._kernel_options import Environment, Sandbox
from cibench_eval.commands.construct._model import DryRun, Model, PromptFolder, Tries, Yes, paid, wants
from cibench_eval.reports.construct_tables import topics_table
from cibench_eval.schema import CibenchError


def topics(
    folder: Annotated[Path, typer.Argument(metavar='FOLDER', help='Of the construction; made if need be.')],
    modules: Annotated[list[str], typer.Argument(metavar='MODULE…', help='As they are imported: pandas scipy.stats.')],
    count: Annotated[int, typer.Option('-n', '--count', metavar='N', min=1, help='Topics of each module.')] = 50,
    model: Model = 'construct',
    prompts: PromptFolder = None,
    tries: Tries = 3,
    environment: Environment = 'modern',
    sandbox: Sandbox = 'bubblewrap',
    yes: Yes = False,
    dry_run: DryRun = False,
) -> int:
    """Ask a model for topics of modules, and show what of the modules' documented names they cover.

    A module that has topics keeps them. Exit code 1 where a module has fewer than were asked for.
    """
    from cibench_eval.construction.costs import TOPIC, of_requests
    from cibench_eval.construction.folder import ConstructionFolder, save_record
    from cibench_eval.construction.names import module_names
    from cibench_eval.construction.topics import A_ROUND, MOST, Topics, least_requests, make_topics, question
    from cibench_eval.interpreter.settings import read_settings
    from cibench_eval.run.writer import load_writer

    writer, construction = load_writer(model, folder, prompts, tries), ConstructionFolder(folder)
    fields = {'environment': environment, 'sandbox': sandbox, 'pool_size': 1, 'preload': (), 'timeout': 300}
    settings = read_settings(fields, 'construct')
    missing = [module for module in dict.fromkeys(modules) if construction.topics(module) is None]
    names = [module_names(module, settings) for module in missing]
    questions = [question(one, count, writer.prompts) for one in names] * least_requests(count)
    least, most = (of_requests('topics', questions * n, min(count, A_ROUND) * TOPIC, writer) for n in (1, MOST))
    estimate = replace(least, most=most.most)
    if not wants(estimate if missing else None, writer, yes, dry_run):
        return 0
    for one in names:
        save_record(construction.names_file(one.module), one)
    made = writer.all([partial(make_topics, one, count, writer, log) for one in names]) if missing else []
    for found in made:
        if isinstance(found, Topics):
            construction.save_topics(found)
    paid(writer)
    there = [kept for module in dict.fromkeys(modules) if (kept := construction.topics(module))]
    new_console().print(topics_table(there))
    if without := [f'{module}: {found}' for module, found in zip(missing, made, strict=True) if isinstance(found, str)]:
        raise CibenchError(f'no topics: {"; ".join(without)}')
    return int(any(len(one.topics) < count for one in there))
