"""The client against a server on loopback: what goes over the wire, and what becomes of answers."""

import asyncio
import json
from functools import partial

import pytest

from cibench_eval.agents import AgentSettings, CodeBlock, Session, SessionSettings
from cibench_eval.agents.transcript import request_of
from cibench_eval.models import Anthropic, Gemini, OpenAICompatible, OpenAIResponses
from cibench_eval.schema import CibenchError, HarnessError, Reply
from tests.support.asking import HELLO, IMAGE, ask, ask_each
from tests.support.chat_server import Body, chat_server, completion, http
from tests.support.sessions import KERNELS, experiment

ask, ask_each = partial(ask, OpenAICompatible), partial(ask_each, OpenAICompatible)
MOST_TEXT = 1_000_000
HALF, WHOLE = 'half \ud83d', 'half \ufffd'


def says(body, *, status=200, **options):
    """The reply of a server that answers with this body."""
    data = json.dumps(body).encode()
    with chat_server(lambda _: data if status == 200 else http(status, data)) as server:
        return ask(server.base_url, **options)


def sent(messages=HELLO, **options):
    """The request that goes over the wire."""
    with chat_server(lambda _: 'hi') as server:
        ask(server.base_url, messages, **options)
    return server.requests[0]


def test_request_and_reply():
    with chat_server(lambda messages: f'you said {messages[-1]["content"]}') as server:
        reply = ask(server.base_url, stop=['\nResponse:'], max_out_len=99, key='MY_KEY', generation_kwargs={'seed': 3})
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ('you said hello', 7, 5)
    sampling = {'temperature': 0.0, 'seed': 3, 'stop': ['\nResponse:'], 'max_tokens': 99}
    assert server.requests == [{'model': 'm', 'messages': HELLO, **sampling}]
    assert server.keys == ['Bearer k-secret']


def test_without_a_key_none_is_sent():
    with chat_server(lambda _: 'hi') as server:
        ask(server.base_url)
    assert server.keys == [None]


def test_a_text_at_which_replies_end_may_stand_in_a_thought():
    said = '<think>\nResponse: comes later\n</think>\nx = 1'
    with chat_server(lambda messages: f'{said}\nResponse: 5') as server:
        assert ask(server.base_url, stop=['\nResponse:']).text == said
    endless = '</' + 'think' * 190_000  # seconds if read at once, hours if again from each mark
    with chat_server(lambda messages: endless) as server:
        assert ask(server.base_url, stop=['\nResponse:']).text == endless


@pytest.mark.parametrize('options', [{}, {'generation_kwargs': {'extra_body': None}}, {'generation_kwargs': {}}])
def test_nothing_empty_is_sent(options):
    assert sent(**options) == {'model': 'm', 'messages': HELLO, 'temperature': 0.0}


@pytest.mark.parametrize('own', ['END', ['END']])
def test_stop_words_of_the_config_and_the_protocol_are_sent_together(own):
    assert sent(stop=['x'], generation_kwargs={'stop': own})['stop'] == ['END', 'x']


def test_settings_that_the_sdk_does_not_know_are_sent_as_they_are():
    request = sent(generation_kwargs={'top_k': 20, 'extra_body': {'chat_template_kwargs': {'enable_thinking': False}}})
    assert (request['top_k'], request['chat_template_kwargs']) == (20, {'enable_thinking': False})
    assert 'extra_body' not in request


@pytest.mark.parametrize('setting', ['stream', 'n', 'tools'])
def test_a_setting_that_is_not_for_sampling_is_refused_first(setting):
    for given in ({setting: 1}, {'extra_body': {setting: 1}}):
        with pytest.raises(CibenchError, match=f'generation_kwargs: {setting}'):
            OpenAICompatible('m', 'http://test/v1', generation_kwargs=given).check()


@pytest.mark.parametrize(
    ('backend', 'setting', 'says'),
    [
        (Anthropic, 'seed', 'Messages API'),
        (OpenAIResponses, 'thinking', 'Responses API'),
        (Gemini, 'reasoning_effort', "Gemini API; use thinking=dict(thinkingLevel='LOW') or dict(thinkingBudget=1024)"),
    ],
)
def test_a_setting_of_another_api_is_refused_first(backend, setting, says):
    with pytest.raises(CibenchError) as raised:
        backend('m', key=None, generation_kwargs={setting: 1}).check()
    assert str(raised.value) == f'model m: generation_kwargs: {setting} is not a setting of the {says}'


