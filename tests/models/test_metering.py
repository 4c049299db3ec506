"""What sessions and runs may use: limits end what they should, and the sums are those of the replies."""

import asyncio
import io
from pathlib import Path

import pytest

from cibench_eval.agents import Session, SessionSettings
from cibench_eval.models.base import Stateless
from cibench_eval.models.limits import Limits, Price, Usage, usage_of
from cibench_eval.models.metering import Ledger, MeteredModel
from cibench_eval.run.main import main
from cibench_eval.schema import Reply
from tests.support.notebooks import config_folder, endpoint, small_set
from tests.support.runs import MINE, change
from tests.support.sessions import KERNELS, call, experiment

PRICE = Price(input=2.0, output=10.0)


class Counted(Stateless):
    """Calls that say their tokens: 80 in, 20 out."""

    asked = 0

    async def chat(self, messages, turn, stop=(), tools=()):
        self.asked += 1
        return Reply(text=call('1'), tokens_in=80, tokens_out=20)


def session(mode='end_to_end', price=PRICE, **limits):
    settings = SessionSettings(kernels=KERNELS, mode=mode, limits=Limits(**limits), price=price)
    return asyncio.run(Session(experiment('1', '2', '3', '4'), Counted(), settings).run())


@pytest.mark.kernel
@pytest.mark.parametrize('mode', ['end_to_end', 'oracle'])
@pytest.mark.parametrize('limits', [{'session_tokens': 200}, {'session_cost': 2 * 360e-6}])
def test_a_session_over_its_limit_ends_and_the_rest_has_no_attempts(mode, limits):
    trace = session(mode, **limits)
    assert [len(step.attempts) for step in trace.steps] == [1, 1, 0, 0]
    (name,) = limits
    assert [name in step.ended for step in trace.steps] == [False, False, True, True]


@pytest.mark.kernel
def test_seconds_are_those_of_model_and_kernel():
    trace = session(session_seconds=1e-6)
    assert [len(step.attempts) for step in trace.steps] == [1, 0, 0, 0]


@pytest.mark.kernel
def test_repeating_code_after_a_death_counts():
    """The second step kills its kernel each time that it is tried, and what the first had done is repeated."""

    class Dying(Counted):
        async def chat(self, messages, turn, stop=(), tools=()):
            codes = ('x = sum(range(10**6))', 'import os; os._exit(1)', 'x')
            return Reply(text=call(codes[turn.step]), tokens_in=80, tokens_out=20)

    settings = SessionSettings(kernels=KERNELS)
    trace = asyncio.run(Session(experiment('1', '2', '3'), Dying(), settings).run())
    executions = [attempt.execution for step in trace.steps for attempt in step.attempts]
    repeated = sum(execution.recovery for execution in executions)
    assert repeated > 0
    used = usage_of(trace.steps, PRICE).kernel_seconds
    assert used == pytest.approx(sum(execution.seconds for execution in executions) + repeated)


@pytest.mark.kernel
def test_usage_is_the_sum_of_the_replies():
    usage = usage_of(session().steps, PRICE)
    assert (usage.replies, usage.tokens_in, usage.tokens_out, usage.unmeasured) == (4, 320, 80, 0)
    assert usage.cost == pytest.approx((320 * 2 + 80 * 10) / 1e6)
    assert usage.kernel_seconds > 0
    assert usage + Usage() == usage
    assert (usage + usage).tokens_in == 640


def test_a_limit_that_cannot_be_held_is_told_once(tmp_path, caplog):
    class Uncounted(Stateless):
        async def chat(self, *_):
            return Reply(text='x')

    for limits in (Limits(run_seconds=1e9), Limits(run_tokens=9, session_cost=9.0)):
        model = MeteredModel(Uncounted(), limits, PRICE, Ledger(tmp_path / 'usage.jsonl'))
        for _ in range(2):
            asyncio.run(model.chat([], None))
    (told,) = [record.getMessage() for record in caplog.records]
    assert 'session_cost, run_tokens cannot be held; set run_seconds' in told


def test_a_reply_of_a_record_is_not_paid_for(tmp_path):
    class Recorded(Stateless):
        async def chat(self, *_):
            return Reply(text='x', tokens_in=9, tokens_out=9, cached=True)

    ledger = Ledger(tmp_path / 'usage.jsonl')
    asyncio.run(MeteredModel(Recorded(), Limits(), PRICE, ledger).chat([], None))
    assert not ledger.path.exists()


def test_a_line_whose_rest_comes_while_it_is_read_counts_once_it_is_whole(tmp_path, monkeypatch):
    class Growing(io.BytesIO):
        def __iter__(self):
            return iter([b'{"tokens": 1, "cost": 0}\n', b'{"tokens": 5', b'00, "cost": 0}\n'])

    ledger = Ledger(tmp_path / 'usage.jsonl')
    with monkeypatch.context() as patched:
        patched.setattr(Path, 'open', lambda path, mode: Growing())
        ledger.refresh()
    ledger.path.write_bytes(b''.join(Growing()))
    ledger.refresh()
    assert ledger.tokens == 501


@pytest.mark.kernel
def test_a_run_over_its_limit_stops_and_goes_on_under_a_higher_one(tmp_path, capsys):
    """A reply costs 12 tokens. What is paid for is never asked again, and a torn line of the ledger is forgiven.

    What other tasks have paid for, each in a file of its own, counts, too.
    """
    configs = config_folder(tmp_path, small_set(tmp_path / 'data'))
    runtime = (configs / 'runtimes' / 'local.py').read_text()
    words = [*MINE, '--max-sessions', '1', '--config-dir', str(configs)]

    def run(*more, **limits):
        (configs / 'runtimes' / 'local.py').write_text(f'{runtime}\nlimits = {limits!r}\n')
        code = main([*words, '-w', str(tmp_path / 'out'), '-m', 'infer', *more])
        return code, len(server.requests), capsys.readouterr().err

    with endpoint(tmp_path, lambda _: call('1')) as server:
        change(configs / 'models/mine.py', 'type=', 'price=dict(input=2.0, output=10.0), type=')
        code, asked, said = run(run_seconds=1e-9)
        assert (code, asked) == (1, 0) and 'run_seconds 1e-09 used up; raise it in the config and go on with -r' in said
        code, asked, said = run('-r', run_tokens=30)
        assert (code, asked) == (1, 3) and 'limits: run_tokens 30 used up;' in said
        assert run('-r', run_tokens=30)[:2] == (1, 3)
        (ledger,) = (tmp_path / 'out').glob('*/predictions/usage.jsonl')
        with ledger.open('a') as file:
            file.write('{"tokens": 9')
        ledger.with_suffix('.1-0-7r0.jsonl').write_text('{"tokens": 1234567, "cost": 0.5}\n')
        for name, limit in (('run_tokens', 1_234_567), ('run_cost', 0.5)):
            code, asked, said = run('-r', **{name: limit})
            assert (code, asked) == (1, 3) and f'limits: {name} {limit} used up; raise it in the config' in said
        assert run('-r', run_tokens=2_000_000)[:2] == (0, 12)
