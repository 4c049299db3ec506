"""Results to make tables of."""

import csv
import io
import json

from rich.console import Console

from cibench_eval.analysis.results import Results
from cibench_eval.reports.rows import DatasetResult
from cibench_eval.reports.summary import print_tables, to_csv, to_markdown
from cibench_eval.reports.tables import tables_of
from cibench_eval.schema import StepScore

MODES = ('end_to_end', 'oracle')
PUBLISHED = ('tool_rate', 'executable', 'numeric_correct', 'text_score', 'vis_sim')
"""The metrics of the paper's table."""
KINDS = {'numeric_correct': 'num', 'text_score': 'text', 'vis_sim': 'vis'}


def step(index, experiment='x/0', ran=True, kind='num', outcome=None, decided=True, forecasts=(), **values):
    return StepScore(
        decided=decided,
        experiment=experiment,
        index=index,
        kind=kind,
        outcome=outcome,
        forecasts=list(forecasts),
        values={'tool_rate': 1.0, 'executable': float(ran), **values},
    )


def steps_of(figures=(100, 90, 50, 40, 30), counts=(1, 1, 1), experiment='x/0'):
    """Numeric, text and visual steps, as many as `counts` says, with these five figures of the paper's table."""
    tool, executable, *means = (figure / 100 for figure in figures)
    names = [name for name, count in zip(KINDS, counts, strict=True) for _ in range(count)]
    values = dict(zip(KINDS, means, strict=True))
    return [
        step(index, experiment, executable, KINDS[name], tool_rate=tool, **{name: values[name]})
        for index, name in enumerate(names)
    ]


def result(mode='end_to_end', steps=(), model='m', dataset='', split='s', epoch=1, profile='official', **fields):
    """What model m got on dataset d."""
    name = dataset or f'd_{mode}'
    ends, failures, sandbox, version = (fields.pop(key, None) for key in ('outcomes', 'failures', 'sandbox', 'version'))
    stated = {'sandbox': sandbox and sandbox.split(), 'set_version': version and [version]}
    replays_gold = fields.pop('replays_gold', False)
    steps = list(steps)
    if ends:
        outcomes = [end for end, number in ends.items() for _ in range(number)]
        steps += [step(1000 + index, kind='exec', outcome=outcome) for index, outcome in enumerate(outcomes)]
    return DatasetResult(
        model=model,
        dataset=name if epoch == 1 else f'{name}@{epoch}',
        split=split,
        mode=mode,
        epoch=epoch,
        replays_gold=replays_gold,
        results=Results(
            profile=profile,
            steps=steps,
            failures=failures or [],
            provenance={key: values for key, values in stated.items() if values},
            **fields,
        ),
    )


def failure(category, index=0, propagated_from=None, judged_by='rules', cause='syntax'):
    """A failure as a file of results has it."""
    known = {'experiment': 'x/0', 'index': index, 'category': category, 'cause': cause, 'evidence': ''}
    return known | {'propagated_from': propagated_from, 'judged_by': judged_by}


def absent(mode='oracle', model='m', dataset='lost', split='s', epoch=1):
    """A dataset of the run that has no results."""
    return DatasetResult(model=model, dataset=dataset, split=split, mode=mode, epoch=epoch)


def printed(rows, width=80):
    """The tables on a terminal, without blanks at the ends of lines."""
    file = io.StringIO()
    print_tables(rows, Console(file=file, width=width, highlight=False))
    return '\n'.join(line.rstrip() for line in file.getvalue().splitlines())


def records(rows):
    return list(csv.DictReader(io.StringIO(to_csv(rows))))


def table(rows, title=''):
    """The table of a title, the main one without; None where there is none."""
    return next((one for one in tables_of(rows) if one.title == title), None) if title else tables_of(rows)[0]


def notes(rows):
    """What stands below the tables."""
    return [line[2:].replace('\\', '') for line in to_markdown(rows).splitlines() if line.startswith('- ')]


def config_of(results):
    """The config of a run that has these results."""
    models = {one.model: 'GoldReplay' if one.replays_gold else 'OpenAICompatible' for one in results}
    datasets = {one.base: one for one in results}
    return {
        'models': [{'abbr': name, 'type': f'cibench_eval.models.{kind}'} for name, kind in models.items()],
        'datasets': [
            {
                'abbr': name,
                'type': 'cibench_eval.opencompass.CIBenchDataset',
                'path': 'gone',
                'split': one.split,
                'infer_cfg': {'inferencer': {'mode': one.mode}},
                'eval_cfg': {'evaluator': {'type': 'cibench_eval.opencompass.SessionEvaluator'}},
            }
            for name, one in datasets.items()
        ],
        'epochs': max(one.epoch for one in results),
        'summarizer': {'type': 'cibench_eval.opencompass.CIBenchSummarizer'},
    }


def write_run(folder, results, traces=(), **more):
    """A run folder that holds these results and the traces of sessions; its path. `more` goes into its config."""
    (folder / 'configs').mkdir(parents=True)
    (folder / 'configs' / 'run.json').write_text(json.dumps(config_of(results) | more))
    for one in results:
        sessions = [
            trace.model_dump_json() for trace in traces if (trace.model, trace.dataset) == (one.model, one.dataset)
        ]
        file = folder / 'predictions' / one.model / f'{one.dataset}.traces.jsonl'
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(''.join(f'{session}\n' for session in sessions))
        scores = folder / 'results' / one.model / f'{one.dataset}.json'
        scores.parent.mkdir(parents=True, exist_ok=True)
        if one.results:
            one.results.write(scores)
    return folder
