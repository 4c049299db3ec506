"""What can be seen to be missing before anything is written or started: files, keys, environments, data."""

import logging
import re
from collections.abc import Sequence
from pathlib import Path

from cibench_eval.config import defaults
from cibench_eval.config.building import build_model, samples
from cibench_eval.config.session_tasks import Run, SessionTask
from cibench_eval.datasets.descriptions import descriptions_file
from cibench_eval.evaluators.failures.code_facts import facts_of
from cibench_eval.interpreter.environments import KernelEnvironment, names
from cibench_eval.models.identity import model_of_epoch
from cibench_eval.run.scorer import SessionScorer, scorer_of
from cibench_eval.schema import CibenchError, Experiment, some_of
from cibench_eval.sets.checking.named_files import missing_files

logger = logging.getLogger(__name__)
PACKAGE_PREFIX = 'cibench_eval.'
SERVED = 'cibench_eval.agents.mcp_server:ServedAgent'
"""The agent of `cibench serve`."""
READS_DATA = re.compile(r'[\'"](?:\./)?data/')


def preflight(run: Run, *, runs_sessions: bool) -> None:
    """Build what a config names, as far as that starts nothing and loads no weights.

    Args:
        run: of a config that has been checked (`config/checks.py`).
        runs_sessions: whether sessions are to be run; else only what scoring needs has to be there.

    Raises:
        CibenchError: a model, dataset, agent, kernel environment or sandbox of the config cannot be had.
    """
    if runs_sessions:
        _warn_of_like_epochs(run)
        for task in run.first_epoch:
            _refuse_waiting(task)
            _refuse_without_price(task)
    looked: set[Path] = set()
    for task in {(task.dataset, task.agent): task for task in run.first_epoch}.values():
        experiments = task.experiments
        scorer = scorer_of(task)
        if isinstance(scorer, SessionScorer):  # else OpenCompass's own program scores, with its own evaluator
            scorer.check(experiments)
        kernels = task.settings.kernels
        check_sessions(task, experiments)
        if runs_sessions:
            kernels.provenance()
            if not task.dataset.without_data:
                _warn_of_missing_files(task, [one for one in experiments if one.path not in looked])
            looked |= {one.path for one in experiments}
        _warn_of_missing_descriptions(task)
    _refuse_equal_ids(run)
    for model in run.models:  # after the data, which take less time to get than a server or a key
        if model.type.startswith(PACKAGE_PREFIX):  # others may load weights to be built
            built = build_model(model_of_epoch(model.config, run.epochs))
            if runs_sessions:
                built.check()
    if runs_sessions:
        _warn_of_missing_modules(run)


def check_sessions(task: SessionTask, experiments: Sequence[Experiment]) -> None:
    """Check that experiments have their data, and that kernels are of the environment of the gold outputs.

    Raises:
        CibenchError: there is no data folder, or the notebooks name another environment.
    """
    dataset, runs = task.dataset_name, task.kernels.environment
    for experiment in experiments:
        folder = experiment.datasources
        there = folder is not None and (folder / 'data').is_dir()
        if not there and any(READS_DATA.search(step.code) for step in experiment.steps):
            lacks = f'{folder} holds no data/' if folder else 'there is no datasources/ folder beside or above it'
            raise CibenchError(
                f'dataset {dataset}: {experiment.path}: its code reads data/…, but {lacks}; '
                'put it there, or set `datasources` in the dataset to the folder that holds data/'
            )
        made_in = experiment.environment
        if made_in not in (None, runs) and runs in names():
            mend = (
                f"kernels run in {runs}; set environment='{made_in}' in kernels (or, in a dataset with `builtin`, "
                f"environment='{runs}')"
                if made_in in names()
                else f'which is none of ours; name {" or ".join(names())} in its metadata, or your python in kernels'
            )
            where = f'dataset {dataset}: {experiment.path}'
            raise CibenchError(f'{where}: its gold outputs are of the kernel environment {made_in}, {mend}')


def _refuse_waiting(task: SessionTask) -> None:
    """Raise a `CibenchError` where an agent waits for an MCP client and `cibench serve` does not run."""
    if task.agent.path == SERVED and not task.model.type.endswith('.NoModel'):
        raise CibenchError(f'agents: {task.agent.name}: waits for an MCP client; sit the run with `cibench serve`')


