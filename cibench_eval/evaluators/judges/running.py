"""Judges of a config on the steps of a run, and their verdicts beside its scores.

A step is asked about again only if what is asked has changed: its answer, the judge's config, our words.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from inspect import isabstract
from pathlib import Path
from typing import Any

from cibench_eval.analysis.agreement import Observation
from cibench_eval.cache import cache_dir, only_one
from cibench_eval.concurrency import run_all
from cibench_eval.evaluators import PROFILES, score_experiment
from cibench_eval.evaluators.judges.base import Case, Judge
from cibench_eval.evaluators.judges.failures import LLMCategorizer
from cibench_eval.evaluators.judges.store import Filed, Verdict, case_of
from cibench_eval.evaluators.predictions import actions_of
from cibench_eval.models.identity import digest, model_identity
from cibench_eval.models.limits import Limits, Price
from cibench_eval.models.metering import Ledger, MeteredModel, RunLimitError
from cibench_eval.schema import CibenchError, HarnessError

Say = Callable[[str], None]
OWN_KEYS = ('abbr', 'model', 'batch_size', 'reply_cache')
"""Of a judge's config: what is not for its class."""


@dataclass(frozen=True)
class Appointed:
    """A judge of a config."""

    name: str
    judge: Judge
    identity: str
    ledger: Ledger
    """What judging the run has used."""
    at_once: int
    """Questions at the same time."""


def appoint(config: Path, metric: str, run: Path) -> list[Appointed]:
    """The judges of a config file (`judges = [dict(abbr=…, type=…, model=dict(…)), …]`) for a metric.

    `limits` at the top of the file (`run_tokens`, `run_cost`, `run_seconds`) are those of all judging of the run folder
    `run`, whose ledger is `results/usage.jsonl`; `price` of a model is what it costs.

    Raises:
        CibenchError: there is none, a name is not of its own, one is no judge, has no model or no `batch_size` that can
            be, or cannot be made, or a limit is none of judges.
    """
    from cibench_eval.opencompass.configs import read

    cfg = read(config)
    cfgs = cfg.get('judges') or []
    if not isinstance(cfgs, list | tuple) or not all(isinstance(one, dict) for one in cfgs):
        raise CibenchError(f'{config}: judges: it is no list of dicts; write judges = [dict(abbr=…, type=…, model=…)]')
    names = [cfg.get('abbr') for cfg in cfgs]
    if len(set(names)) < len(names) or None in names:
        raise CibenchError(f'{config}: judges: each needs an abbr of its own')
    if taken := sorted({*PROFILES, 'vis_objects'} & set(names)):
        raise CibenchError(f'{config}: judges: abbr {taken[0]!r} is the name of a score; set another')
    chosen = [cfg for cfg in cfgs if _kind(cfg, config).metric == metric]
    if not chosen:
        raise CibenchError(f'{config}: no judge for the metric {metric!r} in its `judges`')
    limits, ledger = _limits(cfg, config), Ledger(run / 'results' / 'usage.jsonl')
    return [_appointed(cfg, limits, ledger) for cfg in chosen]


def _kind(cfg: dict[str, Any], config: Path) -> type[Judge]:
    """The class of a judge."""
    from cibench_eval.opencompass.build import resolve

    what = f'{config}: judge {cfg["abbr"]}'
    kind = resolve(cfg.get('type'), what)
    if not isinstance(kind, type) or not issubclass(kind, Judge) or isabstract(kind):
        raise CibenchError(f'{what}: type {cfg["type"]} is no judge; name one, such as VisionJudge')
    if not isinstance(cfg.get('model'), dict):
        raise CibenchError(f'{what}: it has no model; set model=dict(type=…, …)')
    if not isinstance(at_once := cfg.get('batch_size', 8), int) or at_once < 1:
        raise CibenchError(f'{what}: batch_size={at_once!r}; set how many questions to ask at the same time, from 1')
    return kind


def _limits(cfg: dict[str, Any], config: Path) -> Limits:
    from cibench_eval.opencompass.inferencer import read_record

    limits = read_record(Limits, cfg.get('limits'), f'{config}: limits')
    if limits.of_sessions:
        wrong = next(iter(limits.of_sessions))
        raise CibenchError(f'{config}: limits: {wrong}: judges have no sessions; set run_{wrong.partition("_")[2]}')
    return limits


def _appointed(cfg: dict[str, Any], limits: Limits, ledger: Ledger) -> Appointed:
    from cibench_eval.models.reply_cache import CachedModel
    from cibench_eval.opencompass.build import build, build_model, plain
    from cibench_eval.opencompass.inferencer import read_record

    model_cfg, what = plain(cfg['model']), f'judge {cfg["abbr"]}'
    model = build_model(model_cfg)
    model.max_out_len = model_cfg.get('max_out_len', model.max_out_len)
    price = read_record(Price, model_cfg.get('price'), f'{what}: price')
    model = MeteredModel(model, limits, price, ledger, again='the same command')
    sampled = (model_cfg.get('generation_kwargs') or {}).get('temperature', 0) != 0
    if cfg.get('reply_cache', True) and not sampled:
        model = CachedModel(model, cache_dir() / 'replies', model_identity(model_cfg))
    own = {key: value for key, value in plain(cfg).items() if key not in OWN_KEYS}
    return Appointed(
        name=cfg['abbr'],
        judge=build(own, what, model=model),
        identity=digest([model_identity(model_cfg), own]),
        ledger=ledger,
        at_once=cfg.get('batch_size', 8),
    )


