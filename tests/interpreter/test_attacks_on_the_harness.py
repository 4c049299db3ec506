"""Programs that attack the harness: its wire, memory, time, and what it files. What a session does stays its own."""

import asyncio
import json
import time
from dataclasses import replace

import pytest

from cibench_eval.agents import AgentSettings, Batch, CodeBlock, ReAct, SessionSettings, ToolCalls, run_sessions
from cibench_eval.agents.slots import SessionSlots
from cibench_eval.evaluators import find_profile, score_session
from cibench_eval.evaluators.predictions import prediction_of
from cibench_eval.evaluators.work import works_of
from cibench_eval.interpreter import Interpreter
from cibench_eval.interpreter.messages import KernelMessage
from cibench_eval.interpreter.outputs import OutputCollector
from cibench_eval.interpreter.outputs import within as within_room
from cibench_eval.models import ScriptReplay
from cibench_eval.schema import Execution, ExecutionError, Reply, ToolCall
from cibench_eval.traces import TraceStore
from tests.interpreter.neighbours import COSTLY
from tests.interpreter.programs import ENDED, FORGE, FORK, LIMITS, Block, cases, check, goes_on, level_problem, program
from tests.support.hostile_sizes import within
from tests.support.sessions import call, experiment
from tests.support.soak import many

pytestmark = pytest.mark.kernel
HARD = ('kernel_died', 'timeout')
NEXT = Block('6 * 7', result='42')
ANY = {'status': ENDED, 'truncated': None, 'timeout': 2}
NEXT_OWN = Block('1', **ANY)
"""What follows a lie about the next block, or a kernel that cannot be talked to any more: only its own session's."""
WIRE = (
    FORGE
    + """
import socket, stat, struct
def channel(number):
    for name in os.listdir('/proc/self/fd'):
        try:
            if stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                found = socket.socket(fileno=os.dup(int(name)))
                if str(found.getsockname()).endswith(f'/k-{number}') and not found.getsockopt(1, 30):
                    return found
        except OSError:
            pass
def later(by=1):
    import copy
    made = copy.deepcopy(kernel.get_parent())
    front, _, number = made['header']['msg_id'].rpartition('_')
    made['header']['msg_id'] = f'{front}_{int(number) + by}'
    return made
shell, iopub, control = channel(1), channel(2), channel(4)
"""
)
"""Sockets of the three channels (SO_ACCEPTCONN is 30), and the request that comes next."""


def wire(name, code, *after, **wanted):
    return program(name, Block(f'{WIRE}{code}', **{**ANY, **wanted}), *(after or (NEXT,)))


