"""What tasks that run together share: a model is built once, and all its sessions wait for the same slots."""

from typing import Any, Self

from cibench_eval.agents.slots import SessionSlots
from cibench_eval.config.building import build_model
from cibench_eval.config.session_tasks import SessionTask
from cibench_eval.models.base import ChatModel, Wrapper
from cibench_eval.models.identity import digest
from cibench_eval.models.replay import Replay
from cibench_eval.run.sessions import as_chat_model


class SharedModel(Wrapper):
    """A chat model that several users may open at the same time: the first opens it, the last closes it."""

    def __init__(self, model: ChatModel) -> None:
        super().__init__(model)
        self._users = 0

    async def __aenter__(self) -> Self:
        self._users += 1
        try:
            await self.open_once()
        except BaseException:
            self._users -= 1
            raise
        return self

    async def __aexit__(self, *error: Any) -> None:
        self._users -= 1
        if not self._users:
            self._opening = None
            await self._model.__aexit__(*error)


class SharedModels:
    """The models of tasks that run together."""

    def __init__(self) -> None:
        self._models: dict[str, SharedModel] = {}
        self._slots: dict[str, SessionSlots] = {}

    def model(self, task: SessionTask) -> ChatModel:
        """The model of a task. A replay is its own: what it answers belongs to its dataset."""
        key = _key(task)
        if key not in self._models:
            built = as_chat_model(build_model(task.model.config), task.batch_size, task.max_out_len)
            if isinstance(built, Replay):
                return built
            self._models[key] = SharedModel(built)
        return self._models[key]

    def slots(self, task: SessionTask, number: int, most: int) -> SessionSlots:
        """Slots for a task, at most `most`: a part of the slots of its model, which become at least `number`."""
        whole = self._slots.setdefault(_key(task), SessionSlots(number, most=most))
        whole.widen(number)
        whole.most = max(whole.most, most)
        return SessionSlots(most, whole)


def _key(task: SessionTask) -> str:
    """A key that is equal for tasks with the same model, whatever its name.

    Epochs do not tell models apart: a seed is of a request (`Turn.epoch`).
    """
    model = {name: value for name, value in task.model.config.items() if name != 'abbr'}
    return digest([model, task.batch_size, task.max_out_len])
