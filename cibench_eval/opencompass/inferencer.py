"""Sessions as an OpenCompass inferencer: it writes the predictions file, and the traces beside it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import PositiveInt

from cibench_eval.config import defaults
from cibench_eval.config.building import parse_record, plain
from cibench_eval.config.entries import AgentEntry, DatasetEntry, ModelEntry
from cibench_eval.config.records import Ignored
from cibench_eval.config.session_tasks import SessionTask
from cibench_eval.models.limits import Price
from cibench_eval.opencompass.dataset import ExperimentRetriever
from cibench_eval.run.run_tasks import SharedModels, as_chat_model, batch_of, run_together
from cibench_eval.run_paths import SessionFiles
from cibench_eval.schema import CibenchError, Mode


@dataclass(eq=False)
class SessionInferencer:
    """Runs the sessions of a dataset with a model. The fields are their options in a config.

    OpenCompass's own program makes one; this package's program takes the options from the config (`SessionTask`).
    """

    model: Any
    """A ChatModel, or an object of any of OpenCompass's model classes."""
    mode: Mode = defaults.MODE
    agent: dict[str, Any] | None = None
    """The agent's config: `protocol` (a dict with `type`), `max_attempts`, `history`, …"""
    kernels: dict[str, Any] | None = None
    """Fields of KernelSettings."""
    limits: dict[str, Any] | None = None
    """Fields of Limits."""
    reply_cache: bool | Literal['sampled'] = False
    """Whether replies are kept and used again, beyond this run: `True` for models that are asked with temperature 0,
    `'sampled'` for all."""
    max_sessions: PositiveInt | None = None
    """Sessions at the same time; None is some for each core, more while these idle, and no more than the model's
    `batch_size`."""
    max_out_len: PositiveInt | None = None
    """Tokens of a reply, at most; None leaves it to the model."""
    batch_size: PositiveInt | None = None
    """Requests that the model takes at the same time; None is any number."""
    model_config: dict[str, Any] | None = None
    """What the model was made of; sessions of one run must agree in it. Its `price` is what a million tokens cost:
    `dict(input=…, output=…)`."""
    epoch: int = 1
    """Which of several runs of the sessions this is; `epochs` of a config counts it."""
    min_out_len: Ignored = None
    """An argument that OpenCompass's own task adds, without effect here; so are the next three."""
    max_seq_len: Ignored = None
    dump_res_length: Ignored = None
    dump_only_message_path: Ignored = None

    def __post_init__(self) -> None:
        if self.mode not in get_args(Mode):
            raise CibenchError(f'inferencer: mode is {self.mode!r}; it must be {" or ".join(get_args(Mode))}')
        if self.reply_cache not in (False, True, 'sampled'):
            raise CibenchError(f"reply_cache is {self.reply_cache!r}; it must be False, True or 'sampled'")

    def inference(
        self,
        retriever: ExperimentRetriever,
        ice_template: Any = None,
        prompt_template: Any = None,
        output_json_filepath: str = '.',
        output_json_filename: str = 'predictions.json',
    ) -> None:
        """Run what is missing and write `RUN/predictions/MODEL/DATASET.json`; traces and figures stand beside it."""
        files = SessionFiles.of_predictions(Path(output_json_filepath, output_json_filename), retriever.dataset.abbr)
        task = self._task(files)
        model = as_chat_model(self.model, self.batch_size, self.max_out_len)
        run_together([batch_of(task, model, retriever.dataset.experiments, SharedModels().slots(task))])

    def _task(self, files: SessionFiles) -> SessionTask:
        options, made_of = plain(vars(self)), plain(self.model_config or {})
        price = parse_record(Price, made_of.get('price'), 'models: price')
        model = ModelEntry(files.model, '', made_of, price)
        dataset = DatasetEntry(files.dataset, {}, options, {}, '', {})
        return SessionTask(
            files.run, model, AgentEntry(options['agent'] or {}), dataset, files.model, files.dataset, self.epoch
        )
