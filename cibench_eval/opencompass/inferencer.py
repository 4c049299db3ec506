"""Sessions as an OpenCompass inferencer: it writes the predictions file, and the traces beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from cibench_eval.agents.slots import SessionSlots
from cibench_eval.config import defaults
from cibench_eval.opencompass.dataset import ExperimentRetriever
from cibench_eval.run.sessions import DatasetSessions, run_works
from cibench_eval.run_paths import SessionFiles
from cibench_eval.schema import Mode


class SessionInferencer(DatasetSessions):
    """Runs the sessions of a dataset with a model.

    Args:
        model, mode, agent, kernels, limits, reply_cache, max_sessions, max_out_len, batch_size, model_config, epoch: as
            `DatasetSessions` takes them.
        min_out_len, max_seq_len, dump_res_length, dump_only_message_path: what OpenCompass's own task adds for its own
            inferencers; without effect here.
    """

    def __init__(
        self,
        model: Any,
        mode: Mode = defaults.MODE,
        agent: dict[str, Any] | None = None,
        kernels: dict[str, Any] | None = None,
        limits: dict[str, Any] | None = None,
        reply_cache: bool | Literal['sampled'] = False,
        max_sessions: int | None = None,
        max_out_len: int | None = None,
        batch_size: int | None = None,
        model_config: dict[str, Any] | None = None,
        epoch: int = 1,
        min_out_len: Any = None,
        max_seq_len: Any = None,
        dump_res_length: Any = None,
        dump_only_message_path: Any = None,
    ) -> None:
        super().__init__(
            model,
            mode=mode,
            agent=agent,
            kernels=kernels,
            limits=limits,
            reply_cache=reply_cache,
            max_sessions=max_sessions,
            max_out_len=max_out_len,
            batch_size=batch_size,
            model_config=model_config,
            epoch=epoch,
        )

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
        slots = SessionSlots(self.max_sessions, most=self.most_sessions)
        run_works([self.work(files, retriever.dataset.experiments, slots)])
