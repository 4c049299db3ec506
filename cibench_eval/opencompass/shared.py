"""What tasks that run together share: a model is built once, and all its sessions wait for the same slots."""

from __future__ import annotations

from typing import Any

from cibench_eval.agents.slots import SessionSlots
from cibench_eval.models.identity import digest
from cibench_eval.models.replay import Replay
from cibench_eval.models.shared import SharedModel
from cibench_eval.opencompass.build import build_model
from cibench_eval.opencompass.inferencer import as_chat_model


class SharedModels:
    """The models of tasks that run together, by what inferencers say of them."""

    def __init__(self) -> None:
        self._models: dict[str, SharedModel] = {}
        self._slots: dict[str, SessionSlots] = {}

    def model(self, inferencer_cfg: dict[str, Any]) -> Any:
        """The model of an inferencer. A replay is its own: what it answers belongs to its dataset."""
        key = _key(inferencer_cfg)
        if key not in self._models:
            built = build_model(inferencer_cfg['model_config'])
            if isinstance(built, Replay):
                return built
            made = as_chat_model(built, inferencer_cfg.get('batch_size'), inferencer_cfg.get('max_out_len'))
            self._models[key] = SharedModel(made)
        return self._models[key]

    def slots(self, inferencer_cfg: dict[str, Any], number: int, most: int) -> SessionSlots:
        """Slots for a dataset, at most `most`, a part of its model's, which are at least `number`."""
        whole = self._slots.setdefault(_key(inferencer_cfg), SessionSlots(number, most=most))
        whole.widen(number)
        whole.most = max(whole.most, most)
        return SessionSlots(most, whole)


def _key(inferencer_cfg: dict[str, Any]) -> str:
    """What two inferencers agree in whose model is the same, by whatever name (each agent gives it another).

    Epochs do not tell models apart: a seed is of a request (`Turn.epoch`).
    """
    model = {name: value for name, value in inferencer_cfg['model_config'].items() if name != 'abbr'}
    return digest([model, inferencer_cfg.get('batch_size'), inferencer_cfg.get('max_out_len')])
