"""The client against a server on loopback: what goes over the wire, and what becomes of faults."""

import asyncio
import json

import pytest

from cibench_eval.agents import AgentSettings, CodeBlock, Session, SessionSettings
from cibench_eval.agents.transcript import request_of
from cibench_eval.models import completions
from cibench_eval.models.base import Turn, cut, text_only, without_system
from cibench_eval.models.openai_compatible import OpenAICompatible
from cibench_eval.schema import CibenchError, HarnessError, Reply
from tests.support.chat_server import Body, chat_server, completion, http
from tests.support.sessions import KERNELS, experiment

TURN = Turn('e', 0, 0)
HELLO = [{'role': 'user', 'content': 'hello'}]


def ask(base_url, *, stop=(), tools=(), max_out_len=None, messages=HELLO, **options):
    return ask_each(base_url, [messages], stop=stop, tools=tools, max_out_len=max_out_len, **options)[0]


def ask_each(base_url, conversations, *, stop=(), tools=(), max_out_len=None, **options):
    """Replies of one model to conversations, one after the other."""

    async def session():
        model = OpenAICompatible('m', base_url, **{'retry_wait': 0, **options})
        model.max_out_len = max_out_len
        async with model:
            return [await model.chat(messages, TURN, list(stop), tools) for messages in conversations]

    return asyncio.run(session())


def says(body, *, status=200, **options):
    """The reply of a server that answers with this body."""
    data = json.dumps(body).encode()
    with chat_server(lambda _: data if status == 200 else http(status, data)) as server:
        return ask(server.base_url, **options)


def test_request_and_reply(monkeypatch):
    monkeypatch.setenv('MY_KEY', 'k-1')
    with chat_server(lambda messages: f'you said {messages[-1]["content"]}') as server:
        reply = ask(server.base_url, stop=['\nResponse:'], max_out_len=99, key='MY_KEY', generation_kwargs={'seed': 3})
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ('you said hello', 7, 5)
    assert server.requests == [
        {
            'model': 'm',
            'messages': HELLO,
            'temperature': 0.0,
            'seed': 3,
            'stop': ['\nResponse:'],
            'max_tokens': 99,
        }
    ]
    assert server.keys == ['Bearer k-1']


def test_missing_key_is_named(monkeypatch):
    monkeypatch.delenv('MY_KEY', raising=False)
    with pytest.raises(CibenchError, match='MY_KEY'):
        ask('http://127.0.0.1:9/v1', key='MY_KEY')


def test_too_long_a_history_is_the_models_outcome():
    body = b'{"error": {"message": "too long", "type": "exceed_context_size_error", "code": 400}}'
    with chat_server(lambda _: Body(body)) as server:
        reply = ask(server.base_url)
    assert (reply.text, reply.finish_reason) == ('', 'context_overflow')


def test_empty_content_is_an_empty_reply():
    said = completion('')
    said['choices'][0]['message']['content'] = None
    with chat_server(lambda _: json.dumps(said).encode()) as server:
        assert ask(server.base_url).text == ''


def test_half_a_character_is_replaced():
    """A lone surrogate can come over the wire as JSON, but no file of ours could hold it."""
    body = json.dumps(completion('half \ud83d')).encode()
    with chat_server(lambda _: body) as server:
        assert ask(server.base_url).text == 'half \ufffd'


def test_nothing_empty_is_sent():
    with chat_server(lambda _: 'hi') as server:
        ask(server.base_url)
    assert server.requests == [{'model': 'm', 'messages': HELLO, 'temperature': 0.0}]


@pytest.mark.parametrize('own', ['END', ['END']])
def test_stop_words_of_the_config_and_the_protocol_are_sent_together(own):
    with chat_server(lambda _: 'hi') as server:
        ask(server.base_url, stop=['x'], generation_kwargs={'stop': own})
    assert server.requests[0]['stop'] == ['END', 'x']


def test_settings_that_the_sdk_does_not_know_are_sent_as_they_are():
    settings = {'top_k': 20, 'extra_body': {'chat_template_kwargs': {'enable_thinking': False}}}
    with chat_server(lambda _: 'hi') as server:
        ask(server.base_url, generation_kwargs=settings)
    assert server.requests[0]['top_k'] == 20
    assert server.requests[0]['chat_template_kwargs'] == {'enable_thinking': False}
    assert 'extra_body' not in server.requests[0]


