"""Collect failed steps for tests/evaluators/failures/labels: gold code with a fault put in, or a model's own work.

    python scripts/collect_failures.py mutations LABELS/mutations_dev.jsonl OUT.jsonl
    python scripts/collect_failures.py mutations LABELS/builtin/mutations.jsonl OUT.jsonl --set SET
    python scripts/collect_failures.py model OUT.jsonl --mode oracle --temperature 0.7 --seed 1
    python scripts/collect_failures.py traces RUN.traces.jsonl OUT.jsonl
    python scripts/collect_failures.py experiments OUT.jsonl --set SET
    python scripts/collect_failures.py show FILE.jsonl
    python scripts/collect_failures.py label FILE.jsonl LABELS.tsv

Code really runs, in kernels. A mutation comes with its label, which is written down with the fault, before anything
runs; what a model did is labelled by a person, who reads `show` and writes `session<TAB>step<TAB>category cause <from`.
LABELS is tests/evaluators/failures/labels. SET is a folder of notebooks, the demo's by default; where it has splits,
experiments are called by split and id.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import tempfile
from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path
from typing import Any

from cibench_eval.agents.protocols.react import ReAct
from cibench_eval.agents.session import Session
from cibench_eval.agents.settings import AgentSettings, SessionSettings
from cibench_eval.datasets import load_experiments
from cibench_eval.evaluators import find_profile, score_session
from cibench_eval.evaluators.predictions import actions_of
from cibench_eval.interpreter import KernelSettings
from cibench_eval.interpreter.pool import KernelPool
from cibench_eval.models import LlamaCpp
from cibench_eval.models.base import ChatModel, Stateless, Tool, Turn
from cibench_eval.rendering import shorten
from cibench_eval.schema import Attempt, Experiment, Message, Mode, Reply, StepTrace, Trace
from cibench_eval.traces import TraceStore, figures_of

EXAMPLES = Path(__file__).parents[1] / 'tests' / 'data' / 'examples' / 'modern'
MODEL = 'SmolLM2-135M-Instruct'
OFFICIAL = find_profile('official')
PASSES = {'numeric_correct': 1.0, 'general_correct': 1.0, 'text_score': 0.9, 'vis_sim': 0.99}
"""Below these a step is collected; high, so that near misses are."""
KERNELS = KernelSettings(
    sandbox='auto', preload=('numpy', 'pandas', 'matplotlib.pyplot', 'scipy', 'sklearn', 'cv2'), pool_size=1
)
SIDE_BY_SIDE = 2
"""Mutations that run at the same time."""
HEAD, TAIL = 300, 500
"""Characters kept of a long text."""


class Mutated(Stateless):
    """Answers with the gold reply, but at some steps with what it was given instead."""

    def __init__(self, experiment: Experiment, replies: dict[int, Reply]) -> None:
        self._replies = {step.index: ReAct().gold(step) for step in experiment.steps} | replies

    async def chat(
        self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Sequence[Tool] = ()
    ) -> Reply:
        return self._replies[turn.step]


def mutated_reply(step: Any, fault: dict[str, Any]) -> Reply:
    """The reply with the fault: `old` -> `new` in the gold code, another `code`, or a whole `reply`."""
    if 'reply' in fault:
        return Reply(text=fault['reply'], finish_reason=fault.get('finish_reason', 'stop'))
    code = fault.get('code', step.code)
    if 'old' in fault:
        if fault['old'] not in step.code:
            raise SystemExit(f'{fault}: the gold code has no such text:\n{step.code}')
        code = step.code.replace(fault['old'], fault['new'])
    return ReAct().gold(step.model_copy(update={'code': code}))


def load(folder: Path) -> dict[str, Experiment]:
    """The experiments of a set; where it has splits, by split and id."""
    splits = sorted(folder.glob('cibench_*'))
    if not splits:
        return {experiment.id: experiment for experiment in load_experiments(folder)}
    return {f'{split.name}/{one.id}': one for split in splits for one in load_experiments(split)}


async def mutate(file: Path, folder: Path) -> AsyncIterator[dict[str, Any]]:
    """A record for each of the file's mutations, in their order."""
    experiments = load(folder)
    mutations = [json.loads(line) for line in file.read_text('utf-8').splitlines()]
    slots = asyncio.Semaphore(SIDE_BY_SIDE)
    async with KernelPool(KERNELS) as pool:

        async def one(number: int, mutation: dict[str, Any]) -> dict[str, Any]:
            async with slots:
                name = mutation['experiment']
                record = await mutated(f'{file.stem}-{number:02d}', experiments[name], mutation, pool)
                return record | {'experiment': name}

        tasks = [asyncio.create_task(one(number, mutation)) for number, mutation in enumerate(mutations)]
        for task in tasks:
            yield await task


