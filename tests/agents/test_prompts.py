"""Prompts are files: a config can name its own, and a run is of one prompt."""

import pytest

from cibench_eval.agents import (
    AgentSettings,
    CodeBlock,
    InternLMReAct,
    LlamaReAct,
    QwenReAct,
    ReAct,
    SessionSettings,
    ToolCalls,
)
from cibench_eval.agents.identity import identity_of
from cibench_eval.schema import CibenchError, Execution, Figure, Output, Reply
from tests.support.notebooks import REPO
from tests.support.sessions import KERNELS, call, experiment

KINDS = [ReAct, CodeBlock, QwenReAct, InternLMReAct, LlamaReAct, ToolCalls]
each_kind = pytest.mark.parametrize('kind', KINDS, ids=lambda kind: kind.__name__)
PROMPT = """
en:
  instructions: |
    Use {tool}: {action}, then {action_input}. A dict is {"a": 1}, a set {x}.
  silent: (nothing)
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / 'mine.yaml'
    path.write_text(PROMPT)
    return path


def test_a_file_of_ones_own(file):
    protocol = ReAct(prompt=str(file))
    instructions, *example = protocol.opening('en')
    assert instructions == {
        'role': 'system',
        'content': 'Use IPythonInterpreter: Action, then Action Input. A dict is {"a": 1}, a set {x}.\n',
    }
    assert example == ReAct().opening('en')[1:]
    assert protocol.opening('cn') == ReAct().opening('cn')
    action = protocol.parse(Reply(text=call('x = 1'))).action
    assert protocol.observe(action, Execution(status='ok'), 'en') == 'Response: (nothing)'


def test_a_file_is_read_once(file):
    protocol = ReAct(prompt=str(file))
    before = protocol.opening('en')
    file.write_text(PROMPT.replace('Use', 'Take'))
    assert protocol.opening('en') == before != ReAct(prompt=str(file)).opening('en')


@each_kind
def test_a_dict_of_a_config_changes_what_it_names(kind):
    changed = kind(prompt={'en': {'instructions': 'Answer.', 'role': 'user'}})
    assert {'role': 'user', 'content': 'Answer.'} in changed.opening('en')
    assert kind().opening('cn') == changed.opening('cn')


def test_labels_and_tool_are_part_of_a_prompt():
    protocol = QwenReAct(prompt={'tool': 'python', 'labels': {'final': 'Done'}})
    assert (protocol.texts.tool, protocol.texts.labels.final, protocol.texts.labels.response) == (
        'python',
        'Done',
        'Observation',
    )
    assert '[python]' in protocol.opening('en')[-1]['content']
    assert protocol.parse(Reply(text='Done: 4')).action.final


def test_no_example():
    assert len(ReAct(prompt={'en': {'example': None}}).opening('en')) == 1


@pytest.mark.parametrize(
    ('content', 'message'),
    [
        ('en: [', r'line 1: not YAML: .*'),
        ('en: {instructions: "x"\n  y: z', r'line 2: not YAML: .*'),
        ('text', r'must be a mapping with en and cn, not str'),
        ('', r'must be a mapping with en and cn, not NoneType'),
        ('en: text', 'en is no mapping'),
        ('en: {instuctions: x}', r'en\.instuctions is unknown'),
        ('de: {instructions: x}', r'de is unknown'),
        ('en: {silent: no}', r'en\.silent: it must be a valid string'),
        ('en: {instructions: ""}', r'en\.instructions: String should have at least 1 character'),
        ('en: {example: {question: x}}\ncn: {example: null}', None),
        ('labels: {thougth: x}', r'labels\.thougth is unknown'),
        ('labels: {final: ""}', r'labels\.final: String should have at least 1 character'),
        (b'en: \xff', r'cannot be read: .*'),
        (b'en: \x00', r'cannot be read: .*'),
    ],
)
def test_a_malformed_prompt_is_one_line(tmp_path, content, message):
    path = tmp_path / 'mine.yaml'
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    if message is None:
        ReAct(prompt=str(path))
        return
    with pytest.raises(
        CibenchError, match=rf'^agents: prompt \S*mine\.yaml\W+(it )?{message}(; compare \S+/react\.yaml)?$'
    ) as error:
        ReAct(prompt=str(path))
    assert '\n' not in str(error.value)


@pytest.mark.parametrize('prompt', ['papers', 'no/such.yaml', '~/no/such.yaml'])
def test_a_prompt_that_is_not_there_is_named(prompt):
    with pytest.raises(
        CibenchError, match=r"agents: prompt is '.*'; it must be 'ours', 'paper' \(of ReAct\) or a YAML"
    ):
        ToolCalls(prompt=prompt)


def identity(protocol, made=None):
    settings = SessionSettings(AgentSettings(protocol), KERNELS)
    return identity_of(settings, made or experiment('1'))['agent']


@each_kind
@pytest.mark.parametrize('field', ['instructions', 'silent', 'figure', 'left_out', 'question'])
def test_every_text_is_in_the_identity(kind, field):
    before = identity(kind())
    assert identity(kind(prompt={'en': {field: 'other {question}'}})) != before
    assert identity(kind(prompt={'cn': {field: 'other {question}'}})) == before


def test_a_prompt_counts_by_its_text_and_not_by_its_place(file, tmp_path):
    moved = tmp_path / 'elsewhere.yaml'
    moved.write_text(f'# The same.\n{PROMPT}')
    assert identity(ReAct(prompt=str(file))) == identity(ReAct(prompt=str(moved))) != identity(ReAct())
    assert identity(ReAct(prompt='paper')) != identity(ReAct())
    assert identity(ReAct(example=False)) != identity(ReAct())
    assert identity(ReAct(observation_limit=9)) != identity(ReAct())


def test_the_prompts_of_the_package_are_whole():
    """What the protocols' own files say; each is used, and says nothing that is not."""
    names = {kind.own_prompt for kind in KINDS} | {'common'}
    assert {path.stem for path in (REPO / 'cibench_eval/agents/prompts').glob('*.yaml')} == names
    for kind in KINDS:
        for language in ('en', 'cn'):
            assert kind().templates(language).instructions