@pytest.mark.parametrize('key', ['k\n1', 'клüч', ''])
def test_a_key_that_is_none_is_named_without_showing_it(monkeypatch, key):
    monkeypatch.setenv('MY_KEY', key)
    with pytest.raises(CibenchError, match='MY_KEY') as error:
        OpenAICompatible('m', 'http://test/v1', key='MY_KEY').check()
    assert not key or key not in str(error.value)


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
    (read,) = reply.tool_calls
    assert read.model_dump() == {'id': 'c1', 'name': 'python', 'arguments': '{"code": "1"}'}


def test_calls_in_other_shapes():
    calls = [{'id': None, 'function': {'name': 'python', 'arguments': {'code': '1'}}}, {'id': 7, 'function': {}}]
    reply = says(with_message(None, content=None, tool_calls=calls))
    assert reply.finish_reason == 'tool_calls'
    read = [(call.id, call.name, call.arguments) for call in reply.tool_calls]
    assert read == [('call_0', 'python', '{"code": "1"}'), ('7', '', '')]


@pytest.mark.parametrize('beside', [{}, {'tool_calls': []}])
def test_a_call_in_the_field_of_2023(beside):
    function = {'name': 'python', 'arguments': '{"code": "1"}'}
    reply = says(with_message('function_call', content=None, function_call=function, **beside))
    assert [(call.name, call.arguments) for call in reply.tool_calls] == [('python', '{"code": "1"}')]
    for none in (None, {}, 'none', {'name': '', 'arguments': ''}):
        assert says(with_message(content='x', function_call=none)).tool_calls == []


THOUGHT = 'six times seven'
PARTS = [{'type': 'text', 'text': 'a'}, 'b', None]


@pytest.mark.parametrize(
    ('finish', 'message', 'text', 'reasoning'),
    [
        ('stop', {'reasoning_content': THOUGHT}, '', THOUGHT),
        ('stop', {'reasoning': THOUGHT, 'reasoning_content': None}, '', THOUGHT),
        ('stop', {'reasoning': THOUGHT, 'reasoning_details': [{'text': THOUGHT}]}, '', THOUGHT),
        ('stop', {'reasoning_details': [{'summary': 'six times'}, {'text': ' seven'}]}, '', THOUGHT),
        ('stop', {'reasoning': THOUGHT, 'reasoning_details': [{'data': 'x'}]}, '', THOUGHT),
        ('stop', {'content': [{'type': 'thinking', 'thinking': [{'text': 'hm'}]}, *PARTS]}, 'ab', 'hm'),
        ('stop', {'content': [{'type': 'reasoning', 'text': 'hm'}, *PARTS]}, 'ab', 'hm'),
        ('length', {'content': None, 'reasoning_content': THOUGHT}, '', THOUGHT),
        ('stop', {'content': None, 'refusal': 'I cannot.'}, 'I cannot.', ''),
        ('stop', {'content': None}, '', ''),
        ('length', {}, '', ''),  # Google leaves the content out where thinking took all tokens
        ('stop', {'content': HALF, 'reasoning': HALF}, WHOLE, WHOLE),  # no file of ours could hold a lone surrogate
    ],
)
def test_texts_and_reasoning_in_all_shapes(finish, message, text, reasoning):
    reply = says(with_message(finish, **message))
    assert (reply.finish_reason, reply.text, reply.reasoning) == (finish, text, reasoning)


@pytest.mark.parametrize('thoughts', [None, 7, {}, [], [7, None, {'text': {'text': 3}}], {'effort': 'high'}])
@pytest.mark.parametrize('field', ['reasoning_content', 'reasoning', 'reasoning_details'])
def test_reasoning_in_unknown_shapes_costs_nothing(field, thoughts):
    reply = says(with_message(content='42', **{field: thoughts}))
    assert (reply.text, reply.reasoning) == ('42', '')


def test_texts_are_bounded():
    endless = says(with_message(content='x' * 10_000_000, reasoning='x' * 3_000_000))
    assert (len(endless.text), len(endless.reasoning), endless.finish_reason) == (MOST_TEXT, MOST_TEXT, 'length')


@pytest.mark.parametrize(('details', 'tokens'), [({'reasoning_tokens': 3}, 3), ({}, None), (None, None), (7, None)])
@pytest.mark.parametrize(
    ('total', 'out'),
    [
        ({}, 5),
        ({'total_tokens': 12}, 5),
        ({'total_tokens': 15}, 8),
        ({'total_tokens': 1012, 'cached_tokens': 1000}, 5),  # which are counted apart
    ],
)
def test_tokens_of_reasoning(details, tokens, total, out):
    usage = {'prompt_tokens': 7, 'completion_tokens': 5, 'completion_tokens_details': details, **total}
    reply = says({**completion('x'), 'usage': usage})
    assert (reply.tokens_out, reply.reasoning_tokens) == (out, tokens)