async def mutated(name: str, experiment: Experiment, mutation: dict[str, Any], pool: KernelPool) -> dict[str, Any]:
    """The session in which a mutation is run. What its labels call a failure is one, whatever the scores say."""
    faults = {fault['step']: fault for fault in mutation['faults']}
    labels = {int(index): label for index, label in mutation['labels'].items()}
    last = max([*faults, *labels])
    cut_off = experiment.model_copy(update={'steps': experiment.steps[: last + 1]})
    replies = {index: mutated_reply(experiment.steps[index], fault) for index, fault in faults.items()}
    model = Mutated(cut_off, replies)
    trace = await play(cut_off, model, 'end_to_end', pool, attempts=1, timeout=mutation['timeout'])
    record = record_of(name, trace, cut_off, 'mutation')
    if unlabelled := set(record['failed']) - set(labels):
        print(name, 'also failed:', unlabelled, mutation['faults'], flush=True)
    failed = sorted({*record['failed'], *labels})
    return record | {'failed': failed, 'labels': mutation['labels']}


async def ask(mode: Mode, temperature: float, seed: int) -> AsyncIterator[dict[str, Any]]:
    """A record for each session of the embedded model over the examples."""
    sampling = {'temperature': temperature, 'seed': seed, 'max_tokens': 224}
    async with LlamaCpp(generation_kwargs=sampling, parallel=1) as model, KernelPool(KERNELS) as pool:  # type: ignore[arg-type]
        for experiment in load_experiments(EXAMPLES):
            trace = await play(experiment, model, mode, pool, attempts=2, timeout=60.0)
            yield record_of(f'{experiment.id}-{mode}-{seed}', trace, experiment, MODEL) | {'labels': {}}


async def read(file: Path) -> AsyncIterator[dict[str, Any]]:
    """A record for each session of a run of the embedded model over the examples."""
    experiments = {experiment.id: experiment for experiment in load_experiments(EXAMPLES)}
    store = TraceStore(file)
    for trace in store.load().values():
        experiment = experiments[trace.experiment]
        yield record_of(f'{trace.experiment}-{trace.dataset}', trace, experiment, MODEL, store.figures) | {'labels': {}}


async def play(
    experiment: Experiment, model: ChatModel, mode: Mode, pool: KernelPool, *, attempts: int, timeout: float
) -> Trace:
    kernels = KERNELS.model_copy(update={'timeout': timeout})
    settings = SessionSettings(AgentSettings(max_attempts=attempts), kernels, mode, 'm', 'examples')
    return await Session(experiment, model, settings, pool=pool).run()


def record_of(
    name: str, trace: Trace, experiment: Experiment, origin: str, figures: Path | None = None
) -> dict[str, Any]:
    """A session as it is kept: long texts cut, steps that are the gold's own left out."""
    scores = scores_of(trace, experiment, figures)
    failed = [
        step.index
        for step, (metric, score) in zip(trace.steps, scores, strict=True)
        if not ran(step) or (score is not None and score < PASSES[metric])
    ]
    kept = [step for step in trace.steps if step.index in failed or not is_gold(step, experiment)]
    return {
        'id': name,
        'experiment': experiment.id,
        'mode': trace.mode,
        'origin': origin,
        'failed': failed,
        'scores': {str(step.index): scores[step.index] for step in kept},
        'steps': [small(step) for step in kept],
    }


def scores_of(trace: Trace, experiment: Experiment, figures: Path | None) -> list[tuple[str, float | None]]:
    with tempfile.TemporaryDirectory() as temporary:
        folder = figures or Path(temporary)
        for figure in figures_of(trace):
            figure.save(folder)
        actions = [actions_of(step, folder) for step in trace.steps]
        scores = score_session(actions, experiment, OFFICIAL, folder)
    names = [metric.name if (metric := OFFICIAL.deciding(score.kind)) else '' for score in scores]
    return [(name, score.values.get(name)) for name, score in zip(names, scores, strict=True)]


def ran(step: StepTrace) -> bool:
    execution = step.attempts[-1].execution
    return execution is not None and execution.status == 'ok'


def is_gold(step: StepTrace, experiment: Experiment) -> bool:
    return ran(step) and step.attempts[-1].action.code == experiment.steps[step.index].code


def small(step: StepTrace) -> dict[str, Any]:
    """A step without attempts that the next one repeats word for word."""
    tried = [small_attempt(attempt) for attempt in step.attempts]
    kept = [attempt for attempt, after in zip(tried, [*tried[1:], None], strict=True) if attempt != after]
    return {'index': step.index, 'attempts': kept} | ({'ended': step.ended} if step.ended else {})


def small_attempt(attempt: Attempt) -> dict[str, Any]:
    """An attempt without what no rule reads, paths of the machine made anonymous."""
    dump = attempt.model_dump(mode='json', exclude_defaults=True, exclude={'messages', 'without'})
    for key in ('tokens_in', 'tokens_out', 'seconds', 'cached'):
        dump['reply'].pop(key, None)
    code = dump['action'].get('code')
    dump['action'].pop('thought', None)
    dump['action'].pop('argument', None)
    dump['reply']['text'] = '' if code else cut(dump['reply']['text'])
    if execution := dump.get('execution'):
        execution.pop('seconds', None)
        for output in execution.get('outputs', []):
            output.pop('html', None)
            output['text'] = cut(output.get('text', ''))
        if error := execution.get('error'):
            error['value'] = cut(error['value'])
            error['traceback'] = cut(error.get('traceback', '')) if error['name'] == 'KeyError' else ''
    return dump


