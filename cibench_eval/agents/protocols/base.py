"""What a protocol is: how the agent talks to the model, and what it reads out of a reply."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Literal, get_args

from cibench_eval.agents.plot_words import in_words
from cibench_eval.agents.prompts import Prompt, PromptSource, PromptTemplates, load_prompt
from cibench_eval.fences import blocks, first_outside
from cibench_eval.images import image_part, presentable
from cibench_eval.interpreter.interpreter import Interpreter
from cibench_eval.models.base import Tool
from cibench_eval.models.thinking import set_apart
from cibench_eval.rendering import fill, name_figures, render, shorten
from cibench_eval.schema import Action, CibenchError, Execution, Language, Message, Part, Reply, Step, joined

Figures = Literal['name', 'image', 'describe']
MOST_FIGURES = 4
"""Most figures of one output that are shown as images or described; all are named."""
NOTHING = '…'
"""The model's turn in the conversation if its reply is empty: servers refuse empty messages."""
CUT = 'The reply was cut before the code ended, so it was not run; write less.'
"""The problem of code that a limit cut."""
FILTERED = 'A content filter cut this code, so it was not run; write it in other words.'
END_NAMES = (
    r'im_end|eo[mst](?:_id)?|end|end_?of_?(?:text|turn)(?:_token)?|end▁of▁sentence|return|user|observation|action_end'
)
END_MARK = rf'<[|｜](?i:{END_NAMES})[|｜]>|<\|im_start\|>user|<start_of_turn>user|<end_of_turn>|</s>'
"""A mark of a chat template: of ChatML, Llama, GLM, Phi, DeepSeek, Command, Gemma and others."""
END_FOLLOWS = r'\s*(?:\Z|<[|｜](?!start\|)|</s>|(?:<s>\s*)?\[INST)'
"""The end of the text, or another mark. `<|start|>` begins a message of harmony, which may be the reply."""
TURN_END = re.compile(rf'(?:{END_MARK})(?={END_FOLLOWS})|(?!</s>)(?:{END_MARK})(?=[ \t]*$)', re.MULTILINE)
"""A mark before another, or at the end of a line; `</s>` there may be HTML."""


@dataclass(frozen=True)
class ParsedReply:
    """What a protocol has read out of a reply."""

    reply: Reply
    """The reply, its thinking set apart."""
    actions: list[Action]
    """What it asks for, in order: one action, or one for each of its calls."""
    kept: Message
    """The model's turn as it stays in the conversation."""

    @property
    def counts(self) -> int:
        """The place of the action that counts: the last one with code, or the first."""
        return max((place for place, action in enumerate(self.actions) if action.code is not None), default=0)

    @property
    def action(self) -> Action:
        """The action that counts."""
        return self.actions[self.counts]

    async def run(self, interpreter: Interpreter) -> list[Execution | None]:
        """Run all code in order; return the execution of each action, None where it has no code."""
        return [None if one.code is None else await interpreter.run(one.code) for one in self.actions]


