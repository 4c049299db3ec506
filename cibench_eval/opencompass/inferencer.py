"""Sessions as an OpenCompass inferencer: it writes the predictions file, and the traces beside it."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from cibench_eval.agents.session import AgentSettings
from cibench_eval.agents.sessions import Batch, default_sessions, run_sessions
from cibench_eval.agents.store import TraceStore
from cibench_eval.evaluators.predictions import prediction_of
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.models.base import ChatModel
from cibench_eval.opencompass.build import build, plain
from cibench_eval.opencompass.dataset import CIBenchDataset, ExperimentRetriever
from cibench_eval.opencompass.model import OpenCompassModel
from cibench_eval.schema import CibenchError, Mode, Trace

logger = logging.getLogger(__name__)


class SessionInferencer:
    """Runs the sessions of a dataset with a model.

    Args:
        model: a ChatModel, or an object of any of OpenCompass's model classes.
        mode: `end_to_end` or `oracle`.
        agent: config of the agent: `protocol` (a dict with `type`), `max_attempts`, `history`.
        kernels: fields of KernelSettings.
        max_sessions: sessions at the same time; None is one a core, or fewer if the model's `batch_size` says so.
        max_out_len: tokens of a reply, at most; None leaves it to the model.
        batch_size: requests that the model takes at the same time; None is any number.
        opencompass: what OpenCompass's own task adds for its own inferencers; without effect here.
    """

    def __init__(
        self,
        model: Any,
        mode: Mode = 'end_to_end',
        agent: dict[str, Any] | None = None,
        kernels: dict[str, Any] | None = None,
        max_sessions: int | None = None,
        max_out_len: int | None = None,
        batch_size: int | None = None,
        **opencompass: Any,
    ) -> None:
        if mode not in get_args(Mode):
            raise CibenchError(f'inferencer: mode is {mode!r}; it must be {" or ".join(get_args(Mode))}')
        self.mode: Mode = mode
        self.agent = agent_settings(agent or {})
        self.kernels = kernel_settings(kernels or {})
        self.max_sessions = max_sessions or min(batch_size or default_sessions(), default_sessions())
        self.model: ChatModel = model if hasattr(model, 'chat') else OpenCompassModel(model)
        if max_out_len is not None:
            self.model.max_out_len = max_out_len

    def inference(
        self,
        retriever: ExperimentRetriever,
        ice_template: Any = None,
        prompt_template: Any = None,
        output_json_filepath: str = '.',
        output_json_filename: str = 'predictions.json',
    ) -> dict[str, Any]:
        """Run what is missing and write `output_json_filename`; traces and figures stand beside it."""
        dataset, path = retriever.dataset, Path(output_json_filepath) / output_json_filename
        store = TraceStore(path.with_suffix('.traces.jsonl'))
        traces = asyncio.run(run_sessions(self._batch(dataset, path), store, _log))
        predictions = {
            str(index): prediction_of(trace, experiment, store.figures)
            for index, (trace, experiment) in enumerate(zip(traces, dataset.experiments, strict=True))
        }
        write_json(path, predictions)
        return predictions

    def _batch(self, dataset: CIBenchDataset, path: Path) -> Batch:
        return Batch(
            experiments=dataset.experiments,
            model=self.model,
            agent=self.agent,
            kernels=self.kernels,
            mode=self.mode,
            model_name=model_name(path, dataset.abbr),
            dataset_name=dataset.abbr,
            max_sessions=self.max_sessions,
        )


def model_name(predictions: Path, dataset: str) -> str:
    """The model's abbr from `…/<model>/<dataset>.json` (a dataset's abbr may hold slashes)."""
    return Path(str(predictions).removesuffix(f'/{dataset}.json')).name


def agent_settings(cfg: dict[str, Any]) -> AgentSettings:
    """Build the agent axis of a config."""
    fields = {key: value for key, value in plain(cfg).items() if key != 'abbr'}
    if 'protocol' in fields:
        fields['protocol'] = build(fields['protocol'], 'agents: protocol')
    return build({'type': AgentSettings, **fields}, 'agents')


def kernel_settings(cfg: dict[str, Any]) -> KernelSettings:
    """Read the kernels of a config.

    Raises:
        CibenchError: a field is unknown or has a value that it cannot have.
    """
    try:
        return KernelSettings.model_validate(plain(cfg))
    except ValidationError as error:
        first = error.errors()[0]
        field = '.'.join(str(part) for part in first['loc'])
        raise CibenchError(f'kernels: {field}: {first["msg"]} (in the config)') from error


def write_json(path: Path, content: Any) -> None:
    """Write a JSON file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f'.{path.name}.part')
    part.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding='utf-8')
    part.replace(path)


def _log(trace: Trace, done: int, total: int) -> None:
    ran = sum(any(a.execution and a.execution.status == 'ok' for a in step.attempts) for step in trace.steps)
    logger.info(
        '%s %s: %d/%d sessions; %s ran code in %d of %d steps, %.1f s',
        *(trace.model, trace.dataset, done, total, trace.experiment, ran, len(trace.steps), trace.seconds),
    )