def cut(text: str) -> str:
    """A text as it is kept: without the paths of this machine, its head and its tail if it is long."""
    text = re.sub(r'(?:/[\w.+-]+)+/site-packages/', 'site-packages/', text)
    return shorten(text, HEAD + TAIL, head=HEAD, mark='\n…\n')


def experiments(folder: Path, used: Path | None) -> Iterable[dict[str, Any]]:
    """A set without its figures, so that labels outlive changes of it; of those experiments alone that a file names."""
    named = {json.loads(line)['experiment'] for line in used.read_text('utf-8').splitlines()} if used else None
    for name, experiment in load(folder).items():
        if named is not None and name not in named:
            continue
        steps = [step.model_copy(update={'figure': None}) for step in experiment.steps]
        changes = {'id': name, 'steps': steps, 'path': Path(f'{name}.ipynb'), 'datasources': None}
        yield experiment.model_copy(update=changes).model_dump(mode='json', exclude_defaults=True)


def show(file: Path) -> None:
    """The failed steps of a file, for a person to label."""
    questions = {experiment.id: experiment for experiment in load_experiments(EXAMPLES)}
    for record in map(json.loads, file.read_text('utf-8').splitlines()):
        steps = {step['index']: step for step in record['steps']}
        for index in record['failed']:
            gold = questions[record['experiment']].steps[index]
            labelled, score = record['labels'].get(str(index)), record['scores'][str(index)]
            print(f'\n=== {record["id"]}\t{index}\t{labelled} score {score}')
            print(f'Q: {gold.question}')
            for attempt in steps[index]['attempts']:
                print(f'--- {attempt["reply"].get("finish_reason", "stop")} {attempt["action"].get("problem", "")}')
                print(attempt['action'].get('code') or attempt['reply']['text'])
                print(f'>>> {outcome(attempt.get("execution"))}')


def outcome(execution: dict[str, Any] | None) -> str:
    if execution is None:
        return 'nothing ran'
    shown = ' '.join(f'[{output["type"]}] {output["text"]}' for output in execution.get('outputs', []))
    error = execution.get('error') or {}
    return f'{execution["status"]} {error.get("name", "")}: {error.get("value", "")} {shown[:600]}'


def label(file: Path, labels: Path) -> None:
    """Put a person's labels into a file; sessions without any are left out."""
    records = [json.loads(line) for line in file.read_text('utf-8').splitlines()]
    by_id = {record['id']: record for record in records}
    for line in labels.read_text('utf-8').splitlines():
        name, index, text = line.split('\t')
        category, cause, *origin = text.split()
        origin_of = int(origin[0].removeprefix('<')) if origin else None
        by_id[name]['labels'][index] = {'category': category, 'cause': cause, 'from': origin_of}
    write(file, [record for record in records if record['labels']])


def write(file: Path, records: Iterable[dict[str, Any]]) -> None:
    file.write_text(''.join(map(line_of, records)), 'utf-8')


async def stream(file: Path, records: AsyncIterator[dict[str, Any]]) -> None:
    """Write records as they come."""
    with file.open('w', encoding='utf-8') as out:
        async for record in records:
            out.write(line_of(record))
            out.flush()


def line_of(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False) + '\n'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest='command', required=True)
    for name, files in (
        ('mutations', ('file', 'out')),
        ('experiments', ('out',)),
        ('model', ('out',)),
        ('traces', ('file', 'out')),
        ('show', ('file',)),
        ('label', ('file', 'labels')),
    ):
        command = commands.add_parser(name)
        for argument in files:
            command.add_argument(argument, type=Path)
    for name in ('mutations', 'experiments'):
        commands.choices[name].add_argument('--set', type=Path, default=EXAMPLES)
    commands.choices['experiments'].add_argument('--used', type=Path)
    model = commands.choices['model']
    model.add_argument('--mode', choices=('end_to_end', 'oracle'), default='oracle')
    model.add_argument('--temperature', type=float, default=0.0)
    model.add_argument('--seed', type=int, default=0)
    given = parser.parse_args()
    if given.command == 'mutations':
        asyncio.run(stream(given.out, mutate(given.file, given.set)))
    elif given.command == 'model':
        asyncio.run(stream(given.out, ask(given.mode, given.temperature, given.seed)))
    elif given.command == 'traces':
        asyncio.run(stream(given.out, read(given.file)))
    elif given.command == 'experiments':
        write(given.out, experiments(given.set, given.used))
    elif given.command == 'show':
        show(given.file)
    else:
        label(given.file, given.labels)


if __name__ == '__main__':
    main()