@pytest.mark.parametrize('none', [None, {}])
def test_an_empty_extra_body_is_none(none):
    with chat_server(lambda _: 'hi') as server:
        ask(server.base_url, generation_kwargs={'extra_body': none})
    assert server.requests == [{'model': 'm', 'messages': HELLO, 'temperature': 0.0}]


@pytest.mark.parametrize('setting', ['stream', 'n', 'tools'])
def test_what_is_no_sampling_setting_is_said_first(setting):
    for given in ({setting: 1}, {'extra_body': {setting: 1}}):
        with pytest.raises(CibenchError, match=f'generation_kwargs: {setting}'):
            OpenAICompatible('m', 'http://test/v1', generation_kwargs=given).check()


@pytest.mark.parametrize('key', ['k\n1', 'клüч'])
def test_a_key_that_is_none_is_said_without_showing_it(monkeypatch, key):
    monkeypatch.setenv('MY_KEY', key)
    with pytest.raises(CibenchError, match='MY_KEY') as error:
        OpenAICompatible('m', 'http://test/v1', key='MY_KEY').check()
    assert key not in str(error.value)


# Replies.


def with_message(finish='stop', **message):
    said = completion('')
    said['choices'][0] |= {'message': {'role': 'assistant', **message}, 'finish_reason': finish}
    return said


TOOL = {'type': 'function', 'function': {'name': 'python', 'parameters': {'type': 'object'}}}


def test_tools_are_offered_and_calls_read():
    call = {'id': 'c1', 'type': 'function', 'function': {'name': 'python', 'arguments': '{"code": "1"}'}}
    body = json.dumps(with_message('tool_calls', content=None, tool_calls=[call])).encode()
    with chat_server(lambda _: body) as server:
        reply = ask(server.base_url, tools=[TOOL])
    assert server.requests[0]['tools'] == [TOOL]
    assert (reply.text, reply.finish_reason) == ('', 'tool_calls')
    assert [call.model_dump() for call in reply.tool_calls] == [
        {'id': 'c1', 'name': 'python', 'arguments': '{"code": "1"}'}
    ]


def test_calls_in_other_shapes():
    calls = [{'id': None, 'function': {'name': 'python', 'arguments': {'code': '1'}}}, {'id': 7, 'function': {}}]
    reply = says(with_message(None, content=None, tool_calls=calls))
    assert reply.finish_reason == 'tool_calls'
    assert [(call.id, call.name, call.arguments) for call in reply.tool_calls] == [
        ('call_0', 'python', '{"code": "1"}'),
        ('7', '', ''),
    ]


THOUGHT = 'six times seven'


@pytest.mark.parametrize(
    'thoughts',
    [
        {'reasoning_content': THOUGHT},
        {'reasoning': THOUGHT, 'reasoning_content': None},
        {'reasoning': THOUGHT, 'reasoning_details': [{'type': 'reasoning.text', 'text': THOUGHT}]},
        {'reasoning_details': [{'type': 'reasoning.summary', 'summary': 'six times'}, {'text': ' seven'}]},
        {'reasoning_details': [{'type': 'reasoning.encrypted', 'data': 'x'}], 'reasoning': THOUGHT},
    ],
)
def test_thoughts_are_kept_and_no_part_of_the_text(thoughts):
    reply = says(with_message(content='42', **thoughts))
    assert (reply.text, reply.reasoning) == ('42', THOUGHT)


@pytest.mark.parametrize('thoughts', [None, 7, {}, [], [7, None, {'text': {'text': 3}}], {'effort': 'high'}])
@pytest.mark.parametrize('field', ['reasoning_content', 'reasoning', 'reasoning_details'])
def test_thoughts_in_shapes_that_nobody_knows_cost_nothing(field, thoughts):
    reply = says(with_message(content='42', **{field: thoughts}))
    assert (reply.text, reply.reasoning) == ('42', '')


