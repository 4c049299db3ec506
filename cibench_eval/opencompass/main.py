"""`python run.py`: OpenCompass's flow (partition, run, summarize) without its import time."""

from __future__ import annotations

import logging
import os
import re
import sys
import time
from argparse import Namespace
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from cibench_eval.files import write_whole
from cibench_eval.opencompass import arguments
from cibench_eval.schema import CibenchError

logger = logging.getLogger(__name__)
SLURM = 'opencompass.runners.slurm.SlurmRunner'
WHICH_SESSIONS = re.compile(r'^\d+ of \d+ sessions failed: .*?: ')
"""How the cause of a failed task begins; what follows is the same where tasks fail for one reason."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line.

    Returns:
        0 if everything that it asked for was done, 1 if a task failed, 2 if it is wrong, 130 if it was interrupted.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    if arguments.delegated(words):
        return _opencompass(words)
    args = arguments.parser().parse_args(words)
    _set_up_logging(args.debug)
    try:
        return _run(args, words)
    except CibenchError as error:
        print(f'error: {error}', file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print('interrupted before anything was run', file=sys.stderr)
        return 130


def _opencompass(words: list[str]) -> int:
    """OpenCompass's own program, for the flags that only it has."""
    from opencompass.cli.main import main as opencompass_main

    sys.argv = [sys.argv[0], *words]
    opencompass_main()
    return 0


def _set_up_logging(debug: bool) -> None:
    handler = _ToStandardError()
    handler.setFormatter(logging.Formatter('%(asctime)s %(message)s', datefmt='%H:%M:%S'))
    logging.basicConfig(level=logging.DEBUG if debug else logging.WARNING, handlers=[handler])
    logging.getLogger('cibench_eval').setLevel(logging.DEBUG if debug else logging.INFO)


class _ToStandardError(logging.StreamHandler[Any]):
    """Writes to what standard error is at the moment: a live display puts itself in its place."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> Any:
        return sys.stderr

    @stream.setter
    def stream(self, _: Any) -> None: ...


def _run(args: Namespace, words: list[str]) -> int:
    from cibench_eval.opencompass import configs, reuse

    if args.slurm and not args.partition:
        raise CibenchError('--slurm: name the partition with -p')
    cfg = configs.load(args)
    if args.max_sessions:
        for pair in [cfg, *cfg.get('model_dataset_combinations', [])]:
            for dataset in pair['datasets']:
                dataset['infer_cfg']['inferencer']['max_sessions'] = args.max_sessions
    if args.config_verbose:
        print(cfg.pretty_text)
    base = Path(args.work_dir or cfg.get('work_dir', 'outputs/default'))
    stamp = datetime.now().strftime('%Y%m%d_%H%M%S')
    cfg['work_dir'] = str(base / reuse.run_name(base, args, cfg, stamp))
    if args.epochs or 'epochs' not in cfg:
        cfg['epochs'] = args.epochs or reuse.epochs_before(Path(cfg['work_dir']))
    preflight(cfg, args)
    if args.reuse and args.mode in ('all', 'infer') and not args.force:
        reuse.refuse_changes(cfg)
    if args.dry_run:
        return _dry_run(cfg)
    cfg = _dump(cfg, stamp)
    print(f'run folder: {cfg["work_dir"]}', flush=True)
    again = reuse.command(words, args.reuse, Path(cfg['work_dir']).name)
    try:
        stages = [_stage(stage, cfg, args) for stage in ('infer', 'eval') if args.mode in ('all', stage)]
        if args.mode in ('all', 'eval', 'viz'):
            _summarize(cfg, stamp)
    except KeyboardInterrupt:
        print(f'interrupted; what is done is in {cfg["work_dir"]}; go on with: {again}', file=sys.stderr)
        return 130
    failed = {name: cause for stage in stages for name, cause in stage.items()}
    return _report(failed, cfg, again, allowed=args.allow_harness_errors)


def preflight(cfg: Any, args: Namespace) -> None:
    """Meet every mistake that can be met before anything is written or started.

    Raises:
        CibenchError: a model, dataset, agent, kernel environment or sandbox of the config cannot be had.
    """
    from cibench_eval.models.identity import model_of_epoch
    from cibench_eval.models.replay import GoldReplay
    from cibench_eval.opencompass.build import build_dataset, build_evaluator, build_model, check_type
    from cibench_eval.opencompass.partitioner import epoch_of, expand
    from cibench_eval.opencompass.tasks import build_inferencer

    whole = expand(cfg)
    if args.mode in ('all', 'infer'):
        _warn_of_like_epochs(cfg)
    for model in whole['models']:
        check_type(model.get('type'), f'model {model["abbr"]}')
        if str(model.get('type', '')).startswith('cibench_eval.'):  # others may load weights to be built
            built = build_model(model_of_epoch(model, cfg.get('epochs', 1)))
            if args.mode in ('all', 'infer'):
                built.check()
    for dataset in [dataset for dataset in whole['datasets'] if epoch_of(dataset) == 1]:
        built_dataset = build_dataset(dataset)
        build_evaluator(dataset)
        inferencer = build_inferencer({}, dataset, GoldReplay())
        inferencer.check(built_dataset)
        if args.mode in ('all', 'infer'):
            inferencer.kernels.provenance()


def _warn_of_like_epochs(cfg: Any) -> None:
    """Runs of a model that does not sample tell nothing of how its answers vary."""
    fixed = [
        model['abbr']
        for model in cfg['models']
        if str(model.get('type', '')).startswith('cibench_eval.')
        and not str(model['type']).endswith('Replay')
        and not (model.get('generation_kwargs') or {}).get('temperature', 0)
    ]
    if cfg.get('epochs', 1) > 1 and fixed:
        logger.warning(
            'epochs=%d: asked with temperature 0, so that its runs may all be the same: %s; set a temperature',
            cfg['epochs'],
            ', '.join(fixed),
        )


def _dump(cfg: Any, stamp: str) -> Any:
    """Write the whole config into the run's folder, and use what was written."""
    from mmengine.config import Config

    folder = Path(cfg['work_dir'], 'configs')
    path = folder / f'{stamp}_{os.getpid()}.py'
    try:
        write_whole(path, cfg.pretty_text)
    except OSError as error:
        raise CibenchError(f'{folder}: cannot be written ({error.strerror}); name another folder with -w') from error
    return Config.fromfile(str(path), format_python_code=False)


