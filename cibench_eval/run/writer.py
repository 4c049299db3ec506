"""A model's config file -> the model that writes a benchmark."""

from pathlib import Path

from cibench_eval.config import config_files
from cibench_eval.config.building import limited_model, parse_record, plain, run_limits
from cibench_eval.config.checks import check_list_file
from cibench_eval.construction.asking import Writer
from cibench_eval.construction.prompts import Prompts
from cibench_eval.models.identity import reply_identity
from cibench_eval.models.limits import Price
from cibench_eval.models.metering import Ledger
from cibench_eval.schema import CibenchError


def load_writer(name: str, folder: Path, prompts: Path | None, tries: int) -> Writer:
    """The model that `--model NAME` means, with its replies and its ledger in the folder of a construction.

    `limits` at the top of its file (`run_tokens`, `run_cost`, `run_seconds`) are those of a whole construction. Every
    reply is kept, sampled ones too: a construction that is gone on with must not pay for one again.

    Args:
        name: a file in `configs/models/`, or a path.
        prompts: a folder with prompts of the user's own.

    Raises:
        CibenchError: there is no such file, it has another number of models than one, or something is wrong in it
            or in the prompts.
    """
    own = Prompts(prompts)
    path = config_files.find(config_files.folder(), 'models', name)
    cfg = config_files.read(path)
    check_list_file(cfg, path, 'models')
    models = plain(cfg.get('models', []))
    if len(models) != 1:
        raise CibenchError(f'{path}: {len(models)} models; a construction needs a file with one')
    [model] = models
    limits = run_limits(cfg.get('limits'), str(path), 'there are')
    price, ledger = parse_record(Price, model.get('price'), f'{path}: price'), Ledger(folder / 'usage.jsonl')
    return Writer(
        model=limited_model(model, limits, price, ledger, folder / 'replies'),
        prompts=own,
        price=price,
        ledger=ledger,
        name=model.get('abbr', '?'),
        identity=reply_identity(model),
        tries=tries,
        max_requests=model.get('batch_size', 8),
    )