async def judge_run(places: Sequence[Filed], appointed: Sequence[Appointed], say: Say) -> None:
    """Let every judge judge every step that it has not judged.

    Raises:
        CibenchError: a judge lacks something, before anything is asked, or the run folder is not whole.
        HarnessError: a judge cannot be reached, or a limit is used up. What is judged is kept.
    """
    for one in appointed:
        one.judge.check()
    for one in appointed:
        async with one.judge.model:
            for place in places:
                with only_one(place.verdicts.path, say):
                    await _judge_dataset(place, one)
                    say(_line(one.name, place, _summarize(place).get(one.name)))
    ledger = appointed[0].ledger
    ledger.refresh()
    if ledger.tokens:
        say(f'judging this run has used {ledger.tokens:,} tokens, cost {ledger.cost:,.2f}')


async def _judge_dataset(place: Filed, by: Appointed) -> None:
    """Workers take steps from one queue; when one meets a fault, the others finish theirs and stop."""
    done, todo = place.verdicts.load(mend=True), _cases(place, by.judge)

    async def work() -> None:
        try:
            for case in todo:
                questions = by.judge.questions(case)
                asked = digest([by.identity, questions or by.judge.nothing(case)])
                earlier = done.get((by.name, case.experiment, case.index))
                if earlier is None or earlier.asked != asked:
                    said = await by.judge.judge(case, questions)
                    place.verdicts.append(Verdict.of(case, by.name, by.judge.metric, asked, said))
        except RunLimitError:
            raise
        except HarnessError as error:
            raise HarnessError(f'{error}; what is judged is kept, and the same command goes on') from error
        finally:
            todo.close()

    await run_all(work() for _ in range(by.at_once))


def _cases(place: Filed, judge: Judge) -> Generator[Case, None, None]:
    """What a judge is asked about, one by one: figures are read when their turn comes."""
    if judge.metric == LLMCategorizer.metric:
        yield from place.doubts()
    else:
        for experiment, step, done in place.steps(judge.kinds):
            yield case_of(experiment, step, done, place.traces.figures)


def _summarize(place: Filed) -> dict[str, Any]:
    """Write `<dataset>.judge.json`: for each judge its mean × 100, counts, tokens, and every step."""
    from cibench_eval.opencompass.inferencer import write_json

    verdicts = sorted(place.current(), key=lambda verdict: (verdict.experiment, verdict.index))
    names = dict.fromkeys(verdict.judge for verdict in verdicts)
    summary = {name: _summary([verdict for verdict in verdicts if verdict.judge == name]) for name in names}
    write_json(place.verdicts.path.with_suffix('.json'), summary)
    return summary


def _summary(verdicts: list[Verdict]) -> dict[str, Any]:
    scores = [verdict.score for verdict in verdicts if verdict.score is not None]
    paid = [reply for verdict in verdicts for reply in verdict.replies if not reply.cached]
    return {
        'metric': verdicts[0].metric,
        'mean': 100 * sum(scores) / len(scores) if scores else None,
        'steps': len(verdicts),
        'judge_invalid': len(verdicts) - len(scores),
        'nothing_to_judge': sum(not verdict.replies for verdict in verdicts),
        'replies': len(paid),
        'tokens_in': sum(reply.tokens_in or 0 for reply in paid),
        'tokens_out': sum(reply.tokens_out or 0 for reply in paid),
        'details': [verdict.model_dump(include={'experiment', 'index', 'score', 'detail'}) for verdict in verdicts],
    }


def _line(name: str, place: Filed, of: dict[str, Any] | None) -> str:
    if of is None:
        return f'{name} on {place.name}: no step of the kind that it judges'
    mean = '–' if of['mean'] is None else f'{of["mean"]:.1f}'
    return (
        f'{name} on {place.name}: {mean} ({of["steps"]} steps: {of["nothing_to_judge"]} with nothing to judge, '
        f'{of["judge_invalid"]} without a valid verdict; {of["replies"]} replies, '
        f'{of["tokens_in"]} + {of["tokens_out"]} tokens)'
    )


def observations(places: Sequence[Filed]) -> dict[str, list[Observation]]:
    """Metric -> its steps that a judge has looked at, with every scoring profile's score and every judge's.

    Of plots that the kernel described, `vis_objects` is among the measures.
    Steps without anything to judge are left out: all measures give them 0, which is no agreement worth the name.
    """
    found: dict[str, list[Observation]] = {}
    for place in places:
        judged: dict[tuple[str, int], dict[str, float]] = {}
        for (judge, experiment, index), verdict in place.verdicts.load().items():
            measure = verdict.metric != LLMCategorizer.metric
            if measure and verdict.replies and verdict.score is not None:
                judged.setdefault((experiment, index), {})[judge] = verdict.score
        for metric, step, scores in _scores(place, set(judged)):
            values = scores | judged[step]
            one = Observation(model=place.model, experiment=step[0], values=values)
            found.setdefault(metric, []).append(one)
    return found


def _scores(place: Filed, wanted: set[tuple[str, int]]) -> Iterator[tuple[str, tuple[str, int], dict[str, float]]]:
    """Metric, step, and what each scoring profile gives it."""
    traces = place.traces.load() if wanted else {}
    for experiment in place.experiments:
        steps = {index for name, index in wanted if name == experiment.id}
        if not steps or experiment.id not in traces:
            continue
        figures = place.traces.figures
        actions = [actions_of(step, figures) for step in traces[experiment.id].steps]
        scored = {name: score_experiment(actions, experiment, profile=name, figures=figures) for name in PROFILES}
        for index in sorted(steps):
            metric = scored['official'][index].metric or ''
            values = {name: scores[index].score for name, scores in scored.items()}
            values['vis_objects'] = scored['strict'][index].vis_objects
            yield metric, (experiment.id, index), {name: v for name, v in values.items() if v is not None}
