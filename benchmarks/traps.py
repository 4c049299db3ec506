"""What becomes of answers that fall into the traps of the hard set: every naive session run and scored.

    cibench data check builtin_hard --repeats 1 --json modern.json
    cibench data check builtin_hard --repeats 1 --json paper.json --environment paper
    python benchmarks/traps.py modern.json paper.json > docs/traps.md

A trap is one step of a source; it is tried in each instance, language, environment and naive session that has it. A
naive session is right as a whole if each of its answers is, so never while one trap holds.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cibench_eval.datasets.builtin_sets import SETS
from cibench_eval.sets.build import CANARY
from cibench_eval.sets.templates import read_sources

HEAD = """# The traps of the hard set

What every naive answer of `builtin_hard` is worth, in all instances, both languages and the kernel environments that
were checked. *Tried* counts executions, *passed* those that counted as correct. `benchmarks/traps.py` makes this page.
"""


def rows(files: list[Path]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Source, session and naive answer of each that was run."""
    sources = {
        draft.target.with_suffix('').as_posix(): f'{source.path.parent.name}/{source.path.stem}'
        for source in read_sources(SETS / 'builtin_hard' / 'sources')
        for draft in source.drafts()
    }
    for file in files:
        for run in json.loads(file.read_text(encoding='utf-8'))['runs']:
            name = f'{run["set"]}/{run["notebook"]}'
            for answer in run['naive']:
                yield sources[name], f'{file} {name} {answer["session"]}', answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('checks', nargs='+', type=Path, help='what `cibench data check --json` wrote')
    traps: dict[tuple[str, int, str], Counter[str]] = defaultdict(Counter)
    sessions: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for source, session, answer in rows(parser.parse_args().checks):
        trap = traps[source, answer['step'], answer['trap']]
        trap['tried'] += 1
        trap['passed'] += answer['correct']
        sessions[source][session].append(answer['correct'])
    canary = (SETS / 'builtin_hard' / CANARY).read_text(encoding='utf-8').strip()
    print(f'<!-- {canary} -->\n{HEAD}')
    print('| source | traps | tried | passed | naive sessions | passed whole |\n|---|--:|--:|--:|--:|--:|')
    for source, of_source in sorted(sessions.items()):
        own = [count for (name, *_), count in traps.items() if name == source]
        tried, passed = (sum(count[what] for count in own) for what in ('tried', 'passed'))
        print(
            f'| {source} | {len(own)} | {tried} | {passed} | {len(of_source)} | {sum(map(all, of_source.values()))} |'
        )
    whole = sum(all(answers) for of_source in sessions.values() for answers in of_source.values())
    totals = [sum(count[what] for count in traps.values()) for what in ('tried', 'passed')]
    print(f'| all | {len(traps)} | {totals[0]} | {totals[1]} | {sum(map(len, sessions.values()))} | {whole} |')
    source = ''
    for (name, step, text), count in sorted(traps.items()):
        if name != source:
            source = name
            print(f'\n## {name}\n\n| step | trap | tried | passed |\n|--:|---|--:|--:|')
        print(f'| {step} | {text} | {count["tried"]} | {count["passed"]} |')


if __name__ == '__main__':
    main()
