"""With which libraries the kernels of a run are forked."""

import pytest

from cibench_eval.agents import Batch, SessionSettings
from cibench_eval.agents.identity import identity_of
from cibench_eval.interpreter import KernelSettings
from cibench_eval.models import GoldReplay
from cibench_eval.run import run_tasks
from cibench_eval.traces import TraceStore
from tests.support.sessions import experiment


@pytest.mark.parametrize(
    ('named', 'imported', 'missing'),
    [(None, {'pandas', 'torch'}, {'tensorflow', 'sklearn.metrics'}), (('cv2',), {'cv2'}, {'pandas', 'torch'})],
)
def test_kernels_are_forked_with_what_the_gold_code_of_all_datasets_imports(
    tmp_path, monkeypatch, named, imported, missing
):
    run = []

    async def run_batches(batches, observer):
        run.extend(batches)
        return [None for _ in batches]

    monkeypatch.setattr(run_tasks, 'run_batches', run_batches)
    settings = SessionSettings(kernels=KernelSettings(preload=named))
    golds = [experiment('import pandas as pd'), experiment('from torch import nn')]
    store = TraceStore(tmp_path / 'd.traces.jsonl')
    batches = [Batch([gold], GoldReplay(), settings, store) for gold in golds]
    assert run_tasks.failures_of(batches) == [None, None]
    for batch, gold in zip(run, golds, strict=True):
        preload = set(batch.settings.kernels.preload)
        assert imported <= preload and not missing & preload
        assert identity_of(batch.settings, gold) == identity_of(settings, gold)
