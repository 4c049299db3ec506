"""Translates OpenCompass's own CIBench configs: our sessions run its datasets, with its agent as one of ours.

What a config of OpenCompass for CIBench has, and what it becomes here:

- a dataset that its `AgentInferencer` asks and its `CIBenchEvaluator` scores: `CIBenchDataset` of this package;
- a model that is a `LagentAgent` or a `CodeAgent`: the model inside, and for all of them one agent, ReAct with the
  config's prompt;
- `summarizer` of groups alone: `CIBenchSummarizer` with these groups;
- `infer` and `eval` with OpenCompass's own partitioners and tasks, which know no agents: this package's. Its
  `LocalRunner` becomes `SessionRunner`; any other runner stays.
"""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cibench_eval.agents.prompts.upstream import BEGINS, with_tool
from cibench_eval.config.classes import PACKAGE
from cibench_eval.schema import CibenchError, some_of
from cibench_eval.syntax import published_text

logger = logging.getLogger(__name__)
DATASETS = ('opencompass.datasets.CIBenchDataset', 'opencompass.datasets.cibench.CIBenchDataset')
MODES = {'every': 'end_to_end', 'every_with_gt': 'oracle'}
"""`infer_mode` of OpenCompass's agent inferencer -> our mode."""
SPLITS = {'cibench_generation': 'generation', 'cibench_template': 'template', 'cibench_template_chinese': 'template_cn'}
"""Folder -> split."""
AGENT_DEFAULTS: dict[str, dict[str, Any]] = {
    'LagentAgent': {'max_turn': 4},
    'CodeAgent': {
        'agent_type': 'lagent.ReAct',
        'max_turn': 3,
        'protocol': {'call_protocol': 'opencompass.models.lagent.FEWSHOT_INSTRUCTION'},
    },
}
"""OpenCompass's models that are agents -> what each has where a config says nothing."""
AGENT_MODELS = tuple(f'opencompass.models.{module}{name}' for name in AGENT_DEFAULTS for module in ('', 'lagent.'))
OF_AGENT = (
    *('agent_type', 'max_turn', 'llm', 'actions', 'protocol', 'type'),
    *('use_system_role', 'first_system_role', 'merge_adjacent_role'),
)
"""What such a model has that is its agent's."""
LABELS = {'finish': 'final'}
"""Part of lagent's `ReActProtocol` -> our name of its label, where that differs."""
TASKS = {'infer': 'SessionInferTask', 'eval': 'SessionEvalTask'}
LOCAL_RUNNERS = ('opencompass.runners.LocalRunner', 'opencompass.runners.local.LocalRunner')


def translated(datasets: list[Any]) -> list[Any]:
    """The datasets of a config; OpenCompass's own of CIBench become what `configs/datasets/cibench_*.py` have."""
    made = [_dataset(dataset) if _is_cibench(dataset) else dataset for dataset in datasets]
    names = [dataset['abbr'] for dataset, before in zip(made, datasets, strict=True) if dataset is not before]
    if names:
        logger.info(
            "%s: OpenCompass's own config; run here by sessions and scored by the profile official "
            '(gold outputs of the published notebooks: --runtime paper)',
            some_of(names, 1),
        )
    return made


def _is_cibench(dataset: Any) -> bool:
    return (
        isinstance(dataset, dict)
        and dataset.get('type') in DATASETS
        and isinstance(dataset.get('abbr'), str)
        and isinstance(dataset.get('path'), str)
        and _infer_mode(dataset) in MODES
    )


def _infer_mode(dataset: dict[str, Any]) -> str:
    inferencer = (dataset.get('infer_cfg') or {}).get('inferencer') or {}
    return str(inferencer.get('infer_mode'))


def _dataset(dataset: dict[str, Any]) -> dict[str, Any]:
    path = Path(dataset['path'])
    library = [] if path.name in SPLITS else [path.name]
    folder = path.parent if library else path
    return {
        'type': f'{PACKAGE}.CIBenchDataset',
        'abbr': dataset['abbr'],
        'path': str(folder),
        'split': SPLITS.get(folder.name, folder.name),
        **({'experiments': [f'{name}/*' for name in library]} if library else {}),
        **({'language': 'cn'} if folder.name.endswith('_chinese') else {}),
        'infer_cfg': {'inferencer': {'type': f'{PACKAGE}.SessionInferencer', 'mode': MODES[_infer_mode(dataset)]}},
        'eval_cfg': {'evaluator': {'type': f'{PACKAGE}.SessionEvaluator', 'profile': 'official'}},
    }


def with_our_summarizer(summarizer: Any) -> Any:
    """Our summarizer for one of OpenCompass's form, which has groups and no type."""
    if not isinstance(summarizer, dict) or 'type' in summarizer:
        return summarizer
    logger.info("summarizer: of OpenCompass's own form; its groups are rows of this program's table")
    return {'type': f'{PACKAGE}.CIBenchSummarizer', **summarizer}


