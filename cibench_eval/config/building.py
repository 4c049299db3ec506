"""Config dict -> object; only classes that the config names are imported."""

import importlib
import importlib.util
import inspect
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from cibench_eval.config.records import ModelFields
from cibench_eval.models.base import ChatModel
from cibench_eval.models.connections import Endpoint
from cibench_eval.models.identity import reply_identity
from cibench_eval.models.limits import Limits, Price
from cibench_eval.models.metering import Ledger, MeteredModel
from cibench_eval.models.reply_cache import CachedModel
from cibench_eval.registry import origin_of
from cibench_eval.schema import CibenchError, problem

RecordT = TypeVar('RecordT', bound=BaseModel)

MODEL_TASK_KEYS = tuple(key for key in ModelFields.model_fields if key != 'type')
"""Keys of a model config that are meant for the task, not for the model (OpenCompass's own list, and `price`)."""
NO_MODULE = (
    "does not say its module; write the whole name, as 'opencompass.models.OpenAI' or "
    "'cibench_eval.models.OpenAICompatible'"
)


def build(cfg: Any, what: str, *, drop: tuple[str, ...] = (), **more: Any) -> Any:
    """The object that `cfg` describes: `type` is a class or its dotted name, the rest its arguments.

    Raises:
        CibenchError: there is no such class, or it does not take these arguments.
    """
    arguments = {key: value for key, value in {**plain(cfg), **more}.items() if key not in drop}
    kind = arguments.pop('type', None)
    try:
        return resolve(kind, what)(**arguments)
    except TypeError as error:
        if error.__traceback__ and error.__traceback__.tb_next:  # raised inside, not by the call
            raise
        raise CibenchError(f'{what}: {error}; correct the argument in the config') from error


def resolve(kind: Any, what: str) -> Any:
    """A class from itself or from its dotted name.

    Raises:
        CibenchError: there is no type, its name has no module, or there is no such class here.
    """
    if kind is None:
        raise CibenchError(f'{what}: its config has no type; set type to a class')
    if not isinstance(kind, str):
        return kind
    module, _, name = kind.rpartition('.')
    package = module.partition('.')[0]
    if not package:
        raise CibenchError(f'{what}: type {kind!r} {NO_MODULE}')
    if importlib.util.find_spec(package) is None:
        raise CibenchError(f'{what}: type {kind!r}: no package {package!r} here; install it or correct the name')
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise CibenchError(f'{what}: type {kind!r} cannot be imported: {error}') from error
    except (Exception, SystemExit) as error:  # a user's own module can fail in any way, or end the program
        raise CibenchError(f'{what}: type {kind!r} cannot be imported: {origin_of(error)}: {error}') from error


def plain(cfg: Any) -> Any:
    """`cfg` with mmengine's dicts and lists replaced by Python's own."""
    if isinstance(cfg, dict):
        return {key: plain(value) for key, value in cfg.items()}
    if isinstance(cfg, list | tuple):
        return [plain(value) for value in cfg]
    return cfg


def build_model(model_cfg: Any) -> Any:
    """The model object of an entry; a class that starts a server is told its GPUs."""
    what = f'model {model_cfg.get("abbr", "?")}'
    built = build({**_gpus(model_cfg, what), **model_cfg}, what, drop=MODEL_TASK_KEYS)
    if isinstance(built, Endpoint):
        built.abbr = model_cfg.get('abbr', '')
    return built


def limited_model(
    model_cfg: dict[str, Any], limits: Limits, price: Price, ledger: Ledger, replies: Path | None
) -> ChatModel:
    """The model of an entry within the limits of a command, and behind the folder of kept `replies` if there is one."""
    model = build_model(model_cfg)
    model.max_out_len = model_cfg.get('max_out_len', model.max_out_len)
    metered = MeteredModel(model, limits, price, ledger, again='the same command')
    return CachedModel(metered, replies, reply_identity(model_cfg)) if replies else metered


def _gpus(model_cfg: Any, what: str) -> dict[str, int]:
    """`num_gpus` of `run_cfg`, if the class has an argument of that name."""
    number = model_cfg.get('run_cfg', {}).get('num_gpus', 0)
    takes = number and 'num_gpus' in inspect.signature(resolve(model_cfg.get('type'), what)).parameters
    return {'num_gpus': number} if takes else {}


def runs_problems(dataset_cfg: Any) -> list[str]:
    """Errors for OpenCompass's own settings of several runs, which a predictions file of sessions cannot hold."""
    return [
        f'{key}={dataset_cfg[key]}: a predictions file holds one run of each session; leave {key} out and set `epochs` '
        'at the top of the config (or --epochs)'
        for key in ('n', 'k')
        if dataset_cfg.get(key, 1) not in (1, [1])
    ]


def parse_record(kind: type[RecordT], fields: Any, place: str) -> RecordT:
    """A record from a config; a `CibenchError` where a field is unknown or has a value that it cannot have."""
    try:
        return kind.model_validate(plain(fields or {}))
    except ValidationError as error:
        raise CibenchError(f'{place}: {problem(error)}; fields: {", ".join(kind.model_fields)}') from error


def run_limits(fields: Any, place: str, who: str) -> Limits:
    """The `limits` of a config whose models run no sessions; `who` says whose, with the verb: `judges have`.

    Raises:
        CibenchError: a limit is unknown, or one of sessions.
    """
    limits = parse_record(Limits, fields, f'{place}: limits')
    if limits.of_sessions:
        wrong = next(iter(limits.of_sessions))
        raise CibenchError(f'{place}: limits: {wrong}: {who} no sessions; set run_{wrong.partition("_")[2]}')
    return limits


def samples(config: dict[str, Any]) -> bool:
    """Whether a model's replies are drawn at random: by its `temperature`, or by a default of its service.

    Args:
        config: of the model; without a `type` it is taken for one that is asked with temperature 0.
    """
    said = (config.get('generation_kwargs') or {}).get('temperature')
    if said is None and config.get('type'):
        said = getattr(resolve(config['type'], f'model {config.get("abbr", "?")}'), 'temperature', 0)
        return said is None or said > 0
    return bool(said)


def model_address(config: dict[str, Any]) -> str:
    """The URL of a model; empty if it uses this machine's memory and processors."""
    remote = getattr(resolve(config.get('type'), f'model {config.get("abbr", "?")}'), 'remote', False)
    return str(config.get('base_url', '')) if remote else ''