@dataclass(frozen=True)
class AgentProtocol(ABC):
    """Prompt, reply grammar and observation format. It holds no state of a session."""

    own_prompt: ClassVar[str]
    """The file in `agents/prompts` with the protocol's own prompt, without its suffix."""

    prompt: PromptSource = 'ours'
    """`ours`, the protocol's own; or a YAML file or a dict (`cibench_eval.agents.prompts`)."""
    prompt_language: Language | None = None
    """Language of the prompt; None is the experiment's."""
    observation_limit: int = 1024
    """Characters of an output that the model sees, from head and tail; scoring sees all."""
    explore: bool = False
    """Whether a step goes on after code that ran, so that a model can look at the data first. It then ends with an
    answer without code, or with the last attempt; the output of the last code is the answer."""
    retries: bool = True
    """Whether the model is asked again after code that failed, or a reply without a call."""
    figures: Figures = 'name'
    """What the model sees of an output's figures: `name` their names alone (`[figure 1: 640 × 480]`), `image` also the
    first four themselves, `describe` also a description of these four."""
    figure_side: int = 768
    """Most pixels of an image's longer side; larger figures are scaled down."""
    max_images: int = 8
    """Most images in a request; it keeps the last ones."""
    name: str = ''
    """The name of the protocol in results."""
    texts: Prompt = field(init=False, repr=False, compare=False)
    """The texts of the prompt, read when the protocol is made."""

    def __post_init__(self) -> None:
        if self.prompt_language not in (None, 'en', 'cn'):
            raise CibenchError(f"agents: prompt_language is {self.prompt_language!r}; it must be 'en', 'cn' or None")
        if self.figures not in get_args(Figures):
            raise CibenchError(f"agents: figures is {self.figures!r}; it must be 'name', 'image' or 'describe'")
        for setting in ('observation_limit', 'figure_side', 'max_images'):
            number = getattr(self, setting)
            if not isinstance(number, int) or number < 1:
                raise CibenchError(f'agents: {setting} is {number!r}; it must be a whole number, at least 1')
        object.__setattr__(self, 'texts', self._load())  # the only way to set a field of a frozen dataclass

    def _load(self) -> Prompt:
        return load_prompt(self.prompt, self.own_prompt)

    @property
    def stop(self) -> Sequence[str]:
        """Texts at which the model has to stop, so that it does not write the tool's answer itself."""
        return ()

    def tools(self, language: Language) -> Sequence[Tool]:
        """Functions that a request offers to the model; none where the prompt describes the tool."""
        return ()

    def opening(self, language: Language) -> list[Message]:
        """The messages at the start of every conversation: the instructions and, if configured, a worked example."""
        templates = self.templates(language)
        instructions = self.texts.instructions(self.prompt_language or language, explore=self.explore)
        system: list[Message] = [{'role': 'system', 'content': templates.system}] if templates.system else []
        return [*system, {'role': templates.role, 'content': instructions}]

    def ask(self, question: str, language: Language) -> list[Message]:
        """The messages of a question."""
        return [{'role': 'user', 'content': fill(self.templates(language).question, question=question)}]

    def named(self, step: Step, language: Language) -> str:
        """A step's question after the names of the files that come with it."""
        templates = self.templates(language)
        names = ', '.join(fill(templates.file_name, file=name) for name in step.files)
        form = templates.several_files if len(step.files) > 1 else templates.one_file
        return (fill(form, files=names) if names else '') + step.question

    def parse(self, reply: Reply) -> ParsedReply:
        """What a reply asks for. Any reply is accepted; a fault in it becomes `Action.problem`."""
        parsed = self.read(_ended(set_apart(reply)))
        if parsed.action.problem and reply.finish_reason == 'content_filter':
            first, *others = parsed.actions
            return replace(parsed, actions=[first.model_copy(update={'problem': FILTERED}), *others])
        return parsed

    @abstractmethod
    def read(self, reply: Reply) -> ParsedReply:
        """Parse a reply whose thinking is set apart, up to the end of the model's turn."""

    def exchange(
        self, parsed: ParsedReply, executions: Sequence[Execution | None], language: Language
    ) -> list[Message]:
        """The messages of an attempt: the model's turn, then what it is shown of each action's execution."""
        if parsed.action.final:
            return [parsed.kept]
        done = zip(parsed.actions, executions, strict=True)
        observed = [self.observe(action, execution, language) for action, execution in done]
        images = [part for execution in executions for part in self._images(execution, language)]
        return [parsed.kept, *with_images(self.answers(parsed.kept, observed), images)]

    def answers(self, kept: Message, observed: list[str]) -> list[Message]:
        """The messages that answer the model's turn `kept`; `observed` has a text for each of its calls."""
        return [{'role': 'user', 'content': text} for text in observed]

    def observe(self, action: Action, execution: Execution | None, language: Language) -> str:
        """What the model is shown after its reply: the output of its code, or why none ran."""
        return action.problem if execution is None else self.shown(execution, language)

    @abstractmethod
    def gold(self, step: Step) -> Reply:
        """The reply of a perfect model: the gold thought and code."""

    @property
    def closing(self) -> Reply:
        """The reply with which a perfect model ends a step with `explore`."""
        return Reply(text='OK.')

    def templates(self, language: Language) -> PromptTemplates:
        """The texts of the prompt for an experiment in `language`."""
        return self.texts.templates(self.prompt_language or language)

    def identity(self, language: Language) -> dict[str, Any]:
        """Everything that decides what is said in a session. A prompt counts by its text, not by its place."""
        names = [field.name for field in fields(self) if field.name not in ('prompt', 'texts')]
        return {
            'protocol': type(self).__name__,
            **{name: getattr(self, name) for name in names},
            'tool': self.texts.tool,
            'labels': dict(self.texts.labels),
            'stop': list(self.stop),
            'tools': list(self.tools(language)),
            'opening': self.opening(language),
            'templates': self.templates(language).model_dump(),
        }

    def shown(self, execution: Execution, language: Language) -> str:
        """The text of an execution within `observation_limit` characters, and a line for each figure; never empty."""
        templates = self.templates(language)
        text = shorten(render(execution), self.observation_limit)
        names = name_figures(execution, templates.figure)
        if self.figures == 'describe':
            for index, figure in enumerate(execution.figures[:MOST_FIGURES]):
                names[index] = '\n'.join(filter(None, [names[index], in_words(figure.plot, language)]))
        return '\n\n'.join(filter(None, [text, '\n'.join(names)])) or templates.silent

    def _images(self, execution: Execution | None, language: Language) -> list[Part]:
        """The readable figures of an output as images, each after its name."""
        if execution is None or self.figures != 'image':
            return []
        parts: list[Part] = []
        names = name_figures(execution, self.templates(language).figure)
        for figure, name in list(zip(execution.figures, names, strict=True))[:MOST_FIGURES]:
            if png := presentable(figure.data, self.figure_side):
                parts += [{'type': 'text', 'text': name}] if name else []
                parts.append(image_part(png))
        return parts


