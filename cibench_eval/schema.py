"""The words of the project as types: what is asked, what the model did, what it is worth.

Everything that is written to disk between the floors (traces, scores) is one of these models, so
`model_dump_json` and `model_validate_json` are the file formats. Figures are written as files named
by content hash; the JSON carries the hash only.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from typing_extensions import TypedDict  # typing's own, before Python 3.12, is refused by pydantic

from cibench_eval.files import write_whole
from cibench_eval.plots import Plot, plot_file

StepKind = Literal['exec', 'num', 'text', 'vis', 'general', 'math', 'plot']
"""What of a step is compared: `exec` no output, `num` values, `text` prose or names, `vis` figures. `general` is what a
step is when its notebook states no kinds and its gold output is text. `math` is a word problem whose answer the model
says at the end; `plot` asks for a figure, and there is no gold one."""
Mode = Literal['end_to_end', 'oracle']
Language = Literal['en', 'cn']
History = Literal['final', 'all']
"""Which attempts at an earlier step a request shows: the last one (as the paper's harness), or each."""
ExecutionStatus = Literal['ok', 'error', 'timeout', 'kernel_died']
OutputType = Literal['stdout', 'stderr', 'execute_result', 'display_data']
REQUEST_ID = re.compile(
    r'\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}|req(?:uest)?[-_](?=\w*\d)\w{6,})\b', re.I
)
"""Names that endpoints give to single requests, and put into their errors."""
MEND = 'going on with the run (-r) runs its session again'
"""What is done about a damaged file of a session."""
StepOutcome = Literal['correct', 'wrong', 'ran', 'exec_error', 'timeout', 'no_tool', 'kernel_died']
NO_FAILURE: tuple[StepOutcome, ...] = ('correct', 'ran')
"""How a step ends that the model has not failed."""

INTERPRETER = 'IPythonInterpreter'
"""The one tool of the benchmark, by the name that prompts and prediction files use."""


def unicode_text(text: str) -> str:
    """`text` with lone surrogates replaced: models and their code can make them, no file can hold them."""
    return text.encode('utf-16', 'surrogatepass').decode('utf-16', 'replace')


def _as_unicode(value: Any) -> Any:
    return unicode_text(value) if isinstance(value, str) else value  # what is no text is refused after this


def _below(path: str) -> str:
    if path.startswith('/') or '..' in path.split('/') or '\0' in path:
        raise ValueError('it leads out of a folder')
    return path


Text = Annotated[str, BeforeValidator(_as_unicode)]
"""Text that came from a model or its code."""
Place = Annotated[str, AfterValidator(_below)]
"""The name of an experiment, with slashes, by which files are called. It may come from a stranger's file."""


class CibenchError(Exception):
    """Bad input or a missing part: one line that names the thing, the cause and the fix."""


class HarnessError(CibenchError):
    """Our own fault or the machine's: reported and excluded, never a score."""


class DamageError(HarnessError):
    """A file is not what was written into it: what it held is lost, and no score is made of it."""


class OtherVersionError(CibenchError):
    """Sessions are of another version of their set than the notebooks: their scores stay as they are."""


class SetGoneError(CibenchError):
    """The experiments of a dataset are not where they were: what is recorded of them stays as it is."""


class SessionsError(HarnessError):
    """Sessions of a dataset failed.

    Args:
        message: how many, which, and why.
        cause: why alone: the same text for all datasets whose sessions failed for one reason.
    """

    def __init__(self, message: str, cause: str) -> None:
        super().__init__(message)
        self.cause = cause


def cause_of(error: CibenchError) -> str:
    """Why something failed: the same text for all that failed for one reason."""
    return one_cause(error.cause if isinstance(error, SessionsError) else str(error))


def one_cause(text: str) -> str:
    """What an error says without the ids of single requests, so that one cause is one, however often it is met."""
    return REQUEST_ID.sub('…', ' '.join(text.split()))


def some_of(names: Sequence[str], first: int = 3) -> str:
    """The first names of a list, and how many more there are."""
    more = len(names) - first
    return ', '.join(names[:first]) + (f' and {more} more' if more > 0 else '')


class RunOverError(HarnessError):
    """No further session can be run with this model."""


class RefusedError(HarnessError):
    """An endpoint has refused a request, and would refuse it again; others it may answer."""


class UnreachableError(HarnessError):
    """Endpoint unreachable; retrying cannot help."""


PROBLEMS = {
    'dict_type': 'is no mapping',
    'extra_forbidden': 'is unknown',
    'missing': 'is missing',
    'model_attributes_type': 'is no mapping',
    'model_type': 'is no mapping',
}
"""pydantic's error type -> what is wrong with a field."""


def problem(error: Exception) -> str:
    """What an error says; of data that do not validate, the first field that is wrong, and why."""
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_input=False)[0]
    place, words = '.'.join(map(str, first['loc'])), PROBLEMS.get(first['type'])
    if words:
        return f'{place or "it"} {words}'
    said = first['msg'].removeprefix('Value error, ').replace('Input should be', 'it must be')
    return f'{place}: {said}'.lstrip(': ')