def test_thoughts_are_text_that_files_can_hold_and_bounded():
    assert says(with_message(content='42', reasoning='half \ud83d')).reasoning == 'half \ufffd'
    endless = says(with_message(content='42', reasoning='x' * 3_000_000))
    assert (endless.text, len(endless.reasoning)) == ('42', completions.MOST_TEXT)


def test_thoughts_that_used_up_the_reply():
    reply = says(with_message('length', content=None, reasoning_content=THOUGHT))
    assert (reply.text, reply.reasoning, reply.finish_reason) == ('', THOUGHT, 'length')


@pytest.mark.parametrize(('details', 'tokens'), [({'reasoning_tokens': 3}, 3), ({}, None), (None, None), (7, None)])
def test_tokens_of_thoughts(details, tokens):
    usage = {'prompt_tokens': 7, 'completion_tokens': 5, 'completion_tokens_details': details}
    reply = says({**completion('x'), 'usage': usage})
    assert (reply.tokens_out, reply.reasoning_tokens) == (5, tokens)


def test_content_in_parts():
    said = [{'type': 'text', 'text': 'a'}, 'b', None]
    for thought in ({'type': 'thinking', 'thinking': [{'text': 'hm'}]}, {'type': 'reasoning', 'text': 'hm'}):
        reply = says(with_message(content=[thought, *said]))
        assert (reply.text, reply.reasoning) == ('ab', 'hm')


def test_a_refusal_is_the_models_text():
    assert says(with_message(content=None, refusal='I cannot.')).text == 'I cannot.'


@pytest.mark.parametrize(
    ('said', 'read'),
    [
        (None, 'stop'),
        ('eos_token', 'stop'),
        ('model_length', 'length'),
        ('content_filter', 'content_filter'),
        ('content_filter: RECITATION', 'content_filter'),
        ('function_call_filter: MALFORMED_FUNCTION_CALL', 'malformed_function_call'),
        ('COMPLETE', 'stop'),
    ],
)
def test_finish_reasons(said, read):
    assert says(with_message(said, content='x')).finish_reason == read


def test_a_message_without_anything_in_it_is_an_empty_reply_if_the_model_ended_it():
    """Google leaves the content out where thinking took all tokens."""
    assert says(with_message('length')).finish_reason == 'length'
    assert says(with_message('stop')).text == ''


HALF = 'half \ud83d'
CALL = {'id': HALF, 'function': {'name': HALF, 'arguments': HALF}}


def test_a_reply_can_be_filed_whatever_it_holds():
    blocks = [{'type': HALF, HALF: [{'data': HALF}]}]
    reply = says(with_message(content=HALF, reasoning=HALF, tool_calls=[CALL], reasoning_blocks=blocks))
    assert Reply.model_validate_json(reply.model_dump_json()) == reply
    assert reply.reasoning_blocks == [{'type': 'half \ufffd', 'half \ufffd': [{'data': 'half \ufffd'}]}]


@pytest.mark.parametrize('levels', [80, 200, 300, 900, 5000])
def test_thoughts_that_no_file_could_hold_are_no_reply(levels):
    deep = '[' * levels + ']' * levels
    said = json.dumps(with_message(content='x', reasoning_blocks=[{'data': 'deep'}])).replace('"deep"', deep)
    with chat_server(lambda _: said.encode()) as server, pytest.raises(HarnessError):
        ask(server.base_url, retries=0)


@pytest.mark.parametrize(
    'usage',
    [
        None,
        {},
        {'prompt_tokens': None, 'completion_tokens': 'many'},
        {'prompt_tokens': -1},
        {'prompt_tokens': 10**30},
    ],
)
def test_usage_that_is_missing(usage):
    reply = says({**completion('x'), 'usage': usage})
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ('x', None, None)


def test_the_reply_ends_at_a_stop_word_that_the_server_ignored():
    reply = says(with_message('length', content='a\nResponse: b'), stop=['\nResponse:'])
    assert (reply.text, reply.finish_reason) == ('a', 'stop')


# What the model, not the endpoint, is the cause of.


@pytest.mark.parametrize('code', ['content_filter', 'data_inspection_failed'])
def test_what_a_filter_holds_back_is_an_outcome(code):
    reply = says({'error': {'message': 'flagged', 'code': code}}, status=400)
    assert (reply.text, reply.finish_reason) == ('', 'content_filter')