FRAMES = [
    wire('sixteen_empty_frames', 'kernel.iopub_socket.send_multipart([b""] * 16)'),
    *(
        wire(f'end_of_{name}', f'{name}.shutdown(socket.SHUT_RDWR)\nimport time\ntime.sleep(0.5)', NEXT_OWN, NEXT)
        for name in ('shell', 'iopub')
    ),
    replace(
        wire('end_of_control', 'control.shutdown(socket.SHUT_RDWR)\nwhile True: pass', NEXT, status=HARD), slow=True
    ),
]
LIES = [
    wire('reply_to_the_next_block', "reply(*parts('execute_reply', {'status': 'ok'}, later()))", NEXT_OWN, NEXT_OWN),
    wire('idle_of_the_next_block', "publish(*parts('status', {'execution_state': 'idle'}, later()))", NEXT_OWN, NEXT),
    wire('a_thousand_replies', "for _ in range(1000): reply(*parts('execute_reply', {'status': 'ok'}))", NEXT_OWN),
    wire('reply_of_another_kind', "reply(*parts('_reply', {'status': 'ok'}))", NEXT_OWN),
    wire(
        'reply_of_other_types',
        'reply(*parts("execute_reply", {}, _5=b\'{"status": ["ok"], "results": NaN, "cut": {}, "parts": []}\'))',
        NEXT_OWN,
    ),
    wire(
        'reply_whose_result_is_another',
        "reply(*parts('execute_reply', {'status': 'ok', 'results': 7}, shown={'text/plain': b'forged'}))\n1",
        NEXT_OWN,
    ),
    wire('parts_by_one_name', "publish(*parts('stream', {}, _5=b'{\"parts\": [\"text\", \"text\"]}'), b'a', b'b')"),
    wire('false_answer_to_an_interrupt', """
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
kernel.control_handlers['interrupt_request'] = lambda stream, ident, parent: None
kernel.shell_handlers['interrupt_request'] = None
while True: pass
""", NEXT, status=HARD, timeout=1),
]  # fmt: skip
SLOW_PROGRAMS = [
    wire('frame_that_never_ends_on_iopub', "iopub.send(b'\\2' + struct.pack('>Q', 1000) + b'x')", NEXT_OWN, NEXT_OWN),
    wire('frame_that_never_ends_on_shell', "shell.send(b'\\2' + struct.pack('>Q', 1000) + b'x')", NEXT_OWN, NEXT),
    program(
        'reply_when_interrupted_and_no_end',
        Block(
            WIRE + "import signal, time\ndef lie(*_):\n    reply(*parts('execute_reply', {'status': 'error'}))\n"
            '    while True: time.sleep(1)\nsignal.signal(signal.SIGINT, lie)\nwhile True: pass',
            status='timeout',
            timeout=1,
            truncated=None,
        ),
        NEXT_OWN,
        NEXT_OWN,
    ),
]
TEXTS = [
    goes_on(
        'error_of_a_huge_name',
        "raise type('E' * 3_000_000, (Exception,), {})('v' * 3_000_000)",
        status='error',
        holds=lambda e: e.truncated and len(e.error.value + e.error.traceback) < 101_000,
    ),
    program(
        'error_that_cannot_be_shown',
        Block(
            'class E(Exception):\n    def __init__(self): pass\n    def __str__(self): raise E\n'
            '    __repr__ = __str__\n'
            'raise E',
            status=('error', 'timeout'),  # IPython itself fails at it
            timeout=1,
        ),
        NEXT,
    ),
    goes_on(
        'error_of_signs_that_no_file_holds',
        "raise Exception('\\ud800\\0\\u202e\\x1b]52;c;eA==\\x07' + 'a' + '\\u0301' * 10_000)",
        status='error',
    ),
    program(
        'traceback_of_ten_thousand_causes',
        Block(
            'error = ValueError("x")\nfor _ in range(10_000):\n    other = ValueError("y")\n'
            '    other.__cause__ = error\n    error = other\nraise error',
            status=ENDED,
            timeout=5,
        ),
        NEXT_OWN,
        slow=True,
    ),
    program('result_of_surrogates', "'\\ud800\\udc00\\ud800'", holds=lambda e: e.result and e.result.isascii()),
    goes_on(
        'result_that_shows_itself_forever',
        'class R:\n    def __repr__(self):\n        while True: pass\nR()',
        status='timeout',
        timeout=1,
    ),
    goes_on(
        'two_thousand_tables',
        'from IPython.display import HTML\nfor n in range(3000): display(HTML("<td>" * 1000), display_id=str(n % 7))',
        truncated=True,
        holds=lambda e: sum(len(o.html or '') for o in e.outputs) <= LIMITS.output_limit * 2,
        slow=True,
    ),
    goes_on(
        'clear_output_again_and_again',
        'from IPython.display import clear_output\nfor n in range(1000):\n    print(n)\n    clear_output(n % 2)',
        status=ENDED,
        truncated=None,
        slow=True,
    ),
]
FAKES = [
    goes_on(
        'figure_that_is_none',
        "display({'image/png': b'\\x89PNG\\r\\n\\x1a\\n',\n"
        "    'application/vnd.cibench.plot+json': '{\"axes\": []}'}, raw=True)",
        holds=lambda e: all(figure.plot is None or not figure.plot.axes for figure in e.figures),
    ),
    goes_on(
        'description_without_a_figure',
        "display({'application/vnd.cibench.plot+json': '{\"axes\": []}', 'text/plain': 'x'}, raw=True)",
        figures=0,
    ),
    goes_on(
        'formatter_that_lies_and_dies',
        'import plot_objects\nplot_objects.bundle = None\nimport matplotlib.pyplot as plt\n'
        'get_ipython().display_formatter.mimebundle_formatter.for_type(plt.Figure, lambda f: 1 / 0)\nplt.plot([1])',
        status=ENDED,
        truncated=None,
    ),
]
REPEATS = [
    program(
        'state_that_dies_whenever_it_is_repeated',
        *(Block(f"import os, time\nif 'first_{n}' not in globals() and time.time() > started: os._exit(0)"
                if n else 'import time\nstarted = time.time() + 1') for n in range(3)),
        Block('import os, time\ntime.sleep(1.5)\nos._exit(0)', status='kernel_died'),
        Block('1', result='1'),
    ),
]  # fmt: skip
PROGRAMS = [*FRAMES, *LIES, *TEXTS, *FAKES, *REPEATS]


