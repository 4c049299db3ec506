"""The reply cache: what is asked once, what is kept, and what several tasks and processes do to it."""

import asyncio
import json
import multiprocessing

import pytest

from cibench_eval.models.base import Stateless, Turn
from cibench_eval.models.reply_cache import CachedModel
from cibench_eval.schema import CibenchError, HarnessError, Reply, ToolCall
from tests.support.asking import HELLO, IMAGE, TURN


class Counting(Stateless):
    """Says how often it was asked, and counts its openings and closings."""

    def __init__(self, **reply):
        self.reply = reply
        self.asked = self.opened = self.closed = self.checked = 0

    def check(self):
        self.checked += 1

    async def __aenter__(self):
        self.opened += 1
        return self

    async def __aexit__(self, *_):
        self.closed += 1

    async def chat(self, messages, turn, stop=(), tools=()):
        assert self.opened > self.closed
        self.asked += 1
        await asyncio.sleep(0)
        return Reply(**{'text': f'reply {self.asked}', 'seconds': 2.0, 'tokens_in': 3, **self.reply})


def ask(model, folder, *requests, identity='i', together=False):
    """The replies of a cached model to requests, which are arguments of `chat`."""

    async def session():
        async with CachedModel(model, folder, identity) as cached:
            asked = [cached.chat(**{'messages': HELLO, 'turn': TURN, **request}) for request in requests or ({},)]
            return await asyncio.gather(*asked) if together else [await one for one in asked]

    return asyncio.run(session())


def test_a_second_run_asks_nothing_and_opens_nothing(tmp_path):
    call = ToolCall(id='1', name='python', arguments='{}')
    first = ask(Counting(tool_calls=[call], finish_reason='tool_calls'), tmp_path)[0]
    model = Counting()
    again = ask(model, tmp_path)[0]
    assert not first.cached
    assert again == first.model_copy(update={'cached': True, 'seconds': 0.0})
    assert (model.asked, model.opened, model.closed) == (0, 0, 0)


def test_everything_that_is_asked_counts(tmp_path):
    model = Counting()
    other = [{'role': 'user', 'content': 'hello '}]
    requests = [{}, {'messages': other}, {'stop': ['x']}, {'tools': [{'name': 'f'}]}]
    assert not any(reply.cached for reply in ask(model, tmp_path, *requests))
    assert not ask(model, tmp_path, identity='j')[0].cached
    model.max_out_len = 9
    assert not ask(model, tmp_path)[0].cached
    model.max_out_len = None
    assert all(reply.cached for reply in ask(model, tmp_path, *requests, {'stop': ('x',)}))


def test_parts_count_and_the_turn_does_not(tmp_path):
    def shown(image):
        part = {**IMAGE, 'image_url': {'url': f'data:image/png;base64,{image}'}}
        return {'messages': [{'role': 'user', 'content': [{'type': 'text', 'text': 'hello'}, part]}]}

    model = Counting()
    ask(model, tmp_path, {}, shown('AAAA'), shown('BBBB'), shown('AAAA'), {'messages': [HELLO[0] | {'content': []}]})
    assert model.asked == 4
    ask(model, tmp_path, {}, {'turn': Turn('other', 5, 2)})
    assert model.asked == 4


@pytest.mark.parametrize(
    ('reason', 'kept'),
    [('stop', True), ('length', True), ('tool_calls', True), ('context_overflow', False), ('content_filter', False)],
)
def test_only_finished_replies_are_kept(tmp_path, reason, kept):
    assert [reply.cached for reply in ask(Counting(finish_reason=reason), tmp_path, {}, {})] == [False, kept]


def test_faults_are_not_kept(tmp_path):
    class Failing(Counting):
        async def chat(self, *_):
            raise HarnessError('down')

    with pytest.raises(HarnessError):
        ask(Failing(), tmp_path)
    assert ask(Counting(), tmp_path)[0].text == 'reply 1'


@pytest.mark.parametrize('content', [b'', b'{"text": "ha', b'[]', b'\xff', b'{"text": "x", "unknown": 1}'])
def test_a_broken_file_is_a_miss_and_mended(tmp_path, content):
    ask(Counting(), tmp_path)
    file = next(tmp_path.rglob('*.json'))
    file.write_bytes(content)
    assert [reply.cached for reply in ask(Counting(), tmp_path, {}, {})] == [False, True]


def test_requests_that_come_together_are_asked_once_each_and_open_the_model_once(tmp_path):
    model = Counting()
    replies = ask(model, tmp_path, *[{}] * 20, together=True)
    assert (model.asked, model.opened, model.closed) == (1, 1, 1)
    assert {reply.text for reply in replies} == {'reply 1'}
    assert sum(not reply.cached for reply in replies) == 1
    ask(model, tmp_path, *({'stop': [str(number)]} for number in range(10)), together=True)
    assert (model.asked, model.opened, model.closed) == (11, 2, 2)


def test_one_who_leaves_does_not_spoil_it_for_the_others(tmp_path):
    async def session():
        asking, go_on = asyncio.Event(), asyncio.Event()

        class Slow(Counting):
            async def chat(self, *arguments):
                asking.set()
                await go_on.wait()
                return await super().chat(*arguments)

        async with CachedModel(Slow(), tmp_path, 'i') as cached:
            first, second = (asyncio.create_task(cached.chat(HELLO, TURN)) for _ in range(2))
            await asking.wait()
            first.cancel()
            go_on.set()
            return await second

    assert asyncio.run(session()).text == 'reply 1'


def test_a_model_that_cannot_be_opened_is_tried_once(tmp_path):
    class Closed(Counting):
        async def __aenter__(self):
            self.opened += 1
            raise HarnessError('the server does not start')

    async def session():
        async with CachedModel(model, tmp_path, 'i') as cached:
            asked = (cached.chat(HELLO, TURN, [str(number)]) for number in range(5))
            return await asyncio.gather(*asked, return_exceptions=True)

    model = Closed()
    assert [str(error) for error in asyncio.run(session())] == ['the server does not start'] * 5
    assert (model.opened, model.closed) == (1, 0)


def test_the_folder_is_made_or_refused_first(tmp_path):
    model = Counting()
    CachedModel(model, tmp_path / 'new', 'i').check()
    assert (tmp_path / 'new').is_dir() and model.checked == 1
    (tmp_path / 'file').write_text('')
    with pytest.raises(CibenchError, match=r'reply cache .*file/below: Not a directory'):
        CachedModel(model, tmp_path / 'file' / 'below', 'i').check()


def test_a_full_disk_costs_the_cache_not_the_reply(tmp_path, caplog):
    (tmp_path / 'file').write_text('')
    replies = ask(Counting(), tmp_path / 'file', {}, {})
    assert [reply.text for reply in replies] == ['reply 1', 'reply 2']
    assert len([record for record in caplog.records if 'are not kept' in record.message]) == 1


def _many(folder, name):
    ask(Counting(text=f'{name} ' * 10_000), folder, *({'stop': [str(number)]} for number in range(50)))


def test_processes_share_a_folder(tmp_path):
    """They write the same fifty replies at the same time; each that is kept is one of theirs, whole."""
    context = multiprocessing.get_context('fork')
    processes = [context.Process(target=_many, args=(tmp_path, name)) for name in ('ab', 'cd', 'ef')]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    kept = [json.loads(file.read_bytes())['text'] for file in tmp_path.rglob('*.json')]
    assert len(kept) == 50 and not list(tmp_path.rglob('*.part'))
    assert all(text in {f'{name} ' * 10_000 for name in ('ab', 'cd', 'ef')} for text in kept)
