"""`cibench construct contamination`: passages of a set that stand in other texts."""

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.text import Text

import cibench_eval
from cibench_eval.commands import log, new_console
from cibench_eval.commands._kernel_options import Environment
from cibench_eval.schema import CibenchError
from cibench_eval.terminal import say

Option = typer.Option


def contamination(
    folder: Annotated[str, typer.Argument(metavar='SET', help='Folder of notebooks, or name of a built-in set.')],
    against: Annotated[
        list[Path] | None, Option(metavar='PATH', help='File or folder of text; may be repeated.')
    ] = None,
    packages: Annotated[
        str, Option(metavar='NAMES', help='Packages of the kernel environment: pandas,scipy; `all` for all.')
    ] = '',
    environment: Environment = 'modern',
    only: Annotated[str | None, Option(metavar='PATTERN', help='Of these experiments; * and ? are wild.')] = None,
    words: Annotated[int, Option(metavar='N', min=2, help='Of a passage, at least.')] = 13,
    to: Annotated[Literal['text', 'markdown', 'csv', 'json'], Option(help='What is printed.')] = 'text',
    fail_over: Annotated[
        float | None, Option(metavar='PERCENT', min=0, max=100, help='Exit code 1 if more of any text is elsewhere.')
    ] = None,
) -> int:
    """Look for passages of a set's questions and code in other texts, as a model may have been trained on them.

    Read are text, Markdown, pages, JSON, notebooks and Python, also with .gz; of code without comments. The files of
    the set and of this package are left out.
    """
    from cibench_eval.construction.contamination import Corpora, texts_of
    from cibench_eval.construction.contamination import contamination as looked_for
    from cibench_eval.reports.contamination_tables import contamination_table, passages, to_csv
    from cibench_eval.reports.summary import print_table

    texts, place = texts_of(folder, environment, only)
    paths = [*(against or []), *_packages(packages, environment)]
    if not paths:
        raise CibenchError('contamination: nowhere to look; give --against PATH or --packages NAMES')
    result = looked_for(texts, Corpora(paths, [place, Path(cibench_eval.__file__).parent]), words, log)
    if not result.files:
        raise CibenchError(f'contamination: no file of text in {", ".join(map(str, paths))}')
    if to == 'json':
        say(result.model_dump_json(indent=1))
    elif to == 'csv':
        say(to_csv(result).rstrip('\n'))
    elif to == 'markdown':
        say('\n'.join(contamination_table(result).markdown()))
    else:
        console = new_console()
        print_table(contamination_table(result), console)
        for line in passages(result):
            console.print(Text(line))
    return int(fail_over is not None and any(100 * one.share > fail_over for one in result.found))


def _packages(names: str, environment: str) -> list[Path]:
    """The folders of packages in a kernel environment."""
    from cibench_eval.interpreter.environments import KernelEnvironment

    if not names:
        return []
    sites = sorted(KernelEnvironment.find(environment).root.glob('lib/python*/site-packages'))
    if names == 'all':
        return sites
    found = []
    for name in filter(None, map(str.strip, names.split(','))):
        places = [path for site in sites for path in (site / name, site / f'{name}.py') if path.exists()]
        if not places:
            raise CibenchError(
                f'--packages {name}: not in the kernel environment {environment}; give names as imported'
            )
        found += places
    return found