@pytest.mark.parametrize(('level', 'made'), cases(PROGRAMS))
def test_program(place_at, level, made):
    check(place_at(level), made)


@pytest.mark.soak
@pytest.mark.parametrize(('level', 'made'), cases(SLOW_PROGRAMS))
def test_slow_program(place_at, level, made):
    check(place_at(level), made)


# --- What one message may cost ---------------------------------------------------------------------------------


def message(kind, content, **parts):
    return KernelMessage(kind, content, {name.replace('_', '/'): part for name, part in parts.items()})


def collector():
    return OutputCollector(1_000_000, 20, 5_000_000)


@pytest.mark.soak
def test_one_update_of_all_outputs_reads_its_text_once():
    taken = collector()
    for _ in range(2000):
        list(taken.steps(message('display_data', {'display_id': 'all'})))
    update = message('update_display_data', {'display_id': 'all'}, text_plain=b'\x1b[' * 6_500_000)
    within(20, lambda: list(taken.steps(update)))


@pytest.mark.parametrize('name', ['x' * 60_000, [[]] * 20_000, {'a': 1}, 7, None, True])
def test_names_of_outputs_that_no_kernel_gives_are_not_kept(name):
    taken = collector()
    list(taken.steps(message('display_data', {'display_id': name}, text_plain=b'old')))
    list(taken.steps(message('update_display_data', {'display_id': name}, text_plain=b'new')))
    assert [output.text for output in taken.outputs] == ['old']


