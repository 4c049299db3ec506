"""Config files of judges -> judges; run folders -> what there is to judge."""

from functools import partial
from pathlib import Path
from typing import Any

from cibench_eval.cache import cache_dir
from cibench_eval.config.building import build, limited_model, parse_record, plain, resolve, run_limits, samples
from cibench_eval.config.checks import check_list_file
from cibench_eval.config.config_files import read
from cibench_eval.config.records import JudgeFields
from cibench_eval.evaluators import profile_names
from cibench_eval.evaluators.judges.running import LoadedJudge
from cibench_eval.evaluators.judges.store import JudgedDataset
from cibench_eval.evaluators.metrics import METRICS
from cibench_eval.models.identity import digest, model_identity
from cibench_eval.models.limits import Limits, Price
from cibench_eval.models.metering import Ledger
from cibench_eval.run.run_folder import RecordedDataset, recorded_datasets
from cibench_eval.run.scorer import scorer_of
from cibench_eval.schema import CibenchError, StepScore

OWN_KEYS = JudgeFields.model_fields.keys() - {'type'}
"""Keys of a judge's config that its class does not take."""


def load_judges(config: Path, metric: str, run: Path) -> list[LoadedJudge]:
    """The judges of a config file (`judges = [dict(abbr=…, type=…, model=dict(…)), …]`) for a metric.

    `limits` at the top of the file (`run_tokens`, `run_cost`, `run_seconds`) are those of all judging of the run folder
    `run`, whose ledger is `results/usage.jsonl`; `price` of a model is what it costs.

    Raises:
        ConfigError: something is wrong with the file, a line each.
        CibenchError: no judge is for the metric, a judge has the name of a score, or a limit is one of sessions.
    """
    cfg = read(config)
    check_list_file(cfg, config, 'judges')
    if taken := sorted(
        {*profile_names(), *(metric.name for metric in METRICS)} & {one['abbr'] for one in cfg['judges']}
    ):
        raise CibenchError(f'{config}: judges: abbr {taken[0]!r} is the name of a score; set another')
    chosen = [one for one in cfg['judges'] if resolve(one['type'], 'judge').metric == metric]
    if not chosen:
        raise CibenchError(f'{config}: no judge for the metric {metric!r} in its `judges`')
    limits, ledger = run_limits(cfg.get('limits'), str(config), 'judges have'), Ledger(run / 'results' / 'usage.jsonl')
    return [_loaded(one, limits, ledger) for one in chosen]


def _loaded(cfg: dict[str, Any], limits: Limits, ledger: Ledger) -> LoadedJudge:
    model_cfg, what = plain(cfg['model']), f'judge {cfg["abbr"]}'
    price = parse_record(Price, model_cfg.get('price'), f'{what}: price')
    kept = cfg.get('reply_cache', True) and not samples(model_cfg)
    model = limited_model(model_cfg, limits, price, ledger, cache_dir() / 'replies' if kept else None)
    own = {key: value for key, value in plain(cfg).items() if key not in OWN_KEYS}
    return LoadedJudge(
        name=cfg['abbr'],
        judge=build(own, what, model=model),
        identity=digest([model_identity(model_cfg), own]),
        ledger=ledger,
        max_requests=cfg.get('batch_size', 8),
    )


def judged_datasets(run: Path) -> list[JudgedDataset]:
    """The sessions of a run folder that can be judged, by its newest config.

    Raises:
        CibenchError: it is no run folder, or has no sessions, or a notebook is gone.
    """
    return [
        JudgedDataset(
            model=dataset.model_name,
            dataset=dataset.dataset_name,
            experiments=dataset.experiments,
            traces=dataset.traces,
            verdicts=dataset.verdicts,
            load_scores=partial(_scores, dataset),
            options=scorer_of(dataset).options,
        )
        for dataset in recorded_datasets(run)
    ]


def _scores(dataset: RecordedDataset) -> list[StepScore] | None:
    results = dataset.results()
    return results.steps if results else None