# What is learned from refusals.


def learned(caplog, message, refused, *, messages=HELLO, **options):
    """The requests of a model that is asked twice, after what it refuses in the first; one line of log."""
    running = []

    def answer(_):
        last = running[0].requests[-1]
        return http(400, {'error': {'message': message, **options.get('error', {})}}) if refused(last) else 'done'

    with chat_server(answer) as server:
        running.append(server)
        options = {name: value for name, value in options.items() if name != 'error'}
        replies = ask_each(server.base_url, [messages, messages], retries=0, **options)
    assert [reply.text for reply in replies] == ['done', 'done']
    assert len([record for record in caplog.records if record.name == 'cibench_eval.models.completions']) == 1
    first, *later = server.requests
    assert refused(first) and not any(map(refused, later)) and len(later) == 2
    return later[-1]


def test_max_tokens_becomes_max_completion_tokens(caplog):
    message = (
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    )
    error = {'code': 'unsupported_parameter', 'param': 'max_tokens'}
    request = learned(caplog, message, lambda request: 'max_tokens' in request, error=error, max_out_len=9)
    assert request['max_completion_tokens'] == 9


@pytest.mark.parametrize('error', [{'code': 'unsupported_value', 'param': 'temperature'}, {}])
def test_temperature_is_left_out(caplog, error):
    message = "Unsupported value: 'temperature' does not support 0.0 with this model."
    learned(caplog, message, lambda request: 'temperature' in request, error=error)


def test_stop_is_done_here(caplog):
    message = "Unsupported parameter: 'stop' is not supported with this model."
    learned(caplog, message, lambda request: 'stop' in request, stop=['x'])


@pytest.mark.parametrize(
    'message',
    [
        'System role not supported',
        'Conversation roles must alternate user/assistant/user/assistant/...',
        "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
    ],
)
def test_system_messages_open_the_first_question(caplog, message):
    messages = [{'role': 'system', 'content': 'be brief'}, *HELLO]
    request = learned(caplog, message, lambda request: request['messages'][0]['role'] == 'system', messages=messages)
    assert request['messages'] == [{'role': 'user', 'content': 'be brief\n\nhello'}]


def test_no_system_role_as_the_config_says():
    messages = [{'role': 'system', 'content': 'be brief'}, *HELLO]
    with chat_server(lambda _: 'hi') as server:
        ask(server.base_url, messages=messages, system_role=False)
    assert [message['role'] for message in server.requests[0]['messages']] == ['user']


def test_a_system_role_as_the_config_says_is_not_given_up():
    messages = [{'role': 'system', 'content': 'be brief'}, *HELLO]
    body = Body(b'{"error": {"message": "System role not supported"}}')
    with chat_server(lambda _: body) as server, pytest.raises(HarnessError, match='System role not supported'):
        ask(server.base_url, messages=messages, system_role=True)
    assert len(server.requests) == 1


def test_refusals_that_nothing_follows_from_are_faults():
    """The setting was not sent: the same request would be refused for ever."""
    body = Body(b'{"error": {"message": "no", "code": "unsupported_parameter", "param": "seed"}}')
    with chat_server(lambda _: body) as server, pytest.raises(HarnessError, match='HTTP 400: no'):
        ask(server.base_url)
    assert len(server.requests) == 1


# Contents in parts.


def parts(*texts):
    return [{'type': 'text', 'text': text} for text in texts]


IMAGE = {'type': 'image_url', 'image_url': {'url': 'data:image/png;base64,AAAA'}}


def test_parts_are_sent_but_those_that_were_thought():
    thought = {'type': 'reasoning', 'text': 'I think so.'}
    messages = [
        {'role': 'user', 'content': [*parts('look'), IMAGE]},
        {'role': 'assistant', 'content': [thought, *parts('yes')]},
        {'role': 'assistant', 'content': [thought]},
        {'role': 'user', 'content': 'sure?'},
    ]
    with chat_server(lambda _: 'hi') as server:
        ask(server.base_url, messages=messages)
    sent = [message['content'] for message in server.requests[0]['messages']]
    assert sent == [[*parts('look'), IMAGE], 'yes', '', 'sure?']
    assert 'I think so.' not in str(server.requests)
    assert messages[1]['content'] == [thought, *parts('yes')]


