"""The no-data audit: a model sits a set whose sessions have no data files, and so does the gold code.

It is a run like any other, of two models on datasets with `without_data`: its folder can be shown, viewed and scored,
and an audit that was killed goes on. What a model answers there, it has from memory, from the question or from
constants, unless the gold code needs no data for it either.
"""

import tempfile
from argparse import Namespace
from collections.abc import Iterable
from dataclasses import dataclass, replace
from glob import escape
from pathlib import Path
from typing import Any

from cibench_eval.config.classes import PACKAGE
from cibench_eval.config.session_tasks import Run
from cibench_eval.run import arguments, local_runner, stages
from cibench_eval.run.running import begin, prepared
from cibench_eval.run.summarizer import run_results
from cibench_eval.run_paths import new_stamp
from cibench_eval.schema import CibenchError
from cibench_eval.sets.checking.audited import PROFILE, Scores, audited
from cibench_eval.sets.checking.check import CheckSettings
from cibench_eval.sets.checking.findings import AuditReport, CheckFinding
from cibench_eval.sets.checking.static import Member
from cibench_eval.terminal import filtering

GOLD = 'gold-without-data'
"""The name of the gold code among the models of the run."""


@dataclass(frozen=True)
class Audit:
    """What audits experiments; an `Auditor` of `check_set`."""

    model: str
    """A file in `configs/models`, or a path, as `run.py --models` takes it."""
    work_dir: Path
    """Holds a folder of runs for each model. The newest goes on if all is the same still: model, agent, kernels,
    experiments."""
    settings: CheckSettings
    """Kernel environment, sandbox, thresholds, and sessions at the same time."""

    def __call__(self, members: list[Member]) -> tuple[AuditReport, list[CheckFinding]]:
        """Run and score the sessions that are missing, and report.

        Raises:
            CibenchError: there is no such model, it has no single config, or some sessions could not be run.
        """
        stamp = new_stamp()
        args, run = self._prepared(members, stamp)
        begin(run, stamp)
        asked = [task for task in run.tasks if task.model_name != GOLD]
        for tasks in (asked, [task for task in run.tasks if task.model_name == GOLD]):
            _do(replace(run, tasks=tuple(tasks)), args)
        name, golds = asked[0].model_name, _scores(run, GOLD)
        return audited(members, name, run.folder, _scores(run, name), golds, self.settings.thresholds)

    def _prepared(self, members: list[Member], stamp: str) -> tuple[Namespace, Run]:
        """The run to go on with, else a new one, and its command line."""
        with tempfile.TemporaryDirectory(prefix='cibench-audit-') as folder:
            file = Path(folder, 'audit.py')
            file.write_text(f'audit_datasets = {_datasets(members)!r}\n', encoding='utf-8')
            base = self.work_dir / Path(self.model).stem
            words = ['--models', self.model, '--datasets', str(file), '-w', str(base)]
            words += ['--max-sessions', str(self.settings.workers)] if self.settings.workers else []
            if any(base.glob('*_*')):
                try:
                    return self._run([*words, '-r'], stamp)
                except CibenchError:  # of other things, or these have changed since; what else is wrong is said next
                    pass
            return self._run(words, stamp)

    def _run(self, words: list[str], stamp: str) -> tuple[Namespace, Run]:
        args = arguments.parser().parse_args(words)
        return args, prepared(args, stamp, self._change)

    def _change(self, cfg: dict[str, Any]) -> None:
        """Add the gold code to the models, and use the kernels of the check."""
        if (number := len(cfg['models'])) != 1:
            raise CibenchError(f'--audit {self.model}: {number} models; give a file with one')
        cfg['models'].append({'type': 'cibench_eval.models.GoldReplay', 'abbr': GOLD})
        kernels = {'environment': self.settings.environment, 'sandbox': self.settings.sandbox}
        cfg['kernels'] = {**(cfg.get('kernels') or {}), **kernels}


def _datasets(members: Iterable[Member]) -> list[dict[str, Any]]:
    """A dataset of a config for each split."""
    splits: dict[tuple[str, Path], list[str]] = {}
    for member in members:
        id_, path = member.experiment.id, member.experiment.path.absolute()
        splits.setdefault((member.split, path.parents[id_.count('/')]), []).append(escape(id_))
    return [
        {
            'type': f'{PACKAGE}.CIBenchDataset',
            'abbr': split,
            'path': str(root),
            'split': split,
            'experiments': ids,
            'without_data': True,
            'infer_cfg': {'inferencer': {'type': f'{PACKAGE}.SessionInferencer', 'mode': 'end_to_end'}},
            'eval_cfg': {'evaluator': {'type': f'{PACKAGE}.SessionEvaluator', 'profile': PROFILE}},
        }
        for (split, root), ids in splits.items()
    ]


def _do(run: Run, args: Namespace) -> None:
    """Run and score the sessions of a model; a `CibenchError` where not all of them could be."""
    for stage in stages.STAGES.values():
        # No lines of the runner: the error says why tasks failed. The logs of the run have the lines.
        with filtering(lambda record: record.name != local_runner.__name__):
            failed = stage(run, args)
        if failed:
            causes = '; '.join(dict.fromkeys(map(str, failed.values())))
            raise CibenchError(f'audit: {causes} (the same command goes on; {run.folder})')


def _scores(run: Run, model: str) -> Scores:
    """The scores of a model by split, experiment and step."""
    found = ((one.split, one.results) for one in run_results(run) if one.model == model)
    return {
        (split, score.experiment, score.index): score
        for split, results in found
        for score in (results.steps if results else [])
    }
