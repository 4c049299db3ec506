"""Hashes of all that a model's replies depend on, in each epoch."""

import copy
import hashlib
import json
from typing import Any

NOT_IN_IDENTITY = {
    *('abbr', 'base_url', 'batch_size', 'key', 'price', 'python', 'requests_per_minute', 'retries', 'retry_wait'),
    *('run_cfg', 'startup_timeout', 'stream', 'timeout', 'tokens_per_minute'),
}
"""Keys of a model's config that change no reply. A server may move to another address in the middle of a run."""


def model_identity(model: dict[str, Any]) -> str:
    """A hash of the part of a model's config that its replies depend on."""
    return digest({key: value for key, value in model.items() if key not in NOT_IN_IDENTITY})


def reply_identity(model: dict[str, Any], *more: Any) -> str:
    """A hash of a model's config, and of what else replies depend on, for replies that are kept beyond a run.

    It includes the address: another model may have the same name at another address.
    """
    return digest([model_identity(model), model.get('base_url'), *more])


def model_of_epoch(model: dict[str, Any], epoch: int) -> dict[str, Any]:
    """The config of one epoch, for identities: each epoch adds one to the sampling seed and to the replayed epoch.

    The model object serves all epochs, and learns the epoch from each `Turn`.
    """
    model = copy.deepcopy(model)
    generation = model.get('generation_kwargs') or {}
    for settings, key in ((generation, 'seed'), (generation.get('extra_body') or {}, 'seed'), (model, 'epoch')):
        if settings.get(key) is not None:
            settings[key] += epoch - 1
    return model


def digest(content: Any) -> str:
    """12 hexadecimal digits of the SHA-256 of `content` as JSON; what JSON cannot hold counts by its `str`."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:12]