class Record(BaseModel):
    """Base of all records: unknown fields are refused, so a typo in a file cannot pass unseen."""

    model_config = ConfigDict(extra='forbid', frozen=True)


def figure_hash(png: bytes, described: bytes = b'') -> str:
    """The name of a figure: the hash of its PNG, together with its description if it has one."""
    if described:
        png = hashlib.sha256(png).digest() + hashlib.sha256(described).digest()
    return hashlib.sha256(png).hexdigest()


class Figure(Record):
    """A PNG that a code block showed. `data` and `described` stay in memory; files carry the hash."""

    sha256: str = Field(pattern='^[0-9a-f]{64}$')
    """Its `figure_hash`; of the PNG alone in a gold notebook, and in a run before November 2026."""
    data: bytes = Field(default=b'', exclude=True, repr=False)
    described: bytes = Field(default=b'', exclude=True, repr=False)
    """What it shows, as `Plot.json_bytes`, empty where that is not known. A Plot takes 15 times the memory."""

    @classmethod
    def of(cls, data: bytes, plot: Plot | None = None) -> Figure:
        described = plot.json_bytes() if plot else b''
        return cls(sha256=figure_hash(data, described), data=data, described=described)

    @property
    def plot(self) -> Plot | None:
        """What it shows, read anew each time; None where that is not known."""
        return Plot.read(self.described) if self.described else None

    @property
    def filename(self) -> str:
        return f'{self.sha256}.png'

    def check(self, folder: Path) -> None:
        """See that its files in `folder` are what was written; of an older run, that its PNG is.

        Raises:
            DamageError: they are not.
        """
        path = folder / self.filename
        try:
            png = path.read_bytes()
            described = plot_file(path).read_bytes() if plot_file(path).exists() else b''
        except OSError as error:
            raise DamageError(f'{error.filename}: {error.strerror}; {MEND}') from error
        if self.sha256 not in (figure_hash(png), figure_hash(png, described)):
            raise DamageError(f'{path}: it, or the description beside it, is not what was written; {MEND}')

    def save(self, folder: Path) -> Path:
        """Write the PNG into `folder` under its hash, and what it shows beside it; return the PNG's path.

        What is there stays, unless a crash of the machine has left something else in its place.
        """
        path = folder / self.filename
        for file, content in ((plot_file(path), self.described), (path, self.data)):
            if content and not (file.is_file() and file.read_bytes() == content):
                write_whole(file, content)
        return path


class Output(Record):
    """One thing a code block showed; a list of them keeps the order in which they came."""

    type: OutputType
    text: Text = ''
    html: Text | None = None
    figure: Figure | None = None


OBJECT = re.compile(
    r'<(?!NA>$)[^\n]*>|<[^\n]* object>\n.*|array\(\[+<(?!NA>).*>\]+, dtype=object\)'
    r'|(?:[HV]Box|(?:Int|Float)(?:Progress|Slider)|Dropdown|Output|interactive|Figure(?:Widget)?)\(.*\)'
    r'|(?=[^\n]*\]\Z)[^\n]*\[[0-9]{2}:[0-9:]{2,5}[<,][^\n]*\]',  # 3/10 [00:01<00:02, 3.1it/s]
    re.DOTALL,
)
"""The plain text of a display that shows a plot, a document, a widget or a bar of progress."""


