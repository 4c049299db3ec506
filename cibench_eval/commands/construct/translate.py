"""`cibench construct translate`: Chinese twins of English experiments."""

from pathlib import Path
from typing import Annotated

import typer

from cibench_eval.commands import log, new_console
from cibench_eval.commands.construct._model import DryRun, Model, PromptFolder, Tries, Yes, paid, wants
from cibench_eval.reports.construct_tables import translation_causes, translation_table

Option = typer.Option


def translate(
    folder: Annotated[Path, typer.Argument(metavar='SET', help='With English notebooks, or one split of it.')],
    only: Annotated[str | None, Option(metavar='PATTERN', help='Of these experiments; * and ? are wild.')] = None,
    work: Annotated[
        Path | None,
        Option('--work', metavar='DIR', help='For replies and findings.', show_default='SET_translation'),
    ] = None,
    model: Model = 'construct',
    rounds: Annotated[int, Option(metavar='N', min=0, help='Further translations of steps that differ.')] = 2,
    prompts: PromptFolder = None,
    tries: Tries = 3,
    yes: Yes = False,
    dry_run: DryRun = False,
) -> int:
    """Translate the questions of a set into Chinese, each checked by translating it back.

    Twins go into SPLIT_chinese beside SPLIT, with the same code, outputs and data. One is written where every step came
    back as the same question. The same command goes on after a kill and pays for nothing twice. Exit code 1 where an
    experiment has no twin.
    """
    from cibench_eval.construction.costs import of_chains
    from cibench_eval.construction.translating import Translator, sources_of
    from cibench_eval.run.writer import load_writer

    sources = sources_of(folder, only)
    place = work or folder.resolve().with_name(f'{folder.resolve().name}_translation')
    writer = load_writer(model, place, prompts, tries)
    translator = Translator(writer, place / 'translations', rounds, log)
    chains = [translator.questions(source) for source in sources]
    if not wants(of_chains(chains, writer, rounds), writer, yes, dry_run):
        return 0
    found = translator.translate(sources)
    paid(writer)
    new_console().print(translation_table(found), *translation_causes(found), sep='\n')
    return int(not all(one.whole and not one.cause for one in found.values()))
