"""Error categories on labelled failures (failures/README.md): how far the rules agree with the labels."""

import functools
import json
from pathlib import Path

from cibench_eval.evaluators.failures.categories import CAUSES, categorize
from cibench_eval.schema import Execution, Experiment, StepScore, StepTrace
from tests.support.scoring import attempted, session_trace

FAILURES = Path(__file__).parent / 'labels'
BUILTIN = FAILURES / 'builtin'
TARGET = 0.8


def lines(path):
    return [json.loads(line) for line in path.read_text('utf-8').splitlines()]


@functools.cache
def experiments_of(folder):
    return {record['id']: Experiment.model_validate(record) for record in lines(folder / 'experiments.jsonl')}


def trace_of(record, experiment):
    """The session of a record; a step that it lacks is the gold's own."""
    kept = {step['index']: StepTrace(question='', **step) for step in record['steps']}
    last = max(record['failed'])
    steps = [kept.get(step.index) or gold(step) for step in experiment.steps if step.index <= last]
    return session_trace(*steps, experiment=experiment.id, mode=record['mode'])


def gold(step):
    """A step that ran its gold code."""
    attempt = attempted(Execution(status='ok'), code=step.code, tool=None, argument='')
    return StepTrace(index=step.index, question='', attempts=[attempt])


def compared(path):
    """(session, step, label, tag) of each labelled failure of a file."""
    for record in lines(path):
        experiment = experiments_of(path.parent)[record['experiment']]
        score = dict(experiment=experiment.id, kind='text', values={'tool_rate': 1, 'executable': 1}, outcome='wrong')
        scores = [StepScore(decided=True, index=index, **score) for index in record['failed']]
        tags = categorize(trace_of(record, experiment), experiment, scores)
        assert sorted(tags) == record['failed']
        for index, label in record['labels'].items():
            yield record['id'], int(index), label, tags[int(index)]


def kappa(pairs):
    """Cohen's κ (1960) of two raters: agreement beyond what their frequencies alone would give."""
    from sklearn.metrics import cohen_kappa_score  # here, because every process of the tests reads every test file

    return cohen_kappa_score(*zip(*pairs, strict=True))


def report(part):
    """What a reader wants to know of a part: its pairs of categories, a summary, and where tags and labels differ."""
    rows = [row for file in sorted(FAILURES.glob(f'{part}_*.jsonl')) for row in compared(file)]
    return agreement(part, rows)


def agreement(part, rows):
    """`report` of the rows of `compared`."""
    pairs = [(label['category'], tag.category) for _, _, label, tag in rows]
    causes = sum(label['cause'] == tag.cause for _, _, label, tag in rows) / len(rows)
    origins = sum(label['from'] == tag.propagated_from for _, _, label, tag in rows) / len(rows)
    lines = [f'{part}: {len(rows)} failures, κ {kappa(pairs):.3f}, same cause {causes:.2f}, same origin {origins:.2f}']
    for name, index, label, tag in rows:
        if (label['cause'], label['from']) != (tag.cause, tag.propagated_from):
            labelled, seen = f'{label["cause"]} <{label["from"]}', f'{tag.cause} <{tag.propagated_from}'
            lines.append(f'  {name} {index}: {labelled} | {seen}: {tag.evidence}')
    return pairs, lines


def test_agreement_with_the_labels(capsys):
    parts = {part: report(part) for part in ('dev', 'held_out')}
    everything = [pair for pairs, _ in parts.values() for pair in pairs]
    with capsys.disabled():
        for _, lines in parts.values():
            print('', lines[0], sep='\n', end='')
        print(f'\nall: {len(everything)} failures, κ {kappa(everything):.3f}')
    for _, lines in parts.values():
        print('\n'.join(lines))
    assert len(everything) >= 120
    assert kappa(everything) >= TARGET
    assert kappa(parts['held_out'][0]) >= TARGET


def test_labels_are_of_the_table():
    for file in FAILURES.rglob('*.jsonl'):
        for record in lines(file):
            for label in record.get('labels', {}).values():
                assert CAUSES[label['cause']][0] == label['category'], (file.name, record)


def test_agreement_with_the_labels_of_the_builtin_set(capsys):
    """Labels that were written before the rules were last changed, on other experiments (labels/README.md)."""
    rows = list(compared(BUILTIN / 'sessions.jsonl'))
    _, report = agreement('built-in', rows)
    causes = kappa((label['cause'], tag.cause) for _, _, label, tag in rows)
    follow_on = kappa((label['from'] is None, tag.propagated_from is None) for _, _, label, tag in rows)
    with capsys.disabled():
        print(f'\n{report[0]}; κ by cause {causes:.3f}, of root or follow-on {follow_on:.3f}')
    print('\n'.join(report))
    assert len(rows) >= 150