def told(outputs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield type and text of each output that may be an answer; displays that follow each other are one."""
    for kind, run in groupby(filter(itemgetter(1), outputs), itemgetter(0)):
        texts = [text for _, text in run]
        if kind in ('stdout', 'execute_result'):
            yield from ((kind, text) for text in texts)
        elif kind == 'display_data' and (words := [one for one in texts if not OBJECT.fullmatch(one.strip())]):
            yield kind, ''.join(f'{one}\n' for one in words)


class ExecutionError(Record):
    """The exception that ended a code block; the traceback is free of ANSI codes."""

    name: Text
    value: Text
    traceback: Text = ''

    @property
    def summary(self) -> str:
        return f'{self.name}: {self.value}'

    @property
    def text(self) -> str:
        """Its traceback, or its summary where there is none."""
        return self.traceback or self.summary


class Execution(Record):
    """What one code block did in the kernel."""

    status: ExecutionStatus
    outputs: list[Output] = []
    error: ExecutionError | None = None
    seconds: float = 0.0
    truncated: bool = False
    """Whether some output is missing: it was over a cap, or was lost on its way."""
    recovery: float = 0.0
    """Seconds that it took before, to bring a new kernel to the state in which the last one had died."""

    @property
    def stdout(self) -> str:
        return ''.join(o.text for o in self.outputs if o.type == 'stdout')

    @property
    def stderr(self) -> str:
        return ''.join(o.text for o in self.outputs if o.type == 'stderr')

    @property
    def result(self) -> str | None:
        """text/plain of the last expression, None where there was none."""
        return next((o.text for o in reversed(self.outputs) if o.type == 'execute_result'), None)

    @property
    def told(self) -> list[tuple[str, str]]:
        """Type and text of its outputs that may be an answer."""
        return [*told((o.type, o.text) for o in self.outputs if not (o.figure and o.type == 'display_data'))]

    @property
    def answer(self) -> str:
        """What it printed and displayed, and the text of the last expression, in the order in which they came."""
        runs = groupby(self.told, itemgetter(0))
        return '\n'.join(('\n' if kind == 'execute_result' else '').join(text for _, text in run) for kind, run in runs)

    @property
    def figures(self) -> list[Figure]:
        return [o.figure for o in self.outputs if o.figure]


class UpstreamGold(Record):
    """What OpenCompass's own loader makes of a gold cell."""

    kind: StepKind
    output: str | None
    """None where it sees no output."""


HeldOutMetric = Literal['mae', 'rmse', 'accuracy']


class HeldOut(Record):
    """Labels that no code sees, and how near to them an answer has to come."""

    metric: HeldOutMetric
    """`mae` and `rmse` of numbers, at most `bound`; `accuracy` of texts, at least `bound`."""
    bound: float
    labels: list[float] | list[str] = Field(min_length=1)


class GivenCall(Record):
    """A call of the interpreter that a question comes with: the model goes on from what it showed."""

    thought: str = ''
    code: str


AnswerKind = Literal['count', 'real', 'probability', 'date', 'text', 'list', 'set', 'table', 'array', 'model']


class Answer(Record):
    """What a variable holds in which a question wants its answer, and what of that has to be the gold's."""

    kind: AnswerKind
    """`count` a whole number, `real` a number, `probability` how sure one is of what the gold has as 0 or 1, `date`,
    `text`; `list` values in their order, `set` values in any order, `table` values by name, or a DataFrame with rows in
    any order; `array` numbers in a shape; `model` an estimator."""
    decimals: int | None = Field(default=None, ge=0, le=15)
    """The decimals of a `real` that the question asks for. The variable may be rounded to them or not."""
    relative: float | None = Field(default=None, ge=0, lt=1)
    absolute: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    """Its tolerance, in place of the step's own or the profile's."""
    unit: str = ''
    """The unit that the question asks for."""
    of: list[Answer] = []
    """What is in a container: one for all of its values, or one for each."""


class Step(Record):
    """One question of an experiment and its gold answer."""

    index: int
    question: str
    code: str
    thought: str = ''
    kind: StepKind
    modules: list[str] = []
    files: list[str] = []
    """Names of the files that come with the question, where the agent is to name them to the model."""
    given: GivenCall | None = None
    """A call that is made, and shown to the model, before it is asked."""
    text: str | None = None
    """The gold output where it is text: the last stdout, result or display of text of the gold cell."""
    figure: Figure | None = None
    """The gold output where the kind is `vis`: the first PNG of the gold cell."""
    more_figures: list[Figure] = Field(default=[], exclude=True)
    """Its further PNGs. Like `tolerance` they matter to scores alone, so they are no part of what a session is."""
    tolerance: float | None = Field(default=None, exclude=True)
    """Relative tolerance of numbers in this step, None for the scoring profile's own."""
    absolute: float = Field(default=0.0, exclude=True)
    """Absolute tolerance of numbers in this step, in place of the relative one; 0 where there is none."""
    listed: bool = Field(default=False, exclude=True)
    """Whether the gold text is a list of names, whose entries count in their places."""
    answers: dict[str, Answer] = Field(default={}, exclude=True)
    """The variables in which the question wants its answer; empty where it wants it shown alone."""
    depends: list[int] = Field(default=[], exclude=True)
    """The earlier steps, counted from 1, that told what the answer is made of; empty where that is not known."""
    held_out: HeldOut | None = Field(default=None, exclude=True)
    """On which labels the answer is scored, in place of the gold's values."""
    state: dict[str, Any] | None = Field(default=None, exclude=True)
    """What the variables hold after the gold code that are asked for, as in `StepTrace`; None where it is not known."""
    upstream: UpstreamGold | None = Field(default=None, exclude=True)
    """Where OpenCompass's loader reads another kind or output off the gold cell: what the `official` profile scores."""

    @property
    def as_upstream(self) -> Step:
        """The step as OpenCompass's loader gives it."""
        if self.upstream is None:
            return self
        gold = {'kind': self.upstream.kind, 'text': self.upstream.output}
        return self.model_copy(update={**gold, 'figure': None, 'more_figures': []})

    @property
    def figures(self) -> list[Figure]:
        """All figures of the gold output."""
        return [*([self.figure] if self.figure else []), *self.more_figures]


class Experiment(Record):
    """One gold notebook: ordered steps over data files in a working directory."""

    id: str
    """Folder and name below the split, e.g. `pandas/penguins`."""
    path: Path
    language: Language
    steps: list[Step]
    typed: bool
    """Whether the notebook states the kind of each step (`step_types`) or it was read off the outputs."""
    datasources: Path | None = None
    """Folder whose content is the working directory of the code, holding `data/`."""
    setup: str = ''
    """Code that runs before the first step; no model sees it."""
    max_attempts: int | None = None
    """Attempts at a step, at most, where the benchmark has fewer than the agent."""
    environment: str | None = Field(default=None, exclude=True)
    """Name of the kernel environment whose gold outputs these are, where the notebook states one."""
    version: str = Field(default='', exclude=True)
    """The version of the set, where the notebook states one."""


class TextPart(TypedDict):
    """Text inside a message."""

    type: Literal['text']
    text: str


class ImageURL(TypedDict):
    url: str
    """A `data:` URL with its content, in a request; in a trace the path of its file beside it: `figures/….png`."""


class ImagePart(TypedDict):
    """An image inside a message, as the OpenAI API writes it."""

    type: Literal['image_url']
    image_url: ImageURL


class ReasoningPart(TypedDict):
    """What a model thought before it answered, for endpoints that want it back."""

    type: Literal['reasoning']
    text: str
    blocks: NotRequired[list[dict[str, Any]]]
    """Signed or encrypted thinking; see `Reply.reasoning_blocks`."""


Part = TextPart | ImagePart | ReasoningPart
Content = str | list[Part]
"""What a message says: text, or a list of parts."""


def parts_of(content: Content) -> list[Part]:
    """The parts of a message; plain text is one."""
    return [{'type': 'text', 'text': content}] if isinstance(content, str) else content


def joined(*contents: Content) -> Content:
    """Several contents as one: texts with an empty line between them, parts in their order."""
    texts = [content for content in contents if isinstance(content, str)]
    if len(texts) == len(contents):
        return '\n\n'.join(texts)
    return [part for content in contents for part in parts_of(content)]


class Message(TypedDict):
    """One turn of a chat, as chat completion APIs take it."""

    role: Literal['system', 'user', 'assistant', 'tool']
    content: Content
    tool_calls: NotRequired[list[dict[str, Any]]]
    """The tools that an assistant called, as the OpenAI API writes them."""
    tool_call_id: NotRequired[str]
    """The call that a tool answers."""


def images_of(message: Message) -> list[ImagePart]:
    content = message['content']
    return [] if isinstance(content, str) else [part for part in content if part['type'] == 'image_url']


class GenerationConfig(TypedDict, total=False):
    """Sampling settings, by the names of the OpenAI API."""

    temperature: float
    top_p: float
    max_tokens: int
    max_completion_tokens: int
    seed: int
    stop: list[str]
    reasoning_effort: str
    thinking: dict[str, Any]
    """How much a model thinks, as the Messages API or Gemini's has it."""
    extra_body: NotRequired[dict[str, Any]]


class ToolCall(Record):
    """A function call, for models that are trained to make them."""

    id: Text
    name: Text
    arguments: Text
    """The arguments as the model wrote them: JSON, if it kept to the format."""


class Reply(Record):
    """What a model answered to one list of messages."""

    text: Text
    reasoning: Text = ''
    """What the model thought, where the endpoint or marks in the text (`split_thinking`) set it apart. It is never run
    as code. Later requests repeat it to models that want it back."""
    reasoning_blocks: list[dict[str, Any]] = []
    """The thinking as the API wants it back word for word, signed or encrypted; empty if it wants text or nothing."""
    tool_calls: list[ToolCall] = []
    finish_reason: Text = 'stop'
    """`stop`, `tool_calls`, `length` (cut at the limit of a reply), `content_filter` (the service let none through),
    `context_overflow` (the messages do not fit into the model's window, so there is no reply), or
    `malformed_function_call` (the service could not read its call). Where the service ended it, there is no reply."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    cached_tokens: int | None = None
    """How many of `tokens_in` came from the endpoint's own cache of prompts; None if it does not say."""
    reasoning_tokens: int | None = None
    """How many of `tokens_out` went into thinking; None if the endpoint does not say."""
    seconds: float = 0.0
    """Seconds that the answered request took."""
    first_token: float | None = None
    """Seconds until its first token came; None where the reply was not streamed."""
    waited: float = 0.0
    """Seconds before that request: rate limits, failed tries and the waits after them."""
    cached: bool = False
    """Whether it came from the reply cache: nothing was asked and nothing paid."""
    replies: int = 1
    """How many replies its tokens and seconds are of, as where an agent asks several times before it runs code."""

    @property
    def cut(self) -> bool:
        """Whether it ends where a limit or a filter stopped it: code without an end may lack a half."""
        return self.finish_reason in ('length', 'content_filter')

    @property
    def silent(self) -> bool:
        """Whether the model ended the reply itself with no text, thought or call. A thought alone may have been cut."""
        return self.finish_reason == 'stop' and not (self.text.strip() or self.reasoning.strip() or self.tool_calls)


class Action(Record):
    """What a protocol read out of a reply."""

    thought: str = ''
    tool: str | None = None
    """Name of the tool that was called as the reply has it; None where no tool was called."""
    argument: str = ''
    """The tool's input as the reply has it."""
    code: str | None = None
    """The code to run, taken out of `argument`; None where there is nothing to run."""
    final: bool = False
    """Whether the model ended the step with an answer instead of a tool call."""
    problem: str = ''
    """Why nothing is run, in words for the model; empty where there is code to run."""
    repaired: bool = False
    """Whether `argument` should be JSON and is not, so that `code` is what was probably meant."""


class Call(Record):
    """What a reply asks for, and what came of it."""

    action: Action
    execution: Execution | None = None

    @property
    def ran(self) -> bool:
        """Whether its code ran without error."""
        return self.execution is not None and self.execution.status == 'ok'


class Attempt(Call):
    """One model reply and what came of it. Of several calls the last one with code is what counts."""

    reply: Reply
    others: list[Call] = []
    """The other calls of the reply, in their order. What of them ran, ran before the one that counts."""
    messages: list[Message] = []
    """What it added to the conversation: the model's turn as later requests have it, then what the model was shown."""
    without: int = 0
    """Parts of the conversation that were left out of the request because the model's window is too small."""

    @property
    def runs(self) -> list[tuple[str, Execution]]:
        """The code of every call that ran, in their order, with what it did; what counts comes last."""
        calls = [*self.others, self]
        return [(call.action.code or '', call.execution) for call in calls if call.execution]


AGENT_FAILED = 'the agent failed: '
"""How `StepTrace.ended` begins where an agent raised."""


class StepTrace(Record):
    """One step of a session: the question and every attempt at it."""

    index: int
    question: str
    asked: list[Message] = []
    """The question as it was put to the model."""
    attempts: list[Attempt]
    ended: str = ''
    """The limit of the session that ended the step, in words, or how its agent failed; empty if neither did."""
    state: dict[str, Any] | None = None
    """What the variables held after it that are asked for (`states.States` as JSON has it); None where none are."""
    hashes: dict[str, str] = {}
    """A hash of what each variable held after it that its question or an earlier one asked for, declared answers aside:
    empty if it was not there, `states.UNREADABLE` if it could not be read. In oracle mode there are none."""

    @property
    def agent_failed(self) -> bool:
        return self.ended.startswith(AGENT_FAILED)

    @property
    def runs(self) -> list[tuple[str, Execution]]:
        """All code that ran at this step, in its order, with what it did."""
        return [run for attempt in self.attempts for run in attempt.runs]

    @property
    def figures(self) -> list[Figure]:
        """All figures that its code showed, in their order."""
        return [figure for _, execution in self.runs for figure in execution.figures]


SET_VERSION = 'set_version'
"""Key of a trace's provenance: the version of the set whose notebook it is of."""


class Trace(Record):
    """The record of one session, whole. `agents.transcript.request_of` makes each of its requests again."""

    version: Literal[2] = 2
    """Version of the format."""
    experiment: Place
    model: str
    dataset: str
    mode: Mode
    protocol: str
    max_attempts: int
    epoch: int = 1
    """Which of several runs of the same session this is; `dataset` names it, too (`demo@2`)."""
    opening: list[Message] = []
    """The messages with which every request began: instructions and, if configured, a worked example."""
    tools: list[dict[str, Any]] = []
    """The functions that every request offered, as the OpenAI API describes them."""
    history: History = 'final'
    """Which attempts at a step later requests showed."""
    left_out: str = ''
    """What stood in a request in the place of an output that was left out of it."""
    max_images: int = 0
    """Images that a request showed at most: the last ones."""
    gold: list[list[Message]] = []
    """In oracle mode, what stood for the attempt at each step in the requests of later ones: the gold's own turn, then
    what its code showed. It ends with the last step that was needed."""
    steps: list[StepTrace]
    started: str
    """UTC, ISO 8601."""
    seconds: float
    provenance: dict[str, str] = {}
    """What the figures depend on: kernel environment, sandbox, package versions."""
    identity: dict[str, str] = {}
    """Hashes of what the session was run with: model, agent, kernels, experiment."""


class Forecast(Record):
    """How sure an answer is of something, and whether it is so."""

    probability: float = Field(ge=0, le=1)
    true: bool


class StepScore(Record):
    """What one step is worth."""

    experiment: str
    index: int
    mode: Mode = Field(default='end_to_end', exclude=True, repr=False)
    epoch: int = Field(default=1, exclude=True, repr=False)
    """The epoch of its session, as `mode` its mode. A file of scores has one of each and leaves both out; tables are
    made of scores that have them (`analysis.steps.placed`)."""
    kind: StepKind
    outcome: StepOutcome | None = None
    """How it ended: `ran` if its code ran and nothing decides on it; None where only a predictions file is known."""
    decided: bool
    """Whether a metric decides if the step is right. None does on code without an output or variables to compare, or on
    plots without a gold."""
    values: dict[str, float]
    """Metric -> 0 to 1, for each metric that the step has and that is known of it."""
    details: dict[str, Text] = {}
    """Metric -> why its value is what it is, or why there is none, where a number alone does not tell."""
    unread: list[str] = []
    """Metrics that found nothing of the asked form in a step whose code ran: no variable, no value, no figure."""
    for_judge: bool = False
    """Whether the answer is prose in other words than the gold's, and no judge has told what it says."""
    judged_by: str = ''
    """The judge whose verdict is the score of such an answer; empty where there is none."""
    depends: list[int] = []
    """The earlier steps, counted from 1, that told what the answer is made of (`Step.depends`)."""
    asks_forecast: bool = False
    """Whether its question asks how sure the answer is."""
    forecasts: list[Forecast] = []
    """The probabilities that its answer gives, beside what the gold has."""

    @property
    def ran(self) -> bool:
        """Whether the last call of the interpreter ran without error, or the profile has no such metric."""
        return self.values.get('executable', 1) == 1

    @property
    def right(self) -> bool | None:
        """Whether the model did it right; None where nothing tells."""
        return self.outcome == 'correct' if self.decided and self.outcome else None


def steps_back(step: int, depends: Collection[int]) -> int:
    """How many steps ago a session told the earliest thing that an answer is made of; 0 where that is not known.

    The first step tells what all others lean on: it counts where the answer leans on nothing later.

    Args:
        step: whose answer, counted from 1.
        depends: the earlier steps that told what it is made of (`StepScore.depends`).
    """
    return step - min((one for one in depends if one > 1), default=1) if depends else 0