@pytest.mark.parametrize('piece', ['a\rb\n', *many(['\n', 'a\b', '\r\n\r', '\x1b[0m\ra'], [])])
def test_long_texts_are_taken_in_steps_that_change_nothing(piece):
    text = piece * (200_000 // len(piece))
    whole, stepped = collector(), collector()
    for start in range(0, len(text), 7):
        list(whole.steps(message('stream', {'name': 'stdout'}, text=text[start : start + 7].encode())))
    steps = sum(1 for _ in stepped.steps(message('stream', {'name': 'stdout'}, text=text.encode())))
    assert steps >= len(text.replace('\x1b[0m', '')) // 20_000 - 1
    assert stepped.outputs == whole.outputs


@pytest.mark.parametrize('part', ['name', 'value', 'traceback'])
def test_errors_take_room_of_the_session(part):
    error = ExecutionError(**{'name': 'E', 'value': 'v', part: '\0' * 100_000})
    execution, taken = within_room(Execution(status='error', error=error), 1_000_000)
    assert taken > 600_000
    assert execution.error == error
    execution, taken = within_room(execution, 100_000)
    assert taken < 20_000
    assert execution.truncated
    assert len(execution.model_dump_json()) < 20_000


# --- Replies that are made to be slow to read -----------------------------------------------------------------

SLOW = {
    'tildes': '~' * 1_000_000 + '`',
    'tildes behind colons': ':~~~' * 250_000 + '`',
    'back-ticks behind colons': ':```' * 250_000 + 'x',
    'strings that never end': '```\n" """ """\n```\n' * 12_500,
    'fences in strings': ('```\nx = """\n' + '`' * 9 + '\n') * 10_000,
}


@pytest.mark.soak
@pytest.mark.parametrize('name', SLOW)
def test_a_reply_that_is_slow_to_read_is_read_in_seconds(name):
    text = SLOW[name]

    def read():
        for protocol in (ReAct(), CodeBlock(), ToolCalls()):
            protocol.parse(Reply(text=text))
            protocol.parse(Reply(text=f'Action: IPythonInterpreter\nAction Input:{text}'))
        ToolCalls().parse(Reply(text='', tool_calls=[ToolCall(id='a', name='x', arguments=text)]))

    within(20, read)


# --- Time and state that are made to be repeated ---------------------------------------------------------------


def test_repeating_a_state_takes_no_longer_than_its_session_deserves(monkeypatch):
    """Blocks that are quick once and slow whenever they are repeated."""
    monkeypatch.setattr('cibench_eval.interpreter.interpreter.REPLAY_FACTOR', 0.5)
    settings = LIMITS.model_copy(
        update={'sandbox': 'auto', 'preload': (), 'pool_size': 0, 'timeout': 4, 'datasources': None}
    )
    slow = "import time\nbegan = globals().get('began', time.time())\nif time.time() > {}: time.sleep(1.5)"

    async def session():
        async with Interpreter(settings) as interpreter:
            await interpreter.ready()
            until = time.time() + 60
            for number in range(8):
                await interpreter.run(f'a{number} = 1\n{slow.format(until)}')
            monkeypatch.setattr(interpreter, 'succeeded', [
                (code.replace(str(until), '0'), first) for code, first in interpreter.succeeded
            ])  # fmt: skip
            await interpreter.run('import os\nos._exit(0)')
            return await interpreter.run("sum(f'a{number}' in globals() for number in range(8))")

    execution = asyncio.run(session())
    assert execution.recovery < 8
    assert 0 < int(execution.result) < 8


# --- One run: what is filed and scored ----------------------------------------------------------------------------

HONEST = ('x = 40', 'print(x + 2)', '1 / 0', 'import matplotlib.pyplot as plt\n_ = plt.plot([1, 3, 2])')
RUNS = {
    'messages': [COSTLY[name] for name in ('returns', 'update_of_all', 'names', 'zeros')],
    'deaths': ['import os\nos._exit(0)', FORGE + "reply(*parts('execute_reply', {'status': 'ok'}))\nos._exit(0)"],
    'wire': [f'{WIRE}shell.shutdown(2)\niopub.shutdown(2)', 'while True: pass'],
}
REPLIES = {**{name: [*map(call, codes)] for name, codes in RUNS.items()}, 'replies': list(SLOW.values())}


def run_of(folder, names):
    """The predictions and scores of the honest session in a run with these hostile ones, and the others' scores."""
    honest = experiment(*HONEST, name='honest')
    others = [experiment(*['1'] * len(REPLIES[name]), name=name) for name in names]
    model = ScriptReplay(replies={'honest': [*map(call, HONEST)], **REPLIES})
    kernels = LIMITS.model_copy(update={'timeout': 5, 'datasources': None})
    settings = SessionSettings(AgentSettings(max_attempts=1), kernels)
    store = TraceStore(folder / 'd.traces.jsonl')
    traces = asyncio.run(run_sessions(Batch([honest, *others], model, settings, store, SessionSlots(5))))
    found = {}
    for trace, gold in zip(traces, [honest, *others], strict=True):
        made = prediction_of(trace, gold, store.figures)
        found[gold.id] = made, score_session(works_of(trace.steps, store.figures), gold, find_profile('strict'))
    made, scores = found.pop('honest')
    text = json.dumps([made, [score.model_dump() for score in scores]]).replace(str(folder), '')
    return text, {name: [score.values['executable'] for score in scores] for name, (_, scores) in found.items()}


@pytest.mark.soak
@pytest.mark.skipif(bool(level_problem(FORK)), reason=str(level_problem(FORK)))
def test_scores_of_an_honest_session_are_the_same_beside_hostile_ones(tmp_path):
    """Byte by byte; and no hostile session ends as the harness's fault, which would leave it out of the scores."""
    quiet, _ = run_of(tmp_path / 'quiet', [])
    beside, others = run_of(tmp_path / 'beside', list(REPLIES))
    assert beside == quiet
    assert others.keys() == REPLIES.keys()
    assert others['deaths'][0] == others['wire'][1] == 0
    assert others['replies'][0] == 0