@pytest.mark.parametrize(
    ('usage', 'cached'),
    [
        ({'prompt_tokens_details': {'cached_tokens': 3}}, 3),
        ({'prompt_tokens_details': None, 'cached_tokens': 3}, 3),
        ({'prompt_cache_hit_tokens': 3, 'prompt_cache_miss_tokens': 4}, 3),
        ({'prompt_tokens_details': {'cached_tokens': 5000}}, 7),  # a gateway that counts them apart
    ],
)
def test_cached_tokens_are_some_of_the_requests(usage, cached):
    assert (
        says({**completion('x'), 'usage': {'prompt_tokens': 7, 'completion_tokens': 5, **usage}}).cached_tokens
        == cached
    )


@pytest.mark.parametrize(
    ('said', 'read'),
    [
        (None, 'stop'),
        ('eos_token', 'stop'),
        ('model_length', 'length'),
        ('content_filter: RECITATION', 'content_filter'),
        ('function_call_filter: MALFORMED_FUNCTION_CALL', 'malformed_function_call'),
        ('COMPLETE', 'stop'),
        ('completed', 'stop'),  # OpenRouter's word of a model of OpenAI
        ('repetition', 'length'),  # vLLM, which ends a model that goes in circles
    ],
)
def test_finish_reasons(said, read):
    assert says(with_message(said, content='x')).finish_reason == read


def test_a_reply_can_be_filed_whatever_it_holds():
    call, blocks = {'id': HALF, 'function': {'name': HALF, 'arguments': HALF}}, [{'type': HALF, HALF: [{'data': HALF}]}]
    reply = says(with_message(content=HALF, reasoning=HALF, tool_calls=[call], reasoning_blocks=blocks))
    assert Reply.model_validate_json(reply.model_dump_json()) == reply
    assert reply.reasoning_blocks == [{'type': WHOLE, WHOLE: [{'data': WHOLE}]}]


@pytest.mark.parametrize('levels', [80, 200, 900, 5000])
def test_reasoning_that_no_file_could_hold_is_no_reply(levels):
    deep = '[' * levels + ']' * levels
    said = json.dumps(with_message(content='x', reasoning_blocks=[{'data': 'deep'}])).replace('"deep"', deep)
    with chat_server(lambda _: said.encode()) as server, pytest.raises(HarnessError):
        ask(server.base_url, retries=0)


@pytest.mark.parametrize(
    'usage',
    [
        None,
        {},
        {'prompt_tokens': 0, 'completion_tokens': 0, 'total_tokens': 0},
        {'prompt_tokens': None, 'completion_tokens': 'many'},
        {'prompt_tokens': -1},
        [1],
        'not counted',
        {'prompt_tokens': 10**30},
    ],
)
def test_usage_that_is_missing(usage):
    reply = says({**completion('x'), 'usage': usage})
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ('x', None, None)


@pytest.mark.parametrize(('stop', 'text'), [(['\nResponse:'], 'a'), (['b', 'spo', 'z', ''], 'a\nRe')])
def test_the_reply_ends_at_a_stop_word_that_the_server_ignored(stop, text):
    reply = says(with_message('length', content='a\nResponse: b'), stop=stop)
    assert (reply.text, reply.finish_reason) == (text, 'stop')


@pytest.mark.parametrize(
    'error',
    [
        *({'message': 'flagged', 'code': code} for code in ('content_filter', 'data_inspection_failed', '1301')),
        {'message': 'Content Exists Risk', 'type': 'invalid_request_error'},
        {'message': 'Output blocked by content filtering policy', 'type': 'invalid_request_error'},
        {'message': 'Upstream request failed: <400> InternalError.Algo.DataInspectionFailed: Input text data may'},
    ],
)
def test_a_reply_that_a_filter_holds_back_is_the_models_outcome(error):
    reply = says({'error': error}, status=400)
    assert (reply.text, reply.finish_reason) == ('', 'content_filter')