@pytest.mark.parametrize('field', ['reasoning_content', 'reasoning'])
def test_what_was_thought_goes_back_where_the_endpoint_wants_it(field):
    thought = {'type': 'reasoning', 'text': 'I think so.'}
    messages = [
        {'role': 'user', 'content': 'look'},
        {'role': 'assistant', 'content': [thought, *parts('yes')], 'tool_calls': []},
        {'role': 'assistant', 'content': 'plain'},
    ]
    with chat_server(lambda _: 'hi') as server:
        ask(server.base_url, messages=messages, send_reasoning=field)
    assert server.requests[0]['messages'] == [
        {'role': 'user', 'content': 'look'},
        {'role': 'assistant', 'content': 'yes', 'tool_calls': [], field: 'I think so.'},
        {'role': 'assistant', 'content': 'plain'},
    ]


@pytest.mark.kernel
@pytest.mark.parametrize(('field', 'sent'), [('reasoning_content', ['Let me count.']), (None, [])])
def test_a_session_repeats_what_was_thought_to_models_that_want_it(field, sent):
    """As interleaved thinking needs it: with each turn of the model's, also at later steps."""
    message = {'role': 'assistant', 'content': '```python\nprint(1)\n```', 'reasoning_content': 'Let me count.'}
    body = json.dumps({'choices': [{'index': 0, 'finish_reason': 'stop', 'message': message}]}).encode()

    async def session(base_url):
        async with OpenAICompatible('m', base_url, send_reasoning=field) as model:
            settings = SessionSettings(AgentSettings(CodeBlock(example=False)), KERNELS)
            return await Session(experiment('1', '2'), model, settings).run()

    with chat_server(lambda _: body) as server:
        trace = asyncio.run(session(server.base_url))
    second = server.requests[1]['messages']
    assert [turn[field] for turn in second if field in turn] == sent
    assert [turn['content'] for turn in second if turn['role'] == 'assistant'] == ['```python\nprint(1)\n```']
    (turn,) = [one for one in request_of(trace, 1, 0) if one['role'] == 'assistant']
    assert ('Let me count.' in str(turn)) == bool(sent)
    assert trace.steps[0].attempts[0].reply.reasoning == 'Let me count.'


def test_parts_without_a_system_role():
    rules = {'role': 'system', 'content': parts('r')}
    assert without_system([rules, {'role': 'user', 'content': 'q'}]) == [{'role': 'user', 'content': parts('r', 'q')}]
    question = {'role': 'user', 'content': [IMAGE, *parts('q')]}
    assert without_system([{'role': 'system', 'content': 'r'}, question]) == [
        {'role': 'user', 'content': [*parts('r'), IMAGE, *parts('q')]}
    ]


def test_text_only():
    thought = {'type': 'reasoning', 'text': 'hm'}
    messages = [{'role': 'user', 'content': parts('a', 'b')}, {'role': 'assistant', 'content': [thought, *parts('c')]}]
    assert [message['content'] for message in text_only(messages, 'm')] == ['a\n\nb', 'c']
    with pytest.raises(HarnessError, match='model m: it takes no images'):
        text_only([{'role': 'user', 'content': [IMAGE]}], 'm')


def test_without_system():
    question, answer = {'role': 'user', 'content': 'q'}, {'role': 'assistant', 'content': 'a'}
    rules, more = {'role': 'system', 'content': 'r'}, {'role': 'system', 'content': 'm'}
    assert without_system([question, answer]) == [question, answer]
    assert without_system([rules, more, question, answer, question]) == [
        {'role': 'user', 'content': 'r\n\nm\n\nq'},
        answer,
        question,
    ]
    assert without_system([rules, answer]) == [{'role': 'user', 'content': 'r'}, answer]
    assert without_system([rules]) == [{'role': 'user', 'content': 'r'}]


def test_cut():
    assert cut('abcde', ['d', 'c', 'z', '']) == 'ab'
    assert cut('abc', []) == 'abc'
