"""Prompts: everything that agents say to models, in YAML files.

A file here is the own prompt of a protocol (`prompt='ours'`). An agent's config can name another file
(`prompt='my/prompt.yaml'`), or hold its content as a dict:

    tool: IPythonInterpreter          # the tool's name in the conversation
    labels: {thought: Thought, …}     # the words that mark the parts of a reply: action, action_input, response, final
    en:                               # for experiments in English
      instructions: …                 # and the other fields of PromptTemplates
    cn: …                             # for experiments in Chinese

Missing texts are taken from the protocol's own prompt, then from `common.yaml`. In `instructions`, `{tool}` and the
names of labels in braces stand for the tool and the labels; all other braces are text.

Prompts decide scores, so their text is part of the identity of sessions.
"""

import functools
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import Field, ValidationError

from cibench_eval.agents.parsing.grammar import Labels
from cibench_eval.rendering import fill
from cibench_eval.schema import INTERPRETER, CibenchError, Language, Record, problem

PromptSource = str | dict[str, Any]
"""A prompt: `ours`, the path of a YAML file, or the content of such a file."""
OWN = 'ours'


class Example(Record):
    """A worked example of a step."""

    question: str
    thought: str
    code: str
    output: str


class PromptTemplates(Record):
    """The texts of a prompt in one language."""

    instructions: str = Field(min_length=1)
    """How to use the tool."""
    explore: str = ''
    """Further instructions where a model may run code several times at a question."""
    role: Literal['system', 'user'] = 'system'
    """The role of the instructions. Instructions of the user join the first question."""
    system: str = ''
    """A system message before the instructions."""
    question: str = '{question}'
    """The form of a question."""
    one_file: str = '{files}: '
    """The text before a question that comes with a file."""
    several_files: str = '{files}: '
    """The text before a question that comes with several files."""
    file_name: str = '{file}'
    """The form of each file name."""
    example: Example | None = None
    silent: str = Field(min_length=1)
    """The output of code that ran and showed nothing."""
    figure: str
    """The name of a figure after the text of an output, by its `{number}`, `{width}` and `{height}`."""
    left_out: str = Field(min_length=1)
    """In place of an output that was left out of a request, because the model's window is too small."""
    description: str = ''
    """The description of the tool, where requests offer it as a function."""
    argument: str = ''
    """The description of that function's parameter."""


class Prompt(Record):
    """A prompt: the words of its format, and its texts in each language."""

    tool: str = Field(default=INTERPRETER, min_length=1)
    labels: Labels = Labels()
    en: PromptTemplates
    cn: PromptTemplates

    def templates(self, language: Language) -> PromptTemplates:
        """The texts in `language`."""
        return self.en if language == 'en' else self.cn

    def instructions(self, language: Language, *, explore: bool = False) -> str:
        """The instructions, with those for models that may explore, filled in with the tool's name and the labels."""
        templates = self.templates(language)
        text = '\n\n'.join(filter(None, [templates.instructions, templates.explore if explore else '']))
        return fill(text, tool=self.tool, **dict(self.labels))


def load_prompt(source: PromptSource, own: str) -> Prompt:
    """The prompt that a config names; `own` is the file here with the protocol's own one, without suffix.

    Raises:
        CibenchError: there is no such file, or it is no prompt.
    """
    name = source if isinstance(source, str) else 'of the config'
    try:
        return Prompt.model_validate(_merged(packaged('common'), packaged(own), _chosen(source, name)))
    except ValidationError as error:
        example = Path(__file__).with_name(f'{own}.yaml')
        raise CibenchError(f'agents: prompt {name}: {problem(error)}; compare {example}') from error


@functools.cache
def packaged(name: str) -> dict[str, Any]:
    """The content of a file of this package."""
    return _mapping(_content(Path(__file__).with_name(f'{name}.yaml')), name)


def _chosen(source: PromptSource, name: str) -> dict[str, Any]:
    if source == OWN:
        return {}
    return _mapping(_content(Path(source).expanduser()) if isinstance(source, str) else source, name)


def _content(path: Path) -> object:
    try:
        return yaml.safe_load(path.read_text(encoding='utf-8'))
    except FileNotFoundError as error:
        raise CibenchError(
            f"agents: prompt is {str(path)!r}; it must be 'ours', 'paper' (of ReAct) or a YAML file that is there"
        ) from error
    except yaml.MarkedYAMLError as error:
        at = f', line {error.problem_mark.line + 1}' if error.problem_mark else ''
        raise CibenchError(f'agents: prompt {path}{at}: not YAML: {error.problem}') from error
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise CibenchError(f'agents: prompt {path} cannot be read: {" ".join(str(error).split())}') from error


def _mapping(content: object, name: str) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise CibenchError(f'agents: prompt {name}: it must be a mapping with en and cn, not {type(content).__name__}')
    return content


def _merged(*layers: dict[str, Any]) -> dict[str, Any]:
    """All keys of all layers. The last layer with a key counts; mappings are merged key by key."""
    merged: dict[str, Any] = {}
    for key, value in ((key, value) for layer in layers for key, value in layer.items()):
        before = merged.get(key)
        merged[key] = _merged(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return merged
