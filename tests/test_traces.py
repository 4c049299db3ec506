"""Sessions that were interrupted: finished steps are not asked again, and the end is the same."""

import asyncio
import fcntl
import itertools
import json
import os
import random
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cibench_eval.agents import AgentSettings, Batch, SessionSettings, run_sessions
from cibench_eval.agents.identity import identity_of
from cibench_eval.agents.progress import Observer
from cibench_eval.evaluators.predictions import write_predictions
from cibench_eval.schema import Action, Attempt, Execution, Figure, HarnessError, Output, Reply, StepTrace, Trace
from cibench_eval.traces import TraceStore, figures_of
from tests.support.notebooks import REPO
from tests.support.sessions import KERNELS, Script, call, experiment, play_stored
from tests.support.soak import many

REPLIES = [call('n = 1\nprint(n)'), call('n += 1\n1 / 0'), call('n += 1\nprint(n)'), call('print(n * 10)')]
"""Three steps; the second fails once, after it has changed the state."""


class Failing(Script):
    """A script whose endpoint fails when it has nothing more to say."""

    async def chat(self, messages, turn, stop=(), tools=()):
        if not self.replies:
            self.asked.append(messages)
            raise HarnessError('endpoint gone')
        return await super().chat(messages, turn, stop, tools)


class Last(Observer):
    """Keeps the state of the last batch."""

    def end(self, progress):
        Last.progress = progress


def run(model, store, mode='end_to_end', codes=('n = 1', 'n = 3', 'print(n)'), **agent):
    return play_stored(model, experiment(*codes), store, mode=mode, **agent)


def outcome(trace):
    """All of a trace that does not depend on the clock."""
    return [
        [
            (a.reply.text, a.messages, a.execution and [(o.type, o.text) for o in a.execution.outputs])
            for a in s.attempts
        ]
        for s in trace.steps
    ]


@pytest.mark.kernel
@pytest.mark.parametrize('answered', many([*range(4)], [3]))
def test_what_was_paid_for_is_not_paid_for_again(tmp_path, answered):
    undisturbed = run(Script(*REPLIES), TraceStore(tmp_path / 'whole' / 'd.traces.jsonl'))
    store = TraceStore(tmp_path / 'cut' / 'd.traces.jsonl')
    with pytest.raises(HarnessError, match='endpoint gone'):
        run(Failing(*REPLIES[:answered]), store)
    finished_replies = [0, 1, 1, 3][answered]  # the replies of steps that were finished
    model = Script(*REPLIES[finished_replies:])
    resumed = run(model, TraceStore(tmp_path / 'cut' / 'd.traces.jsonl'))
    assert outcome(resumed) == outcome(undisturbed)
    assert resumed.steps[2].attempts[0].execution.stdout == '30\n'
    assert len(model.asked) == 4 - finished_replies
    assert [path.name for path in (tmp_path / 'cut').iterdir()] == ['d.traces.jsonl']


@pytest.mark.kernel
def test_oracle_steps_are_not_asked_again(tmp_path):
    store = TraceStore(tmp_path / 'd.traces.jsonl')
    replies = [call('n = 1'), call('n = 3'), call('print(n)')]
    with pytest.raises(HarnessError):
        run(Failing(*replies[:2]), store, 'oracle')
    model = Script(replies[2])
    assert run(model, store, 'oracle').steps[2].attempts[0].execution.stdout == '3\n'
    assert len(model.asked) == 1


def step(tmp_path, *replies):
    """The finished steps of an interrupted session."""
    store = TraceStore(tmp_path / 'd.traces.jsonl')
    with pytest.raises(HarnessError):
        run(Failing(*replies), store)
    (path,) = tmp_path.rglob('*.unfinished/*')
    return path


@pytest.mark.kernel
def test_a_journal_of_another_config_is_forgotten(tmp_path):
    step(tmp_path, *REPLIES[:3])
    model = Script(*REPLIES)
    run(model, TraceStore(tmp_path / 'd.traces.jsonl'), history='all')
    assert len(model.asked) == 4