def png(width, height):
    header = b'\x89PNG\r\n\x1a\n\0\0\0\rIHDR' + width.to_bytes(4) + height.to_bytes(4)
    return Output(type='display_data', text='<Figure size 1x1 with 1 Axes>', figure=Figure.of(header))


@each_kind
@pytest.mark.parametrize(
    ('language', 'lines'),
    [('en', '[figure 1: 640 × 480]\n[figure 2: 80 × 60]'), ('cn', '[图 1：640 × 480]\n[图 2：80 × 60]')],
)
def test_figures_are_named_behind_the_text(kind, language, lines):
    protocol = kind()
    action = protocol.parse(protocol.gold(experiment('x = 1').steps[0])).action
    silent = protocol.templates(language).silent
    shown = protocol.observe(action, Execution(status='ok', outputs=[png(640, 480), png(80, 60)]), language)
    assert shown.endswith(lines)
    assert silent not in shown
    text = Output(type='stdout', text='a' * 5000)
    shown = protocol.observe(action, Execution(status='ok', outputs=[png(640, 480), text, png(80, 60)]), language)
    assert shown.endswith(f'a\n```\n\n{lines}')
    assert 1000 < len(shown) < 1300
    assert protocol.observe(action, Execution(status='ok'), language).endswith(silent)


def test_the_prompt_of_the_paper_shows_what_upstream_shows():
    paper = ReAct(prompt='paper')
    action = paper.parse(Reply(text=call('x = 1'))).action
    shown = paper.observe(action, Execution(status='ok', outputs=[png(640, 480)]), 'en')
    assert shown == 'Response:The code is succeed without any outputs.\n'