@pytest.mark.parametrize(
    ('status', 'error'),
    [
        (400, {'message': "Failed to call a function. See 'failed_generation' for more details."}),
        (400, {'message': 'Failed to parse tool call arguments as JSON', 'code': 'tool_use_failed'}),
        (400, {'message': 'GroqException - {"error":{"message":"no JSON","code":"tool_use_failed"}}', 'code': '400'}),
        (500, {'message': "error parsing tool call: raw='x = 1', err=invalid character 'x'", 'type': 'api_error'}),
        (500, {'message': 'Failed to parse input at pos 12: </tool_call>', 'code': 500}),
        (500, {'message': 'unexpected tokens remaining in message header: ["commentary"]', 'code': 500}),
        (500, {'message': 'Unexpected token 12606 while expecting start token 200006', 'code': 500}),
    ],
)
def test_a_call_that_the_server_cannot_read_is_the_models_outcome(status, error):
    """At once: the same model would write it again, and no session of it would ever be over."""
    reply = says({'error': error}, status=status)
    assert (reply.text, reply.finish_reason) == ('', 'malformed_function_call')


# What is learned from refusals.


def learned(caplog, message, refused, *, messages=HELLO, error=None, **options):
    """The last request of a model that is asked twice, after it has refused something once; one line of log."""

    def answer(_):
        last = server.requests[-1]
        return http(400, {'error': {'message': message, **(error or {})}}) if refused(last) else 'done'

    with chat_server(answer) as server:
        replies = ask_each(server.base_url, [messages, messages], retries=0, **options)
    assert [reply.text for reply in replies] == ['done', 'done']
    assert len([record for record in caplog.records if record.name.startswith('cibench_eval.models')]) == 1
    first, *later = server.requests
    assert refused(first) and not any(map(refused, later)) and len(later) == 2
    return later[-1]


UNSUPPORTED = "Unsupported {}: '{}' is not supported with this model."


@pytest.mark.parametrize(
    ('name', 'error', 'options', 'becomes'),
    [
        ('max_tokens', {'code': 'unsupported_parameter', 'param': 'max_tokens'}, {'max_out_len': 9}, 9),
        ('temperature', {'code': 'unsupported_value', 'param': 'temperature'}, {}, None),
        ('temperature', {}, {}, None),
        ('stop', {}, {'stop': ['x']}, None),
    ],
)
def test_a_setting_that_is_refused_is_renamed_or_left_out(caplog, name, error, options, becomes):
    message = UNSUPPORTED.format(error.get('code', 'value').removeprefix('unsupported_'), name)
    request = learned(caplog, message, lambda request: name in request, error=error, **options)
    assert request.get('max_completion_tokens') == becomes


@pytest.mark.parametrize(
    ('name', 'said'),
    [
        ('temperature', 'litellm.BadRequestError: {"message": "`temperature` is deprecated for this model."}'),
        ('temperature', 'invalid temperature: only 1 is allowed for this model'),
        ('stop', 'Argument not supported on this model: stop'),
        ('stop', 'Model grok-4.6 does not support parameter stop.'),
        ('stop', {'detail': [{'loc': ['body', 'stop'], 'msg': 'Extra inputs are not permitted'}]}),
    ],
)
def test_a_setting_that_is_refused_in_other_words_is_left_out(caplog, name, said):
    learned(caplog, said, lambda request: name in request, stop=['x'])


@pytest.mark.parametrize(
    'thought',
    [
        {'content': None, 'reasoning_content': 'I wait for the'},
        {'content': '\n\n', 'reasoning': 'I wait for the'},
        {'content': '<think>I wait for the'},
    ],
)
def test_a_thought_that_a_stop_text_has_ended_is_thought_to_its_end(caplog, thought):
    def answer(_):
        ended = 'stop' in server.requests[-1]
        return json.dumps(with_message('stop', **thought)).encode() if ended else '<think>I wait.</think>done\nx'

    with chat_server(answer) as server:
        replies = ask_each(server.base_url, [HELLO, HELLO], stop=['\nx'], retries=0)
    assert [reply.text for reply in replies] == ['<think>I wait.</think>done'] * 2
    assert ['stop' in request for request in server.requests] == [True, False, False]
    assert len(caplog.records) == 1
    assert [(reply.replies, reply.tokens_out) for reply in replies] == [(2, 10), (1, 5)]


@pytest.mark.parametrize('by', [{'stop_reason': None}, {'matched_stop': 151645}])
@pytest.mark.parametrize('stream', [True, False])
def test_a_thought_that_the_model_has_ended_leaves_the_texts_at_which_replies_end(by, stream):
    thought = {'role': 'assistant', 'reasoning_content': 'I say nothing.'}
    body = json.dumps({'choices': [{'delta': thought, 'message': thought, 'finish_reason': 'stop', **by}]}).encode()
    body = b'data: ' + body + b'\n\n' if stream else body
    with chat_server(lambda _: body) as server:
        ask_each(server.base_url, [HELLO, HELLO], stop=['x'], stream=stream)
    assert ['stop' in request for request in server.requests] == [True, True]


