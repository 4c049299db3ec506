"""A model's config file -> the model that writes a benchmark."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cibench_eval.config.building import build_model, plain, read_record, run_limits
from cibench_eval.config.checks import check_list_file
from cibench_eval.config.config_files import find, folder, read
from cibench_eval.construction.asking import Writer
from cibench_eval.construction.prompts import Prompts
from cibench_eval.models.identity import digest, model_identity
from cibench_eval.models.limits import Limits, Price
from cibench_eval.models.metering import Ledger, MeteredModel
from cibench_eval.models.reply_cache import CachedModel
from cibench_eval.schema import CibenchError


@dataclass(frozen=True)
class WriterConfig:
    """A model as its file describes it, checked and not yet built."""

    path: Path
    model: dict[str, Any]
    limits: Limits
    price: Price

    @property
    def max_out_len(self) -> int | None:
        return self.model.get('max_out_len')


def writer_config(name: str) -> WriterConfig:
    """The model that `--model NAME` means: a file in `configs/models/`, or a path.

    `limits` at the top of the file (`run_tokens`, `run_cost`, `run_seconds`) are those of a whole construction.

    Raises:
        CibenchError: there is no such file, it has another number of models than one, or something in it is wrong.
    """
    path = find(folder(), 'models', name)
    cfg = read(path)
    check_list_file(cfg, path, 'models')
    models = plain(cfg.get('models', []))
    if len(models) != 1:
        raise CibenchError(f'{path}: {len(models)} models; a construction needs a file with one')
    limits = run_limits(cfg.get('limits'), str(path), 'there are')
    price = read_record(Price, models[0].get('price'), f'{path}: price')
    return WriterConfig(path, models[0], limits, price)


def load_writer(config: WriterConfig, folder: Path, prompts: Prompts, tries: int) -> Writer:
    """The model, with its replies and its ledger in the folder of a construction.

    Every reply is kept, sampled ones too: a construction that is gone on with must not pay for one again.
    """
    what = f'model {config.model.get("abbr", "?")}'
    model = build_model(config.model)
    model.max_out_len = config.model.get('max_out_len', model.max_out_len)
    ledger = Ledger(folder / 'usage.jsonl')
    identity = digest([model_identity(config.model), config.model.get('base_url')])
    metered = MeteredModel(model, config.limits, config.price, ledger, again='the same command')
    return Writer(
        model=CachedModel(metered, folder / 'replies', identity),
        prompts=prompts,
        price=config.price,
        ledger=ledger,
        name=what.removeprefix('model '),
        identity=identity,
        tries=tries,
        max_requests=config.model.get('batch_size', 8),
    )