def _refuse_without_price(task: SessionTask) -> None:
    """Raise a `CibenchError` where a cost is limited that is not known."""
    limits = task.dataset.limits
    for name in ('session_cost', 'run_cost'):
        if getattr(limits, name) and not (task.model.replays or 'price' in task.model.config):
            raise CibenchError(
                f'limits: {name}: model {task.model_name} has no price, so what it costs is not known; give it '
                'price=dict(input=…, output=…), per million tokens, or limit tokens'
            )


def _warn_of_missing_files(task: SessionTask, experiments: list[Experiment]) -> None:
    """Warn if gold code reads files that a set does not have: nobody can answer then."""
    found = [
        f'{one.id}, step {index + 1}: {name}'
        for one in experiments
        if one.datasources
        for index, name in missing_files(one)
    ]
    if found:
        lacking = some_of(found, 1)
        logger.warning('dataset %s: datasources/ lacks what gold code reads: %s', task.dataset_name, lacking)


def _warn_of_missing_modules(run: Run) -> None:
    """Warn if gold code imports what its kernel environment does not have: a model cannot use it either."""
    imported: dict[str, dict[str, str]] = {}
    for task in {task.dataset: task for task in run.first_epoch}.values():
        environment = task.kernels.environment
        for one in task.experiments:
            codes = [step.code for step in one.steps if 'import' in step.code]
            names = {name for code in codes for name in facts_of(code).modules}
            own = {name for name in names if any(f'{name}.py' in step.code for step in one.steps)}
            for name in names - own - {'', 'data'}:  # `.`, and the folder beside its code
                imported.setdefault(environment, {}).setdefault(name, one.id)
    for environment, importers in imported.items():
        if lacking := KernelEnvironment.find(environment).lacking(importers):
            logger.warning(
                'kernel environment %s lacks what gold code imports: %s; take one that has it',
                environment,
                ', '.join(f'{name} ({importers[name]})' for name in lacking),
            )


def _warn_of_missing_descriptions(task: SessionTask) -> None:
    """Warn if a profile that reads what figures show has to do without."""
    if task.dataset.profile == defaults.PROFILE:
        return  # it compares pixels
    drawing = [one for one in task.experiments if any(step.figures for step in one.steps)]
    without = [one.path for one in drawing if not descriptions_file(one.path).exists()]
    if without:
        logger.warning(
            'dataset %s: %d of %d notebooks with figures have no descriptions, so figures are compared by pixels and '
            'variables not at all; make them: cibench data describe %s',
            *(task.dataset_name, len(without), len(drawing), without[0].parent),
        )


def rehearse(run: Run) -> None:
    """Check what takes seconds and what a real run finds early as well: that vLLM knows the arguments of its server.

    Raises:
        CibenchError: it does not.
    """
    of_vllm = [model for model in run.models if model.type.startswith(PACKAGE_PREFIX) and model.type.endswith('.VLLM')]
    known: list[object] = []  # models that differ in their weights alone
    for model in map(build_model, (model.config for model in of_vllm)):
        if (model.python, model.arguments) not in known:
            model.check_arguments()
            known.append((model.python, model.arguments))


def _refuse_equal_ids(run: Run) -> None:
    """Raise a `CibenchError` where two datasets of a split have experiments of one id: no table could be made of it."""
    seen: dict[tuple[str, ...], str] = {}
    for task in run.first_epoch:
        for experiment in task.experiments:
            key = (task.model_name, task.split, task.mode, experiment.id)
            if (other := seen.setdefault(key, task.dataset_name)) != task.dataset_name:
                raise CibenchError(
                    f'datasets {other} and {task.dataset_name}: both have an experiment {experiment.id!r} in the split '
                    f'{task.split!r}; give them one `path` and choose by `experiments`, or a `split` each'
                )


def _warn_of_like_epochs(run: Run) -> None:
    """Warn if a model does not sample: its epochs say nothing about how its answers vary."""
    fixed = [
        model.abbr
        for model in run.models
        if model.type.startswith(PACKAGE_PREFIX) and not model.replays and not samples(model.config)
    ]
    if run.epochs > 1 and fixed:
        logger.warning(
            'epochs=%d: asked with temperature 0, so that its runs may all be the same: %s; set a temperature',
            run.epochs,
            ', '.join(fixed),
        )
