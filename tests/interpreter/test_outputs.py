"""What an Execution keeps of what a block showed: what a notebook would show at the end, as nbclient has it."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cibench_eval.agents import ReAct
from cibench_eval.interpreter import Interpreter, KernelSettings
from cibench_eval.interpreter.messages import KernelMessage
from cibench_eval.interpreter.outputs import OutputCollector
from cibench_eval.schema import Action
from tests.interpreter.plain import by_plain_ipykernel
from tests.interpreter.programs import CUT, run
from tests.support.soak import many

LIMIT = 200_000
MOST = 2000
"""Outputs of a block that are kept."""


def taken(*messages, limit=1000):
    """A collector that has taken messages, each given as its kind, content and parts."""
    collector = OutputCollector(limit, 1, 1)
    for kind, content, parts in messages:
        list(collector.steps(KernelMessage(kind, content, parts)))
    return collector


def shown(*texts, limit=LIMIT):
    return stdout(streamed(texts, limit))


def streamed(texts, limit):
    return taken(*(('stream', {'name': 'stdout'}, {'text': text.encode()}) for text in texts), limit=limit)


def stdout(collector):
    return ''.join(output.text for output in collector.outputs)


def test_messages_without_their_texts_or_with_bytes_that_are_none_are_taken():
    error = taken(('error', {}, {})).error
    assert (error.name, error.value, error.traceback) == ('', '', '')
    assert stdout(taken(('stream', {'name': 'stdout'}, {'text': b'\xff\0a'}))) == '\ufffd\0a'
    shown = taken(('stream', {'name': 'stdout'}, {}), ('display_data', {}, {}), ('execute_result', {}, {}))
    assert [one.text for one in shown.outputs] == ['', '']


# --- A stream ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('text', 'seen'),
    [
        ('10%\r20%\r30%', '30%'),
        ('long text\rshort', 'short'),
        ('10%\r', '10%\r'),
        ('a\r\nb\r\n', 'a\r\nb\r\n'),
        ('a\rb\nc\rd\ne', 'b\nd\ne'),
        ('a\r\r\nb', 'a\r\nb'),
        ('abc\b\bd', 'ad'),
        ('a\nb\b\b\bc', 'a\nc'),
        ('abc\r\bd', 'd'),
        ('5/10\b\b\b\b\b6/10', '6/10'),
        ('\x1b[1m10%\x1b[0m\r\x1b[K\x1b[32m20%\x1b[0m', '20%'),
        ('\x1b]0;title\x07a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\x1b(B\x1b=', 'alink'),
        ('\x1b[', ''),
        ('a\nb\x1b[A\rc', 'c\nb'),
        ('outer 0\n\rinner 0\x1b[A\n\rinner 9\x1b[A\router 1\n\r    \r\x1b[Adone', 'done\n    '),
        ('1\n2\n\x1b[2A3\n4\n', '3\n4\n'),
        ('1\n2\n3\x1b[2F\x1b[Jx', 'x'),
        ('1\n2\n3\x1b[A\x1b[2Kx', '1\nx\n3'),
        ('1\n\x1b[1A\x1b[2Knew\n', 'new\n'),
        ('a\x1b[99Ab\x1b[99Bc', 'abc'),
        ('a\n' * 60 + '\x1b[999A\rb', 'a\n' * 11 + 'b\n' + 'a\n' * 48),
        ('a\x1b[?25lb\x1b[31;1mc\x1b[12;3Hd', 'abcd'),
        ('no \\x1b[1m code', 'no \\x1b[1m code'),
        ('\x00\x07', '\x00\x07'),
    ],
)
def test_a_stream_shows_what_a_terminal_would(text, seen):
    assert shown(text) == seen
    assert shown(*text) == seen


@given(st.text(st.sampled_from('ab\n\r'), max_size=60))
def test_carriage_returns_are_those_of_nbclient(text):
    """But for several in a row, which nbclient takes for a text that overwrites the line."""
    from nbclient.client import _RGX_CARRIAGERETURN

    while '\r\r' in text:
        text = text.replace('\r\r', '\r')
    seen = shown(text)
    assert seen.removesuffix('\r') == _RGX_CARRIAGERETURN.sub('', text).removesuffix('\r')


@given(st.lists(st.text(st.sampled_from('ab\n\r\b\x1b[];\x071mAJK'), max_size=8), max_size=12))
def test_it_does_not_matter_how_text_is_cut_into_pieces(pieces):
    assert shown(*pieces) == shown(''.join(pieces))


@given(st.lists(st.text(st.sampled_from('abc\n\r\b'), max_size=9) | st.just('\x1b[A'), max_size=9), st.integers(1, 30))
def test_a_stream_over_its_limit_keeps_head_and_tail(pieces, limit):
    whole, collector = shown(*pieces), streamed(pieces, limit)
    cut = stdout(collector)
    if collector.truncated:
        assert len(cut.replace(CUT, '')) <= limit
    elif '\x1b[A' not in pieces or len(''.join(pieces)) < limit:  # above a screen of few characters there is nothing
        assert cut == whole


def test_each_stream_is_whole_between_displays_however_its_chunks_come():
    """A bar on stderr and prints on stdout, in turns: when the kernel sends a chunk depends on its timers."""
    written = [pair for number in range(4) for pair in (('stderr', f'\r{number}/3'), ('stdout', f'{number}\n'))]
    chunks = [('stream', {'name': name}, {'text': text.encode()}) for name, text in written]
    collector = taken(*chunks, ('display_data', {}, {'text/plain': b'<Axes>'}), *chunks[-1:])
    assert [(output.type, output.text) for output in collector.outputs] == [
        ('stdout', '0\n1\n2\n3\n'),
        ('stderr', '3/3'),
        ('display_data', '<Axes>'),
        ('stdout', '3\n'),
    ]


HOSTILE = {
    'returns': '\r' * LIMIT,
    'returns_and_text': 'a\r' * (LIMIT // 2),
    'backspaces': 'x' * (LIMIT // 2) + '\b' * (LIMIT // 2),
    'text_and_backspaces': 'x' * (LIMIT // 2) + '\b\ba' * (LIMIT // 6),
    'lines': 'a\r\n' * (LIMIT // 3),
    'escapes': '\x1b[' * (LIMIT // 2),
    'an_escape_without_end': '\x1b[' + '0' * LIMIT,
    'titles_without_end': '\x1b]0;' * (LIMIT // 4),
    'one_line': 'x' * LIMIT,
    'ups_and_text': 'x\n\x1b[A' * (LIMIT // 5),
    'ups_to_the_top': ('x\n' * 40 + '\x1b[99A') * (LIMIT // 85),
    'erased_screens': 'xx\n\x1b[9A\x1b[J' * (LIMIT // 10),
    'long_lines_and_ups': ('x' * 5000 + '\n\x1b[A') * (LIMIT // 5004),
}


@pytest.mark.parametrize('name', many(list(HOSTILE), list(HOSTILE)[::4]))
def test_hostile_texts_take_time_by_their_length(name):
    """What is quadratic would take hours: whole, in pieces, and again and again in one stream."""
    text = HOSTILE[name]
    assert len(shown(text)) <= LIMIT + len(CUT)
    pieces = [text[start : start + 1000] for start in range(0, len(text), 1000)]
    assert len(shown(*pieces, limit=10_000)) <= 10_000 + 2 * len(CUT)
    assert len(shown(*[text] * 3, limit=100_000)) <= 100_000 + 2 * len(CUT)


# --- Outputs -----------------------------------------------------------------------------------------------------


BAR = "import sys\nfor n in range(101): print(f'\\r{n}%', end='', file=sys.stderr, flush=True)\n"
PROGRAMS = {
    'bar': BAR + 'print()',
    'bar_on_stdout': BAR.replace('stderr', 'stdout') + "print('\\rdone')",
    'bar_that_ends_with_returns': "for n in range(50): print(n, end='\\r')",
    'shorter_text': "print('a long line\\rshort')\nprint('next')",
    'windows_lines': "import sys\nsys.stdout.write('a\\r\\nb\\r\\n')",
    'cleared': 'from IPython.display import clear_output\nprint(1); display(2)\nclear_output()\nprint(3); display(4)',
    'cleared_at_the_end': 'from IPython.display import clear_output\nprint(1)\nclear_output()',
    'cleared_by_what_comes': (
        'from IPython.display import clear_output\n'
        "for n in range(5):\n    clear_output(wait=True)\n    print('turn', n)\n    display(n)"
    ),
    'waits_for_nothing': 'from IPython.display import clear_output\nprint(1)\nclear_output(wait=True)',
    'cleared_by_a_result': 'from IPython.display import clear_output\nprint(1)\nclear_output(wait=True)\n2',
    'updated': "handle = display('a', display_id=True)\nprint('between')\nhandle.update('b')",
    'two_of_one_name': "display('a', display_id='x')\ndisplay('b', display_id='x')\n'c'",
    'update_of_nothing': "from IPython.display import update_display\nupdate_display('a', display_id='gone')\nprint(1)",
    'updated_after_a_clear': (
        "from IPython.display import clear_output\nhandle = display('a', display_id=True)\n"
        "clear_output()\nhandle.update('b')\ndisplay('c')"
    ),
    'update_of_a_table': (
        "from IPython.display import HTML\nhandle = display(HTML('<b>a</b>'), display_id=True)\n"
        "handle.update(HTML('<b>b</b>'))"
    ),
}


def streams_and_others(outputs):
    """The text of each stream, and all other outputs in order."""
    kept = [('stdout', ''), ('stderr', '')]
    texts = {name: ''.join(text for kind, text, _ in outputs if kind == name) for name, _ in kept}
    return texts, [output for output in outputs if output[0] not in texts]


def of_notebook(outputs):
    return streams_and_others(
        [
            (output.get('name', output.output_type), output.get('text') or output.data['text/plain'], html_of(output))
            for output in outputs
        ]
    )


def html_of(output):
    return output.data.get('text/html') if 'data' in output else None


def of_execution(execution):
    return streams_and_others([(output.type, output.text, output.html) for output in execution.outputs])


@pytest.mark.kernel
def test_outputs_are_those_of_nbclient():
    notebooks = asyncio.run(by_plain_ipykernel(PROGRAMS.values()))
    for name, outputs, execution in zip(PROGRAMS, notebooks, run(*PROGRAMS.values()), strict=True):
        assert execution.status == 'ok', name
        assert of_execution(execution) == of_notebook(outputs), name
        assert not execution.truncated, name


@pytest.mark.kernel
def test_an_update_of_an_earlier_block_shows_nothing_here():
    made, updated = run("handle = display('a', display_id=True)", "handle.update('b')\n1")
    assert [output.text for output in made.outputs] == ["'a'"]
    assert [output.text for output in updated.outputs] == ['1']


@pytest.mark.kernel
def test_a_bar_longer_than_the_limit_is_its_last_line():
    """The kernel, too, leaves out what is overwritten before it cuts anything."""
    bar = "for n in range(20_000): print(f'\\r{n} of 20000', end='')\nprint()\nprint('x' * 500)"
    (execution,) = run(bar, output_limit=1000)
    assert (execution.stdout, execution.truncated) == ('19999 of 20000\n' + 'x' * 500 + '\n', False)


@pytest.mark.kernel
def test_what_is_left_out_says_so_and_what_is_cleared_takes_no_room():
    lines = "for n in range(3000): print(n)\nfor n in range(3000): print(f'\\r{n}', end='')"
    cleared = (
        'from IPython.display import clear_output\n'
        "for n in range(5):\n    print('x' * 900)\n    display('y' * 900)\n    clear_output(wait=True)\n"
        "print('z' * 900)\ndisplay('y' * 900)"
    )
    cut, whole = run(lines, cleared, output_limit=1000)
    assert cut.stdout.startswith('0\n1\n2\n') and cut.stdout.endswith('\n2999')
    assert CUT in cut.stdout and cut.truncated
    assert [len(output.text) for output in whole.outputs] == [901, 902]
    assert not whole.truncated


# --- Nothing is lost unsaid --------------------------------------------------------------------------------------

MANY = "for i in range(1900): display('x' * 400)\n'the result'"


@pytest.mark.soak
@pytest.mark.kernel
def test_outputs_that_are_on_their_way_are_waited_for():
    """Six sessions side by side, which is more than one loop reads as fast as they show."""

    async def sessions():
        async def one():
            async with Interpreter(KernelSettings(sandbox='auto', preload=())) as interpreter:
                return await interpreter.run(MANY)

        return await asyncio.gather(*(one() for _ in range(many(6, 3))))

    for execution in asyncio.run(sessions()):
        assert (len(execution.outputs), execution.result) == (1901, "'the result'")
        assert not execution.truncated


@pytest.mark.kernel
def test_a_result_whose_message_never_comes_is_taken_out_of_the_reply(monkeypatch):
    monkeypatch.setattr('cibench_eval.interpreter.kernel.QUIET', 1.0)
    silent = 'get_ipython().kernel.iopub_thread._really_send = lambda *_, **__: None\n'
    (execution,) = run(silent + "print('lost')\nimport pandas as pd\npd.DataFrame({'a': [1]})")
    assert (execution.status, execution.result) == ('ok', '   a\n0  1')
    assert '<table' in execution.outputs[-1].html
    assert execution.truncated


@pytest.mark.kernel
def test_a_thread_that_shows_for_ever_does_not_hold_its_block_for_ever():
    code = (
        'import threading\ndef show():\n    while True: display("y" * 1000)\n'
        "threading.Thread(target=show, daemon=True).start()\n'the result'"
    )
    (execution,) = run(code, timeout=2)
    assert (execution.status, execution.result) == ('ok', "'the result'")


@pytest.mark.soak
@pytest.mark.kernel
def test_the_result_has_room_whatever_was_shown_before():
    many, large, error = run(
        f"for i in range({MOST + 500}): display(i)\n'the result'",
        "for i in range(20): display('x' * 900)\n'the result'",
        "for i in range(20): display('x' * 900)\n1 / 0",
        output_limit=1000,
    )
    assert (len(many.outputs), many.result, many.truncated) == (MOST + 1, "'the result'", True)
    assert (large.result, large.truncated) == ("'the result'", True)
    assert (error.error.name, error.error.value) == ('ZeroDivisionError', 'division by zero')
    assert 'ZeroDivisionError' in error.error.traceback


def test_of_many_results_the_last_has_room():
    results = (f'{number} {"x" * 900}'.encode() for number in range(MOST + 100))
    collector = taken(*(('execute_result', {}, {'text/plain': text}) for text in results))
    outputs = collector.outputs
    assert outputs[-1].text == f'{MOST + 99} ' + 'x' * 900
    assert sum(len(output.text) for output in outputs) <= 2000 + 2 * len(CUT)
    assert len(outputs) <= MOST + 1
    assert collector.truncated


@pytest.mark.parametrize(
    ('content', 'parts'),
    [
        ({'display_id': ['a'], 'name': [], 'wait': {}}, {}),
        ({}, {'text/plain': b'\xff', 'text/html': b'\0', 'image/png': b'5', 'text': b'\xed\xa0\x80', 'ename': b'\x80'}),
        ({'display_id': 5}, {'image/png': b''}),
    ],
)
def test_displays_of_another_form_do_no_harm(content, parts):
    kinds = ('display_data', 'update_display_data', 'execute_result', 'clear_output', 'stream', 'error')
    assert len(taken(*((kind, content, parts) for kind in kinds)).outputs) <= 4


def test_updates_do_not_use_up_the_room():
    shows = {'display_id': 'a'}, {'text/plain': b'x' * 800}
    collector = taken(*((kind, *shows) for kind in ('display_data', *['update_display_data'] * 50)))
    assert [len(output.text) for output in collector.outputs] == [800]
    assert not collector.truncated


WORK = 'import time\ndef work(): time.sleep(0.002)\n'
BARS = {
    'tqdm': ('from tqdm import tqdm\nfor _ in tqdm(range(300)): work()', '300/300'),
    'tqdm.auto': ('from tqdm.auto import tqdm\nfor _ in tqdm(range(300)): work()', '300/300'),
    'tqdm.notebook': ('from tqdm.notebook import tqdm\nfor _ in tqdm(range(300)): work()', '300/300'),
    'rich': ('from rich.progress import track\nfor _ in track(range(300)): work()', '100%'),
    'two of rich': (
        'from rich.progress import Progress\nwith Progress() as bars:\n'
        "    one, two = bars.add_task('one', total=300), bars.add_task('two', total=600)\n"
        '    for _ in range(300): work(); bars.advance(one); bars.advance(two)',
        '50%',
    ),
    'keras': (
        'import numpy, keras\nmodel = keras.Sequential([keras.layers.Dense(1)])\n'
        "model.compile(loss='mse')\nnone = model.fit(numpy.ones((320, 3)), numpy.ones(320), epochs=1)",
        '10/10',
    ),
}


@pytest.mark.kernel
def test_a_progress_bar_is_what_it_comes_to():
    bars = many(BARS, {name: bar for name, bar in BARS.items() if name != 'keras'})
    _, *found = run(WORK, *(code for code, _ in bars.values()))
    for execution, (name, (_, last)) in zip(found, bars.items(), strict=True):
        text = ReAct().observe(Action(), execution, 'en')
        assert last in text and len(text) <= 200, name
        assert 'ipywidgets' not in text, name


@pytest.mark.kernel
def test_what_notebooks_draw_is_shown_as_text():
    """Styled tables, marked-up text, a live display that leaves nothing, and what a pager shows."""
    table, marked, live, *pages = run(
        "import pandas as pd\npd.DataFrame({'a': [1.25, 2]}).style.format(precision=1)",
        "import IPython.display\nfor kind in ('Markdown', 'Latex', 'Math'):\n"
        "    display(getattr(IPython.display, kind)('$4$ **oaks**'))",
        "from rich.console import Console\nwith Console().status('at work'): print('inside')\n'behind'",
        *('len?', '%pinfo len', '%pdoc len'),
    )
    assert table.result == '      a\n0  1.25\n1  2.00'
    assert [output.text for output in marked.outputs] == ['$4$ **oaks**'] * 3
    text = ReAct().observe(Action(), live, 'en')
    assert 'inside' in text and 'behind' in text and 'at work' not in text and 'ipywidgets' not in text
    assert all('Return the number of items in a container.' in page.stdout for page in pages)
