"""Concurrent questions to a model that takes lists: gathered, answered in order, each with its own outcome."""

import asyncio

import pytest

from cibench_eval.opencompass.chat_model import OpenCompassModel
from cibench_eval.schema import HarnessError
from tests.support import tiny_hf

RAISING = "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}{% endif %}{% endfor %}"
DROPPING = "{% for m in messages if m.role != 'system' %}<{{ m.role }}>{{ m.content }}{% endfor %}"


def new_model(*arguments):
    from tests.support.batched_model import Model  # here, because every process of the tests reads every test file

    return Model(*arguments)


def ask(model, text, **options):
    return asyncio.create_task(model.chat([{'role': 'user', 'content': text}], None, **options))


def answered(inner, *texts, **options):
    """What a model says to questions that begin together: replies, or errors."""

    async def session():
        async with OpenCompassModel(inner, **options) as model:
            return await asyncio.gather(*(ask(model, text) for text in texts), return_exceptions=True)

    return asyncio.run(session())


async def busy(inner, model):
    """A task whose call has begun and waits."""
    first = ask(model, 'first')
    await asyncio.to_thread(inner.begun.acquire)
    return first


@pytest.mark.soak
def test_what_waits_is_asked_in_one_call_and_answered_in_order():
    inner = new_model()

    async def session():
        async with OpenCompassModel(inner, batch_size=4) as model:
            tasks = [await busy(inner, model), *(ask(model, f'q{index}') for index in range(6))]
            await asyncio.sleep(0)
            inner.let(3)
            return [reply.text for reply in await asyncio.gather(*tasks)]

    assert asyncio.run(session()) == ['re: first', *(f're: q{index}' for index in range(6))]
    assert inner.calls == [['first'], ['q0', 'q1', 'q2', 'q3'], ['q4', 'q5']]


@pytest.mark.soak
@pytest.mark.parametrize(('options', 'calls'), [({'batch_size': 8}, ['abc']), ({}, 'abc')])
def test_what_starts_together_is_asked_together_if_the_config_says_so(options, calls):
    inner = new_model()
    inner.let(len(calls))
    answered(inner, *'abc', **options)
    assert inner.calls == [[*one] for one in calls]


def test_a_fault_reaches_everyone_of_its_call_and_nobody_else():
    def answer(prompt):
        if prompt == 'bad':
            raise RuntimeError('CUDA out\nof memory')
        return prompt

    inner = new_model(answer)

    async def session():
        async with OpenCompassModel(inner, batch_size=2) as model:
            tasks = [await busy(inner, model), *(ask(model, text) for text in ('bad', 'beside', 'after'))]
            await asyncio.sleep(0)
            inner.let(3)
            return await asyncio.gather(*tasks, return_exceptions=True)

    first, bad, beside, after = asyncio.run(session())
    assert (first.text, after.text) == ('first', 'after')
    assert str(bad) == str(beside) == 'model tiny: a call with 2 questions failed: RuntimeError: CUDA out of memory'
    assert isinstance(bad, HarnessError)
    assert bad is not beside


def test_too_few_answers_are_a_fault():
    inner = new_model()
    inner.generate = lambda inputs, max_out_len: ['only one']
    said = [str(error) for error in answered(inner, 'a', 'b', batch_size=2)]
    assert said == ['model tiny: asked 2 questions, it gave 1 answers'] * 2


def test_who_is_cancelled_stops_nobody():
    inner = new_model()

    async def session():
        async with OpenCompassModel(inner, batch_size=4) as model:
            first = await busy(inner, model)
            gone, stays = ask(model, 'gone'), ask(model, 'stays')
            await asyncio.sleep(0)
            first.cancel()
            gone.cancel()
            inner.let(2)
            replies = await asyncio.gather(first, gone, stays, return_exceptions=True)
            inner.let(1)
            return [*replies, await ask(model, 'later')]

    first, gone, stays, later = asyncio.run(session())
    assert isinstance(first, asyncio.CancelledError)
    assert isinstance(gone, asyncio.CancelledError)
    assert (stays.text, later.text) == ('re: stays', 're: later')
    assert inner.calls == [['first'], ['stays'], ['later']]


def test_all_gone_leaves_a_model_that_answers():
    inner = new_model()

    async def session():
        async with OpenCompassModel(inner, batch_size=4) as model:
            tasks = [await busy(inner, model), ask(model, 'gone')]
            await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
            inner.let(2)
            return await ask(model, 'later')

    assert asyncio.run(session()).text == 're: later'


def test_one_model_serves_one_event_loop_after_the_other():
    inner = new_model()
    inner.let(2)
    model = OpenCompassModel(inner, batch_size=2)

    async def session():
        async with model:
            return (await ask(model, 'q')).text

    assert [asyncio.run(session()) for _ in range(2)] == ['re: q', 're: q']