def with_our_agent(cfg: dict[str, Any]) -> dict[str, Any]:
    """A config with the models inside agents of OpenCompass, and with their agent where the config names none.

    Raises:
        CibenchError: an agent is not ReAct, or two models have different agents.
    """
    if not has_agent(cfg):
        return cfg
    models = cfg['models']
    kind = _kind(next(model for model in models if _is_agent(model)))
    inside = [_model(model) if _is_agent(model) else model for model in models]
    if cfg.get('agents'):
        logger.info("models: OpenCompass's %s; its model is asked by the agents that are named here", kind)
        return {**cfg, 'models': inside}
    agents = {str(agent): agent for agent in (_agent(model) for model in models if _is_agent(model))}
    if len(agents) > 1:
        raise CibenchError(
            'models: their agents differ in prompt or max_turn, perhaps by default; every model is asked by each of '
            '`agents`: name those (agents=[…], or --agents react_paper)'
        )
    logger.info(
        "models: OpenCompass's %s; its model is asked by ReAct with its prompt and attempts, as agent react "
        '(--agents react_paper: with the published prompt, and with outputs in its layout)',
        kind,
    )
    return {**cfg, 'models': inside, 'agents': list(agents.values())}


def has_agent(cfg: dict[str, Any]) -> bool:
    """Whether a model of a config is an agent of OpenCompass."""
    models = cfg.get('models')
    return isinstance(models, list) and any(_is_agent(model) for model in models)


def _is_agent(model: Any) -> bool:
    return isinstance(model, dict) and model.get('type') in AGENT_MODELS and isinstance(model.get('llm'), dict)


def _kind(model: dict[str, Any]) -> str:
    return str(model['type']).rpartition('.')[2]


def _model(model: dict[str, Any]) -> dict[str, Any]:
    """The model that an agent asks, under the agent's name."""
    return {**model['llm'], **{key: value for key, value in model.items() if key not in OF_AGENT}}


def _agent(model: dict[str, Any]) -> dict[str, Any]:
    """The agent of a model as an entry of `agents`."""
    kind = _kind(model)
    model = {**AGENT_DEFAULTS[kind], **model}
    name = str(model.get('agent_type', '')).rpartition('.')[2]
    if 'ReAct' not in name:
        raise CibenchError(
            f'models: {model.get("abbr")}: {kind} of {name or "no agent_type"}: only ReAct agents are '
            'run here; name the model itself, and agents=[…]'
        )
    protocol, tools = model.get('protocol') or {}, model.get('actions') or []
    try:
        begins = {part: protocol.get(part, {'begin': begin})['begin'] for part, begin in BEGINS.items()}
        labels = {LABELS.get(part, part): _label(begin) for part, begin in begins.items()}
        description = next((tool['description'] for tool in tools if tool.get('description')), '')
    except (AttributeError, KeyError, TypeError) as error:
        raise CibenchError(
            f'models: {model.get("abbr")}: {kind}: protocol and actions must be as lagent has them: '
            "protocol=dict(type=ReActProtocol, thought=dict(begin='Thought:', …), …), actions=[dict(type=…)]"
        ) from error
    if bare := [begin for begin in begins.values() if not begin.rstrip().endswith((':', '：'))]:
        raise CibenchError(
            f'models: {model.get("abbr")}: {kind}: protocol: {bare[0]!r}: replies are read here by words with a '
            'colon; name the model itself, and agents=[…]'
        )
    text = _text(protocol.get('call_protocol', 'lagent.agents.react.CALL_PROTOCOL_EN'))
    fields = {part: _field(LABELS.get(part, part), begin, labels) for part, begin in begins.items()}
    prompt = {'labels': labels, 'en': {'instructions': with_tool(text, description, fields)}}
    return {
        'abbr': 'react',
        'protocol': {'type': 'cibench_eval.agents.ReAct', 'prompt': prompt, 'prompt_language': 'en', 'example': False},
        'max_attempts': model['max_turn'],
        'history': 'final',
    }


def _field(name: str, begin: str, labels: Mapping[str, str]) -> str:
    """How the instructions have the beginning of a part: by its label, or in its own words where these are others."""
    return f'{{{name}}}:' if begin == f'{labels[name]}:' else begin


def _label(begin: str) -> str:
    """The word by which a part of a reply is read, without its colon."""
    return begin.strip().rstrip(':：').rstrip()


def _text(value: Any) -> str:
    """A text of a config: itself, or the constant of a module that the config imports, which is read as its name."""
    module, _, name = str(value).rpartition('.')
    named = name.isidentifier() and module.startswith(('opencompass.', 'lagent.'))
    return published_text(module, name) if named else str(value)


def with_our_stages(cfg: dict[str, Any]) -> dict[str, Any]:
    """A config whose stages have partitioners and tasks of this package in the place of OpenCompass's own."""
    made = {name: _stage(cfg[name], task) for name, task in TASKS.items() if isinstance(cfg.get(name), dict)}
    if changed := [name for name, stage in made.items() if stage != cfg[name]]:
        logger.info(
            "%s: OpenCompass's own partitioner and tasks know no agents and epochs; this program's take their place",
            ' and '.join(changed),
        )
    return {**cfg, **made}


def _stage(stage: dict[str, Any], task: str) -> dict[str, Any]:
    partitioner, runner = stage.get('partitioner'), stage.get('runner')
    made = dict(stage)
    if _of(partitioner, 'partitioners'):
        made['partitioner'] = {'type': f'{PACKAGE}.SessionPartitioner'}
    if isinstance(runner, dict):
        made['runner'] = dict(runner)
        if _of(runner.get('task'), 'tasks'):
            made['runner']['task'] = {'type': f'{PACKAGE}.{task}'}
        if str(runner.get('type')) in LOCAL_RUNNERS:
            made['runner']['type'] = f'{PACKAGE}.SessionRunner'
    return made


def _of(part: Any, package: str) -> bool:
    """Whether a part names a class of a package of OpenCompass."""
    return isinstance(part, dict) and str(part.get('type')).startswith(f'opencompass.{package}.')