@pytest.mark.parametrize('content', [b'', b'\n', b'{"identity": {}}', b'\xff\n{}\n', b'{"identity":{}}\nnull\n'])
def test_any_bytes_are_a_journal_without_steps(tmp_path, content):
    store = TraceStore(tmp_path / 'd.traces.jsonl')
    store.unfinished.mkdir()
    (store.unfinished / 'm__x.jsonl').write_bytes(content)
    assert store.journal('m/x', {}).step(0) is None


IDENTITY = {'model': 'a', 'kernels': 'b'}


def journal_of(store):
    return store.journal('m/x', IDENTITY)


def add(journal, step):
    return asyncio.run(journal.add(step))


def step_trace(index, *figures):
    outputs = [Output(type='display_data', figure=figure) for figure in figures]
    attempt = Attempt(reply=Reply(text='é'), action=Action(code='1'), execution=Execution(status='ok', outputs=outputs))
    return StepTrace(index=index, question='q', attempts=[attempt])


def test_a_journal_that_was_cut_anywhere_is_gone_on_with(tmp_path):
    """By a kill in the middle of a write, or by a crash of the machine, which leaves zeros where the end has been."""
    store = TraceStore(tmp_path / 'd.traces.jsonl')
    journal = journal_of(store)
    for index in range(many(2, 1)):
        journal.add_gold([{'role': 'user', 'content': 'g'}])
        add(journal, step_trace(index))
    whole = journal.path.read_bytes()
    ends = [at for at, byte in enumerate(whole, 1) if byte == ord('\n')]
    tails = (b'', bytes(3), bytes(3) + b'\n', bytes(3) + whole)
    sizes = range(len(whole) + 1)
    near_ends = [size for size in sizes if any(abs(size - end) < 2 for end in ends)]
    for size, tail in [*((size, size % 4) for size in sizes), *itertools.product(near_ends, range(4))]:
        journal.path.write_bytes(whole[:size] + tails[tail])
        again = journal_of(store)
        lines = sum(end <= size for end in ends)
        assert (len(again), len(again.gold)) == (max(0, lines - 1) // 2, lines // 2), size
        add(again, step_trace(5))
        assert journal_of(store).step(5) is not None


WRITER = """
import os, sys
from pathlib import Path
from cibench_eval.schema import Figure
from cibench_eval.traces import TraceStore
from tests.test_traces import add, journal_of, step_trace

store = TraceStore(Path(sys.argv[1]))
for _ in sys.stdin:
    if not (writer := os.fork()):
        print(os.getpid(), flush=True)
        for number in range(10**6):
            journal = journal_of(store)
            add(journal, step_trace(number, Figure.of(b'%d' % number)))
            journal.clear()
    print(os.waitpid(writer, 0)[1], flush=True)
"""
"""A process that forks a writer for each line that it reads, and says its pid and how it ended."""


def test_a_session_whose_process_is_killed_at_its_first_step_is_gone_on_with(tmp_path):
    moments, store = random.Random(11), TraceStore(tmp_path / 'd.traces.jsonl')
    command, pipes = (
        [sys.executable, '-c', WRITER, str(store.path)],
        {'stdin': subprocess.PIPE, 'stdout': subprocess.PIPE},
    )
    with subprocess.Popen(command, cwd=REPO, text=True, bufsize=1, **pipes) as forking:
        for _ in range(many(30, 3)):
            forking.stdin.write('\n')
            writer = int(forking.stdout.readline())
            ended, _, _ = select.select([forking.stdout], [], [], moments.uniform(0.01, 0.05))
            assert not ended, 'it wrote until it was killed'
            os.kill(writer, signal.SIGKILL)
            assert int(forking.stdout.readline()) == signal.SIGKILL
            for trace in journal_of(store)._steps.values():
                assert all(
                    (store.figures / figure.filename).stat().st_size for figure in trace.attempts[0].execution.figures
                )


def test_all_is_on_the_disk_before_the_line_that_names_it(tmp_path, monkeypatch):
    """Each file that is synced or gets its name, in their order; a line of a journal is written, no more."""
    done, replace = [], Path.replace
    monkeypatch.setattr(os, 'fsync', lambda file: done.append(f'sync {name_of(file)}'))
    monkeypatch.setattr(Path, 'replace', lambda path, to: (done.append(f'name {to.suffix}'), replace(path, to)))
    store = TraceStore(tmp_path / 'd.traces.jsonl')
    journal, figure = journal_of(store), Figure(sha256='a' * 64, data=b'PNG', described=b'{}')
    kept = add(journal, step_trace(0, figure))
    pieces = ['sync .part', 'name .json', 'sync .part', 'name .png', 'sync figures']
    assert done == pieces
    done.clear()
    journal.keep(figure)
    assert done == [], 'it is there'
    names = dict.fromkeys(['experiment', 'model', 'dataset', 'protocol', 'started'], 'x')
    store.append(Trace(**names, mode='oracle', max_attempts=1, seconds=1, steps=[kept]))
    assert done == ['sync .jsonl', f'sync {tmp_path.name}']


def name_of(file):
    path = Path(f'/proc/self/fd/{file}').readlink()
    return path.name if path.is_dir() else path.suffix


def test_a_figure_that_a_crash_has_emptied_is_written_again(tmp_path):
    figure = Figure(sha256='a' * 64, data=b'PNG', described=b'{}')
    path = figure.save(tmp_path)
    for file, content in ((path, b''), (path, bytes(3)), (path.with_suffix('.plot.json'), b'')):
        file.write_bytes(content)
        figure.save(tmp_path)
    assert (path.read_bytes(), path.with_suffix('.plot.json').read_bytes()) == (b'PNG', b'{}')


def test_identity_tells_parts_apart(tmp_path):
    (tmp_path / 'data').mkdir()
    (tmp_path / 'data' / 'x.csv').write_text('a')
    made = experiment('1').model_copy(update={'datasources': tmp_path})

    def identity(model=None, agent=None, kernels=KERNELS, mode='oracle', session=made):
        config = model or {'path': 'x', 'abbr': 'y'}
        return identity_of(SessionSettings(agent or AgentSettings(), kernels, mode, model_config=config), session)

    base = identity()
    assert identity(model={'path': 'x', 'abbr': 'z', 'run_cfg': {}}) == base
    for other in (
        {'ready': 9},
        {'pool_size': 9},
        {'max_concurrent_cells': 9},
        {'startup_timeout': 9.0},
        {'preload': ('x',)},
    ):
        assert identity(kernels=KERNELS.model_copy(update=other)) == base
    changed = {
        'model': identity(model={'path': 'other'}),
        'agent': identity(mode='end_to_end'),
        'kernels': identity(kernels=KERNELS.model_copy(update={'timeout': 1.0})),
        'experiment': identity(session=made.model_copy(update={'typed': False})),
    }
    for part, other in changed.items():
        assert [name for name in base if base[name] != other[name]] == [part]


@pytest.mark.soak
@pytest.mark.kernel
def test_a_step_that_took_its_time_limit_leaves_the_same_state_again(tmp_path):
    """The kernel survives the interrupt, so what ran before the limit is part of the state."""
    replies = [call('y = 5\nwhile True: pass'), 'Final Answer: no', call('print(y)')]
    store, kernels = TraceStore(tmp_path / 'd.traces.jsonl'), KERNELS.model_copy(update={'timeout': 1.0})
    with pytest.raises(HarnessError, match='endpoint gone'):
        run(Failing(*replies[:2]), store, codes='12', kernels=kernels)
    trace = run(Script(*replies[2:]), store, codes='12', kernels=kernels)
    assert [a.execution.status for s in trace.steps for a in s.attempts if a.execution] == ['timeout', 'ok']
    assert trace.steps[1].attempts[0].execution.stdout == '5\n'


@pytest.mark.soak
@pytest.mark.kernel
def test_a_session_whose_steps_end_in_another_way_now_starts_over(tmp_path, caplog):
    """The same code under another limit: what was finished does not stand any more."""
    slow = call('import time\nprint(1)\ntime.sleep(1.5)')

    def go(model, timeout):
        kernels = KERNELS.model_copy(update={'timeout': timeout})
        store = TraceStore(tmp_path / 'd.traces.jsonl')
        of_store = store.journal
        store.journal = lambda name, identity: of_store(name, {})
        batch = Batch([experiment('1', '2')], model, SessionSettings(kernels=kernels), store)
        return asyncio.run(run_sessions(batch, Last()))

    with pytest.raises(HarnessError, match='endpoint gone'):
        go(Failing(slow), 30.0)
    model = Script(call('1'), call('2'))
    (trace,) = go(model, 0.5)
    assert 'starts over' in caplog.text
    assert [step.attempts[0].action.code for step in trace.steps] == ['1', '2']
    assert (Last.progress.steps_done, Last.progress.steps_reused) == (2, 0)


def test_sessions_are_run_by_one_process_at_a_time(tmp_path):
    store, other = (TraceStore(tmp_path / 'd.traces.jsonl') for _ in range(2))
    with store.owned(), pytest.raises(HarnessError, match='another process'), other.owned():
        raise AssertionError('not reached')
    with other.owned():
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_lock_that_its_owner_removes_meanwhile_locks_nothing(tmp_path, monkeypatch):
    """Between opening the file and locking it, the run that had it ends."""
    store, other = (TraceStore(tmp_path / 'd.traces.jsonl') for _ in range(2))
    lock = fcntl.flock

    def removed(file, operation):
        monkeypatch.setattr(fcntl, 'flock', lock)
        next(tmp_path.iterdir()).unlink()
        lock(file, operation)

    monkeypatch.setattr(fcntl, 'flock', removed)
    with store.owned(), pytest.raises(HarnessError, match='another process'), other.owned():
        raise AssertionError('not reached')


@pytest.mark.kernel
def test_an_interrupted_run_leaves_its_steps_and_no_lock(tmp_path):
    step(tmp_path, *REPLIES[:1])
    assert [path.name for path in tmp_path.iterdir()] == ['d.unfinished']


@pytest.mark.soak
@pytest.mark.kernel
def test_figures_are_written_with_their_step_and_let_go(tmp_path):
    store = TraceStore(tmp_path / 'd.traces.jsonl')
    plot = call('import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()')
    with pytest.raises(HarnessError):
        run(Failing(plot), store)
    (figure,) = store.figures.glob('*.png')

    class Keep(Observer):
        def session(self, progress, trace):
            Keep.trace = trace

    store = TraceStore(tmp_path / 'e.traces.jsonl')
    batch = Batch([experiment('1', '2')], Script(plot, plot), SessionSettings(kernels=KERNELS), store)
    asyncio.run(run_sessions(batch, Keep()))
    assert [(made.filename, made.data, made.described) for made in figures_of(Keep.trace)] == [
        (figure.name, b'', b'')
    ] * 2


def test_predictions_are_written_one_by_one_as_if_at_once(tmp_path):
    sessions = [{'steps': [[{'text': 'a\nb', 'None': None}], []], 'gold': ['é "x"']}, {}, {'prediction': []}]
    for number in range(len(sessions) + 1):
        write_predictions(tmp_path / 'one.json', iter(sessions[:number]))
        content = {str(index): session for index, session in enumerate(sessions[:number])}
        whole = json.dumps(content, ensure_ascii=False, indent=1).encode()
        assert json.loads((tmp_path / 'one.json').read_text()) == content
        assert not number or (tmp_path / 'one.json').read_bytes() == whole


def test_predictions_that_cannot_be_made_leave_the_old_file(tmp_path):
    path = tmp_path / 'd.json'
    write_predictions(path, [{}])
    with pytest.raises(ZeroDivisionError):
        write_predictions(path, ({} if index else 1 / 0 for index in range(2)))
    assert ([file.name for file in tmp_path.iterdir()], json.loads(path.read_text())) == (['d.json'], {'0': {}})