RULES = [{'role': 'system', 'content': 'be brief'}, *HELLO]


@pytest.mark.parametrize(
    'message',
    [
        'System role not supported',
        'Conversation roles must alternate user/assistant/user/assistant/...',
        "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
    ],
)
def test_system_messages_open_the_first_question(caplog, message):
    request = learned(caplog, message, lambda request: request['messages'][0]['role'] == 'system', messages=RULES)
    assert request['messages'] == [{'role': 'user', 'content': 'be brief\n\nhello'}]


@pytest.mark.parametrize(
    ('options', 'error'),
    [
        ({'system_role': True}, {'message': 'System role not supported'}),  # as the config says
        ({}, {'message': 'no', 'code': 'unsupported_parameter', 'param': 'seed'}),  # was not sent
    ],
)
def test_a_refusal_that_changes_nothing_is_a_fault(options, error):
    body = Body(json.dumps({'error': error}).encode())
    with chat_server(lambda _: body) as server, pytest.raises(HarnessError, match=error['message']):
        ask(server.base_url, RULES, **options)
    assert len(server.requests) == 1


# Contents in parts.


def parts(*texts):
    return [{'type': 'text', 'text': text} for text in texts]


def user(content):
    return {'role': 'user', 'content': content}


def system(content):
    return {'role': 'system', 'content': content}


ANSWER = {'role': 'assistant', 'content': 'a'}


@pytest.mark.parametrize(
    ('messages', 'expected'),
    [
        ([user('q'), ANSWER], [user('q'), ANSWER]),
        ([system('r'), system('m'), user('q'), ANSWER, user('q')], [user('r\n\nm\n\nq'), ANSWER, user('q')]),
        ([system('r'), ANSWER], [user('r'), ANSWER]),
        ([system('r')], [user('r')]),
        ([system(parts('r')), user('q')], [user(parts('r', 'q'))]),
        ([system('r'), user([IMAGE, *parts('q')])], [user([*parts('r'), IMAGE, *parts('q')])]),
    ],
)
def test_models_without_a_system_role(messages, expected):
    assert sent(messages, system_role=False)['messages'] == expected


THINKING = {'type': 'reasoning', 'text': 'I think so.'}


def test_parts_are_sent_without_reasoning():
    messages = [
        user([*parts('look'), IMAGE]),
        {'role': 'assistant', 'content': [THINKING, *parts('yes')]},
        {'role': 'assistant', 'content': [THINKING]},
        user('sure?'),
    ]
    request = sent(messages)
    assert [message['content'] for message in request['messages']] == [[*parts('look'), IMAGE], 'yes', '', 'sure?']
    assert messages[1]['content'] == [THINKING, *parts('yes')]


@pytest.mark.parametrize('field', ['reasoning_content', 'reasoning'])
def test_reasoning_goes_back_where_the_endpoint_wants_it(field):
    messages = [
        user('look'),
        {'role': 'assistant', 'content': [THINKING, *parts('yes')], 'tool_calls': []},
        {'role': 'assistant', 'content': 'plain'},
        {'role': 'assistant', 'content': '', 'tool_calls': [{'id': 'of gold'}]},
    ]
    assert sent(messages, send_reasoning=field)['messages'] == [
        user('look'),
        {'role': 'assistant', 'content': 'yes', 'tool_calls': [], field: 'I think so.'},
        {'role': 'assistant', 'content': 'plain'},
        {'role': 'assistant', 'content': '', 'tool_calls': [{'id': 'of gold'}], field: ' '},
    ]


@pytest.mark.kernel
@pytest.mark.parametrize(('field', 'expected'), [('reasoning_content', ['Let me count.']), (None, [])])
def test_a_session_repeats_reasoning_to_models_that_want_it(field, expected):
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
    assert [turn[field] for turn in second if field in turn] == expected
    assert [turn['content'] for turn in second if turn['role'] == 'assistant'] == ['```python\nprint(1)\n```']
    (turn,) = [one for one in request_of(trace, 1, 0) if one['role'] == 'assistant']
    assert ('Let me count.' in str(turn)) == bool(expected)
    assert trace.steps[0].attempts[0].reply.reasoning == 'Let me count.'