@dataclass(frozen=True)
class TextProtocol(AgentProtocol, ABC):
    """A protocol whose calls and outputs are texts; `example` opens the conversation with the prompt's."""

    example: bool = True

    def opening(self, language: Language) -> list[Message]:
        example = self.templates(language).example if self.example else None
        if not example:
            return super().opening(language)
        call: Message = {'role': 'assistant', 'content': self.call(example.thought, example.code)}
        output: Message = {'role': 'user', 'content': self.output(example.output, language)}
        return [*super().opening(language), *self.ask(example.question, language), call, output]

    def gold(self, step: Step) -> Reply:
        return Reply(text=self.call(step.thought.strip(), step.code))

    @abstractmethod
    def call(self, thought: str, code: str) -> str:
        """A reply that runs `code`."""

    @abstractmethod
    def output(self, text: str, language: Language) -> str:
        """What the model is shown, made of the text of an output."""


def _ended(reply: Reply) -> Reply:
    """`reply` up to the end of the model's turn; what stands in a whole fenced block is code, and no mark.

    Some servers leave the mark at which they stop; others go on, and let the model write the user's next turn, too.
    """
    text = reply.text
    if not TURN_END.search(text):
        return reply
    mark = first_outside(TURN_END, text, [(block.start, block.end) for block in blocks(text) if block.closed])
    if mark is None:
        return reply
    finish = 'stop' if reply.finish_reason == 'length' else reply.finish_reason
    return reply.model_copy(update={'text': text[: mark.start()], 'finish_reason': finish})


def with_images(answers: list[Message], images: list[Part]) -> list[Message]:
    """The messages that answer a turn, with images at their end.

    APIs take only text as the answer to a call, so there the images follow in a message of the user.
    """
    if not images:
        return answers
    last = answers[-1]
    if last['role'] != 'user':
        return [*answers, {'role': 'user', 'content': images}]
    return [*answers[:-1], {**last, 'content': joined(last['content'], images)}]


def assistant(text: str) -> Message:
    """The model's turn: `text`, or NOTHING if that is empty."""
    return {'role': 'assistant', 'content': text.strip() or NOTHING}