def _partition(stage: str, cfg: Any) -> list[Any]:
    from opencompass.utils import get_logger

    from cibench_eval.opencompass.build import build

    get_logger().setLevel('DEBUG' if logger.isEnabledFor(logging.DEBUG) else 'WARNING')
    folder = {'infer': 'predictions', 'eval': 'results'}[stage]
    partitioner = build(cfg[stage]['partitioner'], f'{stage}: partitioner', out_dir=str(Path(cfg['work_dir'], folder)))
    return list(partitioner(cfg))


def _dry_run(cfg: Any) -> int:
    """Say which tasks there would be."""
    for stage in ('infer', 'eval'):
        tasks = _partition(stage, cfg)
        print(f'{stage}: {len(tasks)} tasks')
        for task in tasks:
            print(f'  {task["models"][0]["abbr"]} × {task["datasets"][0][0]["abbr"]}')
    return 0


def _stage(stage: str, cfg: Any, args: Namespace) -> dict[str, str]:
    """Run the tasks of a stage; why those failed that did. What failed to run is not failed again in scoring."""
    from opencompass.utils import get_logger

    from cibench_eval.opencompass.build import build

    tasks = _partition(stage, cfg)
    if stage == 'infer':
        tasks = [task for task in tasks if not _done(task)]
    elif args.mode == 'all':
        tasks = [task for task in tasks if _has_sessions(task)]
    started = time.monotonic()
    runner = build(_runner(stage, cfg, args), f'{stage}: runner')
    status = list(runner.launch(tasks)) if tasks else []
    get_logger().disabled = True  # it would name the failed tasks a second time
    runner.summarize(status)
    get_logger().disabled = False
    logger.info('%s: %d tasks in %.1f s', stage, len(tasks), time.monotonic() - started)
    causes = getattr(runner, 'causes', {})  # runners of OpenCompass have none
    elsewhere = f'see {Path(cfg["work_dir"], "logs", stage)}'
    return {name: causes.get(name, elsewhere) for name, code in status if code != 0}


def _done(task: Any) -> bool:
    from cibench_eval.opencompass.tasks import SessionInferTask

    return SessionInferTask(task).all_done()


def _has_sessions(task: Any) -> bool:
    """Whether there is something to score: predictions, or traces where some sessions have failed."""
    from cibench_eval.opencompass.tasks import SessionInferTask

    predictions = [Path(path) for path in SessionInferTask(task).get_output_paths()]
    return all(path.exists() or path.with_suffix('.traces.jsonl').exists() for path in predictions)


def _runner(stage: str, cfg: Any, args: Namespace) -> dict[str, Any]:
    """The config's runner, or Slurm's if the command line says so."""
    runner = dict(cfg[stage]['runner'])
    if not args.slurm:
        return {**runner, 'debug': args.debug}
    return {
        'type': SLURM,
        'task': runner['task'],
        'max_num_workers': args.max_num_workers,
        'retry': args.retry,
        'partition': args.partition,
        'quotatype': args.quotatype,
        'qos': args.qos,
        'debug': args.debug,
    }


def _summarize(cfg: Any, stamp: str) -> None:
    from cibench_eval.opencompass.build import build

    build({**cfg['summarizer'], 'config': cfg}, 'summarizer').summarize(time_str=stamp)


def _report(failed: dict[str, str], cfg: Any, again: str, *, allowed: bool) -> int:
    """Say which tasks failed, under each cause; the exit code."""
    if not failed:
        return 0
    tasks = defaultdict(list)
    for name, cause in failed.items():
        tasks[' '.join(WHICH_SESSIONS.sub('', cause).split())].append(name)
    print(f'{len(failed)} task{"s" if len(failed) > 1 else ""} failed:', file=sys.stderr)
    for cause, names in tasks.items():
        print(f'  {cause}', *(f'    {name}' for name in names), sep='\n', file=sys.stderr)
    print(f'mend the cause and go on with: {again}', file=sys.stderr)
    return 0 if allowed and _every_result(cfg) else 1


def _every_result(cfg: Any) -> bool:
    """Whether there are figures for every model and dataset, if only of the sessions that did not fail."""
    from cibench_eval.opencompass.summarizer import CIBenchSummarizer

    return all(result.results for result in CIBenchSummarizer(cfg).results())
