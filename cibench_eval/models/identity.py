"""A hash of what a model's replies depend on, in each epoch."""

from __future__ import annotations

import copy
import hashlib
import json
from typing import Any

NOT_IN_IDENTITY = {
    *('abbr', 'base_url', 'batch_size', 'key', 'price', 'python', 'requests_per_minute', 'retries', 'retry_wait'),
    *('run_cfg', 'startup_timeout', 'timeout', 'tokens_per_minute'),
}
"""Keys of a model's config that change no reply. A server may move to another address in the middle of a run."""


def model_identity(model: dict[str, Any]) -> str:
    """A hash of what of a model's config its replies depend on."""
    return digest({key: value for key, value in model.items() if key not in NOT_IN_IDENTITY})


def model_of_epoch(model: dict[str, Any], epoch: int) -> dict[str, Any]:
    """A config as if it were of one epoch: each adds one to the sampling seed, and to the epoch that is replayed.

    Identities are made of it. The model itself is one for all epochs, and learns from a `Turn` which it is.
    """
    model = copy.deepcopy(model)
    generation = model.get('generation_kwargs') or {}
    for settings, key in ((generation, 'seed'), (generation.get('extra_body') or {}, 'seed'), (model, 'epoch')):
        if settings.get(key) is not None:
            settings[key] += epoch - 1
    return model


def digest(content: Any) -> str:
    """12 hexadecimal digits of the SHA-256 of something that JSON can hold (what it cannot, by its `str`)."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:12]
