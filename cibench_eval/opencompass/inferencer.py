"""Sessions as an OpenCompass inferencer: it writes the predictions file, and the traces beside it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cibench_eval.agents.slots import SessionSlots
from cibench_eval.opencompass.dataset import ExperimentRetriever
from cibench_eval.run.sessions import DatasetSessions, run_together
from cibench_eval.run_paths import SessionFiles


@dataclass(eq=False)
class SessionInferencer(DatasetSessions):
    """Runs the sessions of a dataset with a model."""

    min_out_len: Any = None
    """An argument that OpenCompass's own task adds, without effect here; so are the next three."""
    max_seq_len: Any = None
    dump_res_length: Any = None
    dump_only_message_path: Any = None

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
        first, most = self.slots()
        run_together([self.batch(files, retriever.dataset.experiments, SessionSlots(first, most=most))])
