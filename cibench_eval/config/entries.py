"""The entries of a config as typed records: a model, an agent, a dataset."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from cibench_eval.agents.prompts import OWN
from cibench_eval.agents.protocols.react import PAPER
from cibench_eval.agents.settings import AgentSettings
from cibench_eval.config import defaults
from cibench_eval.config.building import build, parse_record, runs_problems
from cibench_eval.datasets.loading import ExperimentSelection, Loaded
from cibench_eval.models.limits import Limits, Price
from cibench_eval.models.replay import GoldReplay
from cibench_eval.run_paths import results_folder
from cibench_eval.schema import CibenchError, Experiment, Mode

AGENTS, WITHOUT_PROMPT = 'cibench_eval.agents.', 'FunctionAgent'
"""Where this package's protocols are, and the one of them whose prompt is the user's."""
SHARED = ('kernels', 'limits', 'max_sessions', 'reply_cache')
"""Keys at the top of a config that belong to every inferencer."""
REPLAYS = frozenset({'cibench_eval.models.GoldReplay', f'{GoldReplay.__module__}.{GoldReplay.__name__}'})
"""How a config may name the model that answers with the gold code."""


@dataclass(frozen=True, eq=False)
class ModelEntry:
    """An entry of `models`."""

    abbr: str
    type: str
    """Dotted name of its class."""
    config: dict[str, Any]
    """All of the entry: what the class is made of, and what sessions must agree in."""
    price: Price

    @classmethod
    def of(cls, config: dict[str, Any]) -> ModelEntry:
        price = parse_record(Price, config.get('price'), 'models: price')
        return cls(str(config['abbr']), str(config.get('type')), config, price)

    @property
    def num_gpus(self) -> int:
        return int((self.config.get('run_cfg') or {}).get('num_gpus', 0))

    @property
    def batch_size(self) -> int | None:
        """Requests that it takes at the same time."""
        return self.config.get('batch_size')

    @property
    def path(self) -> str:
        """What it is loaded from: a folder, or a name on the Hugging Face Hub; empty where it does not say."""
        return str(self.config.get('path') or '')

    @property
    def replays(self) -> bool:
        """Whether it answers from records: the gold, a run's traces, a script."""
        return self.type.startswith('cibench_eval.') and self.type.endswith('Replay')

    @property
    def replays_gold(self) -> bool:
        return self.type in REPLAYS


@dataclass(frozen=True, eq=False)
class AgentEntry:
    """An entry of `agents`, or what a dataset's own config says of the agent."""

    config: dict[str, Any]

    @property
    def abbr(self) -> str:
        """Its name; empty where it has none."""
        return str(self.config.get('abbr') or '')

    @property
    def name(self) -> str:
        """Its name, else the name of its protocol's class."""
        return self.abbr or self._class

    @property
    def max_attempts(self) -> int:
        """Attempts at a step, at most."""
        return int(self.config.get('max_attempts', AgentSettings.max_attempts))

    @property
    def path(self) -> str:
        """What its protocol's `path` names, a function or a class; empty where the protocol has none."""
        return str(self._protocol.get('path') or '')

    @property
    def prompt(self) -> str:
        """Whose words its prompt has: the `default` ones of its protocol, or others."""
        if self._class == WITHOUT_PROMPT or not self._type.startswith(AGENTS):
            return 'of the agent'
        source = self._protocol.get('prompt', OWN)
        return {OWN: 'default', PAPER: 'of the paper'}.get(str(source), 'of the config')

    @property
    def _protocol(self) -> Mapping[str, Any]:
        return self.config.get('protocol') or {}

    @property
    def _type(self) -> str:
        return str(self._protocol.get('type') or f'{AGENTS}ReAct')

    @property
    def _class(self) -> str:
        return self._type.rpartition('.')[2]

    @cached_property
    def settings(self) -> AgentSettings:
        """The agent's settings; a `CibenchError` where the config says what cannot be."""
        fields = {key: value for key, value in self.config.items() if key != 'abbr'}
        if 'protocol' in fields:
            fields['protocol'] = build(fields['protocol'], 'agents: protocol')
        return build({'type': AgentSettings, **fields}, 'agents')


@dataclass(frozen=True, eq=False)
class DatasetEntry:
    """An entry of `datasets`."""

    abbr: str
    config: dict[str, Any]
    inferencer: dict[str, Any]
    """Its `infer_cfg.inferencer`, with what the top of the config adds."""
    evaluator: dict[str, Any]
    """Its `eval_cfg.evaluator`."""
    results: str
    """The folder of a run that holds its scores."""
    loaded: Loaded
    """The run's experiments, so that each notebook is read once."""

    @classmethod
    def of(cls, config: dict[str, Any], shared: Mapping[str, Any], loaded: Loaded) -> DatasetEntry:
        """An entry from its config; the inferencer takes from `shared` what it does not say itself."""
        score = config['eval_cfg']
        inferencer = {**{key: shared[key] for key in SHARED if shared.get(key)}, **config['infer_cfg']['inferencer']}
        folder = score.get('folder') or results_folder(None)
        return cls(str(config['abbr']), config, inferencer, score.get('evaluator') or {}, folder, loaded)

    @property
    def mode(self) -> Mode:
        return self.inferencer.get('mode', defaults.MODE)

    @property
    def limits(self) -> Limits:
        """The limits of its sessions and of the run; a `CibenchError` where the config says what cannot be."""
        return parse_record(Limits, self.inferencer.get('limits'), 'limits')

    @property
    def max_sessions(self) -> int | None:
        """Sessions at the same time; None where the config does not say."""
        return self.inferencer.get('max_sessions')

    @property
    def reply_cache(self) -> bool | Literal['sampled']:
        """Whether replies are kept; `sampled` keeps those that are drawn at random, too."""
        return self.inferencer.get('reply_cache') or False

    @property
    def without_data(self) -> bool:
        """Whether its sessions get no data files, as in an audit."""
        return bool(self.config.get('without_data'))

    @property
    def profile(self) -> str:
        return self.evaluator.get('profile', defaults.PROFILE)

    @cached_property
    def source(self) -> Any:
        """The dataset object that its class makes of the config.

        Raises:
            CibenchError: it cannot be made, or asks for several runs in OpenCompass's way.
        """
        for problem in runs_problems(self.config):
            raise CibenchError(f'dataset {self.abbr}: {problem}')
        return build(self.config, f'dataset {self.abbr}', drop=('infer_cfg', 'eval_cfg', 'n', 'k'))

    @cached_property
    def experiments(self) -> list[Experiment]:
        """Its experiments, in their order; a `CibenchError` where they are gone, or malformed."""
        source = self.source
        found = source.load(self.loaded) if isinstance(source, ExperimentSelection) else source.experiments
        return list(found)

    def scored_by(self, profile: str, options: Iterable[str]) -> DatasetEntry:
        """The entry with another scoring profile; its evaluator keeps the options that the profile takes."""
        own = self.evaluator
        kept = {name: own[name] for name in options if name in own}
        evaluator = {'type': own['type'], 'profile': profile, **kept}
        return dataclasses.replace(self, evaluator=evaluator, results=results_folder(profile))