def test_only_questions_with_the_same_stop_words_share_a_call():
    inner = new_model(lambda prompt: f'{prompt} STOP more END')
    inner.let(3)

    async def session():
        async with OpenCompassModel(inner, batch_size=4) as model:
            stops = (['STOP'], ['END'], ['STOP'])
            return await asyncio.gather(*(ask(model, f'q{i}', stop=stop) for i, stop in enumerate(stops)))

    assert [reply.text for reply in asyncio.run(session())] == ['q0 ', 'q1 STOP more ', 'q2 ']
    assert inner.calls == [['q0', 'q2'], ['q1']]


def test_stop_words_reach_classes_that_take_them():
    from tests.support.batched_model import Model

    class Stopping(Model):
        def generate(self, inputs, max_out_len, stopping_criteria=()):
            self.stopping = stopping_criteria
            return super().generate(inputs, max_out_len)

    inner = Stopping()
    inner.let(1)

    async def session():
        async with OpenCompassModel(inner) as model:
            return await ask(model, 'q', stop=('\nResponse:',))

    assert asyncio.run(session()).text == 're: q'
    assert inner.stopping == ['\nResponse:']


def test_tools_are_refused_in_one_line():
    async def session():
        async with OpenCompassModel(new_model()) as model:
            await ask(model, 'q', tools=[{'type': 'function'}])

    with pytest.raises(HarnessError, match='cannot call tools') as error:
        asyncio.run(session())
    assert '\n' not in str(error.value)


def test_contents_in_parts_are_texts_and_images_are_refused_in_one_line():
    inner = new_model()
    inner.let(1)
    words = [{'type': 'text', 'text': 'a'}, {'type': 'reasoning', 'text': 'hm'}, {'type': 'text', 'text': 'b'}]
    image = {'type': 'image_url', 'image_url': {'url': 'data:image/png;base64,AAAA'}}

    async def session():
        async with OpenCompassModel(inner) as model:
            reply = await ask(model, words)
            with pytest.raises(HarnessError, match='model tiny: it takes no images; ask a vision model'):
                await ask(model, [*words, image])
            return reply.text

    assert asyncio.run(session()) == 're: a\n\nb'
    assert inner.calls == [['a\n\nb']]


@pytest.mark.parametrize(('is_api', 'given', 'lost'), [(True, '', True), (False, '', False), (False, None, True)])
def test_what_a_class_gives_when_its_request_failed_is_no_reply(is_api, given, lost):
    inner = new_model(lambda prompt: given if prompt == 'bad' else prompt)
    inner.is_api = is_api
    inner.let(1)
    bad, good = answered(inner, 'bad', 'good', batch_size=2)
    assert good.text == 'good', 'the others of the call are answered'
    if lost:
        assert isinstance(bad, HarnessError)
        assert 'model tiny: its OpenCompass class gave no answer' in str(bad)
    else:
        assert bad.text == ''


CHAT = [
    {'role': 'system', 'content': 'rules'},
    {'role': 'user', 'content': 'one'},
    {'role': 'assistant', 'content': 'two'},
    {'role': 'user', 'content': 'three'},
]


@pytest.mark.parametrize(('template', 'takes'), [(tiny_hf.TEMPLATE, True), (RAISING, False), (DROPPING, False)])
def test_templates_without_a_system_role_are_found_out(tmp_path, template, takes):
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(tiny_hf.save(tmp_path))
    tokenizer.chat_template = template
    inner = new_model()
    inner.tokenizer = tokenizer
    inner.let(1)

    async def session():
        async with OpenCompassModel(inner) as model:
            return await model.chat(CHAT, None)

    seen = []
    generate = inner.generate
    inner.generate = lambda inputs, max_out_len: seen.extend(inputs) or generate(inputs, max_out_len)
    asyncio.run(session())
    asked = [(part['role'], part['prompt']) for part in seen[0]]
    assert asked[-2:] == [('BOT', 'two'), ('HUMAN', 'three')]
    assert asked[:-2] == ([('SYSTEM', 'rules'), ('HUMAN', 'one')] if takes else [('HUMAN', 'rules\n\none')])


def test_a_batch_of_a_real_model_is_what_it_says_one_by_one(tmp_path):
    from opencompass.models import HuggingFacewithChatTemplate

    inner = HuggingFacewithChatTemplate(path=str(tiny_hf.save(tmp_path)), max_seq_len=512)
    chats = [[{'role': 'user', 'content': text}] for text in ('a', 'a longer question', 'and another one')]

    async def session(batch_size):
        async with OpenCompassModel(inner, batch_size=batch_size) as model:
            model.max_out_len = 4
            replies = await asyncio.gather(*(model.chat(chat, None, ['\nResponse:']) for chat in chats))
            return [reply.text for reply in replies]

    assert asyncio.run(session(1)) == asyncio.run(session(3))
