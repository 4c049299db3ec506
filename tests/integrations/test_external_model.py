"""A session turned inside out: what it asks and what it is worth are those of a session that asks a model."""

import asyncio
import json

import pytest

from cibench_eval.agents import Session
from cibench_eval.integrations.external_model import ExternalModelSession
from cibench_eval.integrations.sessions import builtin_split, scores_of, sessions_of
from cibench_eval.models import GoldReplay
from cibench_eval.reports.sessions import values_of
from cibench_eval.schema import CibenchError, HarnessError
from tests.support.notebooks import EXAMPLES, notebook

pytestmark = pytest.mark.kernel
ONLY = 'pandas/penguins'


@pytest.fixture(scope='module')
def sessions():
    return sessions_of(EXAMPLES, only=ONLY, protocol='react', sandbox='auto')


async def asked_of(sessions, most=100, **changes):
    """The trace of a session that is answered with the gold, `most` times, and the requests that it made."""
    experiment = sessions.experiments[ONLY].model_copy(update=changes)
    session, requests = ExternalModelSession(experiment, sessions.settings), []
    while len(requests) < most and (request := await session.next()):
        requests.append(request)
        request.reply.set_result(sessions.settings.agent.protocol.gold(experiment.steps[request.turn.step]))
    return await session.end(), requests


def test_what_it_asks_and_what_it_is_worth_are_those_of_a_session_with_a_model(sessions):
    experiment, protocol = sessions.experiments[ONLY], sessions.settings.agent.protocol
    model, asked = GoldReplay(), []
    model.learn({(experiment.id, step.index): protocol.gold(step) for step in experiment.steps})

    class Watched(GoldReplay):
        async def chat(self, messages, turn, stop=(), tools=()):
            asked.append((messages, turn, [*stop], [*tools]))
            return await model.chat(messages, turn, stop, tools)

    other = asyncio.run(Session(experiment, Watched(), sessions.settings).run())
    trace, requests = asyncio.run(asked_of(sessions))
    assert [(one.messages, one.turn, one.stop, one.tools) for one in requests] == asked
    scores = scores_of(trace, experiment, sessions.profile)
    assert scores == scores_of(other, experiment, sessions.profile)
    assert values_of(scores)['right'] == values_of(scores)['whole_sessions'] == 1


def test_what_was_not_answered_is_not_done(sessions):
    trace, requests = asyncio.run(asked_of(sessions, most=2))
    scores = scores_of(trace, sessions.experiments[ONLY], sessions.profile)
    assert [one.outcome for one in scores] == ['ran', 'correct', 'no_tool', 'no_tool', 'no_tool']
    assert (len(requests), values_of(scores)['right'], values_of(scores)['whole_sessions']) == (2, 0.25, 0)


def test_a_session_that_is_ended_while_it_asks_goes_on_in_silence(sessions):
    async def ended():
        session = ExternalModelSession(sessions.experiments[ONLY], sessions.settings)
        assert await session.next()
        return await session.end()

    trace = asyncio.run(ended())
    assert {attempt.reply.finish_reason for step in trace.steps for attempt in step.attempts} == {'length'}


def test_a_fault_of_the_harness_is_raised_to_whoever_waits(sessions):
    with pytest.raises(HarnessError, match='before its first step'):
        asyncio.run(asked_of(sessions, setup='import no_such_module'))


def test_wrong_options_are_one_line_each(tmp_path):
    with pytest.raises(CibenchError, match='protocol=talk: there is react, tool_calls, code_block'):
        sessions_of(EXAMPLES, protocol='talk')
    with pytest.raises(
        CibenchError, match='easy: no split of a built-in set; there is cibench_generation, cibench_template, '
    ):
        builtin_split('easy')
    with pytest.raises(CibenchError, match='are of the kernel environment modern, kernels run in paper'):
        sessions_of(builtin_split('cibench_template'), only='pandas/*', environment='paper')
    (tmp_path / 'a.ipynb').write_text(json.dumps(notebook(('exec', 'let `n` be 2.', 'n = 2', ''))))
    with pytest.raises(CibenchError, match=r'a\.ipynb: nothing decides whether one of its steps is right'):
        sessions_of(tmp_path)
    assert builtin_split('hard').parts[-3:] == ('builtin_hard', 'modern', 'hard')
