"""Replies from what is known: the gold, traces of an earlier run, scripts."""

import asyncio

import pytest

from cibench_eval import models
from cibench_eval.models import BACKENDS, GoldReplay, ScriptReplay, TraceReplay
from cibench_eval.models.base import Turn
from cibench_eval.schema import Action, Attempt, CibenchError, HarnessError, Reply, StepTrace, Trace
from cibench_eval.traces import TraceStore
from tests.support.sessions import Script, call, experiment, play, taught

GOLD = Reply(text='gold')
GOLDS = {('m/x', 0): GOLD, ('m/x', 3): Reply(text='third')}


def ask(model, step=0, attempt=0, name='m/x', stop=()):
    async def session():
        async with model:
            return await model.chat([], Turn(name, step, attempt), stop)

    model.check()
    return asyncio.run(session())


def test_every_backend_can_be_had_by_its_name():
    for name in BACKENDS:
        assert getattr(models, name).__name__ == name


def gold():
    model = GoldReplay()
    model.learn(GOLDS)
    return model


def test_gold():
    assert ask(gold()) is ask(gold(), attempt=2) is GOLD
    assert ask(gold(), 3).text == 'third'


def test_gold_of_one_dataset_after_the_other():
    model = gold()
    model.learn({('m/x', 3): Reply(text='of the second'), ('m/y', 0): GOLD})
    assert [ask(model).text, ask(model, 3).text, ask(model, name='m/y').text] == ['gold', 'of the second', 'gold']
    with pytest.raises(HarnessError, match=r'GoldReplay: it has no gold reply for m/x, step 1; give it'):
        ask(model, 1)


# Traces.


def trace(*steps, name='m/x', **fields):
    """A trace whose steps are lists of replies."""
    taken = [
        StepTrace(
            index=index,
            question='q',
            attempts=[Attempt(reply=Reply(text=text, seconds=3, tokens_in=1), action=Action()) for text in replies],
        )
        for index, replies in enumerate(steps)
    ]
    filed = {'model': 'm', 'dataset': 'd', 'mode': 'end_to_end', **fields}
    return Trace(experiment=name, protocol='react', max_attempts=3, steps=taken, started='', seconds=1, **filed)


def written(path, *traces):
    for one in traces:
        TraceStore(path).append(one)
    return path


@pytest.fixture
def folder(tmp_path):
    written(tmp_path / 'qwen' / 'd.traces.jsonl', trace(['a'], ['b', 'c']), trace(['other'], name='m/y'))
    return tmp_path


@pytest.mark.parametrize('path', ['qwen/d.traces.jsonl', 'qwen', '', '*/*.traces.jsonl', '**/*.traces.jsonl'])
def test_traces_in_a_file_a_folder_or_a_pattern(folder, path):
    model = TraceReplay(f'{folder}/{path}')
    assert [ask(model, 0).text, ask(model, 1).text, ask(model, 1, 1).text] == ['a', 'b', 'c']
    assert ask(model, name='m/y').text == 'other'


def test_what_is_replayed_cost_nothing(folder):
    reply = ask(TraceReplay(str(folder)))
    assert (reply.cached, reply.seconds, reply.tokens_in) == (True, 0.0, 1)


@pytest.mark.parametrize(
    ('place', 'says'),
    [
        ({'name': 'm/z'}, 'has no session of experiment m/z'),
        ({'step': 2}, r'd\.traces\.jsonl has no reply for m/x, step 2, attempt 0: 0 attempts'),
        ({'step': 1, 'attempt': 2}, r'm/x, step 1, attempt 2: 2 attempts of that step were recorded'),
    ],
)
def test_what_was_not_recorded_is_named(folder, place, says):
    with pytest.raises(HarnessError, match=says):
        ask(TraceReplay(str(folder)), **place)


def test_different_replies_at_one_place_are_no_answer(folder):
    written(folder / 'llama' / 'd.traces.jsonl', trace(['x'], model='llama', mode='oracle'))
    with pytest.raises(CibenchError, match=r'different replies for m/x: name one file, .* mode, model or epoch'):
        ask(TraceReplay(str(folder)))
    assert ask(TraceReplay(str(folder), model='llama')).text == 'x'
    assert ask(TraceReplay(str(folder), mode='end_to_end')).text == 'a'
    with pytest.raises(CibenchError, match=r'no trace that is wanted .dataset none'):
        ask(TraceReplay(str(folder), dataset='none'))


def test_the_same_replies_twice_and_a_torn_last_line_are_fine(folder):
    path = written(folder / 'copy' / 'd.traces.jsonl', trace(['a'], ['b', 'c']))
    path.write_bytes(path.read_bytes() + b'{"experiment": "m/z", "mod')
    assert ask(TraceReplay(str(folder))).text == 'a'


def test_a_line_that_is_no_trace_is_named(folder):
    path = folder / 'qwen' / 'd.traces.jsonl'
    path.write_bytes(path.read_bytes() + b'{"experiment": 5}\n')
    with pytest.raises(CibenchError, match=r'd\.traces\.jsonl, line 3: not a trace \(experiment'):
        TraceReplay(str(path)).check()


@pytest.mark.parametrize(
    ('path', 'says'),
    [
        ('none.traces.jsonl', 'no file'),
        ('empty', 'no file'),
        ('*.none', 'no file'),
        ('runs/**.traces.jsonl', r'pattern .*runs/\*\*\.traces\.jsonl: .*; correct it'),
    ],
)
def test_no_files(tmp_path, path, says):
    (tmp_path / 'empty').mkdir()
    with pytest.raises(CibenchError, match=f'TraceReplay: {says}'):
        TraceReplay(str(tmp_path / path)).check()


def test_traces_at_home(folder, monkeypatch):
    monkeypatch.setenv('HOME', str(folder))
    assert ask(TraceReplay('~/qwen')).text == ask(TraceReplay('~/*/d.traces.jsonl')).text == 'a'


@pytest.mark.kernel
@pytest.mark.parametrize('mode', ['end_to_end', 'oracle'])
def test_a_session_comes_out_as_it_was(tmp_path, mode):
    """Failures, repeated attempts and all."""

    def run(model):
        gold = experiment('a = 1', 'print(a)')
        return play(taught(model, gold), gold, mode=mode)

    first = run(Script(call('b = 1'), call('a'), call('print(b)')) if mode == 'end_to_end' else GoldReplay())
    path = written(tmp_path / 'd.traces.jsonl', first)
    again = run(TraceReplay(str(path)))
    assert _outcome(again) == _outcome(first)


def _outcome(trace):
    return [
        (
            step.index,
            [(a.reply.text, a.execution.status, a.messages[-1]['content'].split('line')[0]) for a in step.attempts],
        )
        for step in trace.steps
    ]


# Scripts.


@pytest.mark.parametrize(
    ('script', 'replies'),
    [
        ('r', {(0, 0): 'r', (3, 2): 'r'}),
        (['a', ['b', 'c']], {(0, 0): 'a', (0, 2): 'a', (1, 0): 'b', (1, 1): 'c'}),
        ({'m/x': {0: 'a', 4: ['b']}, '*': 'no'}, {(0, 1): 'a', (4, 0): 'b'}),
        ({'m/x': ['a'], 'm/y': 'no'}, {(0, 0): 'a'}),
        ({'*': [{'text': 'a', 'finish_reason': 'length'}]}, {(0, 0): 'a'}),
        ({'text': 'a'}, {(7, 1): 'a'}),
    ],
)
def test_scripts(script, replies):
    model = ScriptReplay(replies=script)
    assert {place: ask(model, *place).text for place in replies} == replies


def test_tool_calls_of_a_script():
    reply = ask(ScriptReplay(replies={'tool_calls': [{'name': 'python', 'arguments': {'code': '1'}}]}))
    assert reply.finish_reason == 'tool_calls'
    assert reply.tool_calls[0].model_dump() == {'id': 'call_0', 'name': 'python', 'arguments': '{"code": "1"}'}


def test_texts_end_at_stop_words():
    assert ask(ScriptReplay(replies='a\nResponse: b'), stop=['\nResponse:']).text == 'a'


@pytest.mark.parametrize(
    ('name', 'content'),
    [
        ('s.yaml', 'm/x:\n  1:\n    - |\n      two\n      lines\n'),
        ('s.json', '{"m/x": {"1": ["two\\nlines\\n"]}}'),
        ('s.txt', 'two\nlines\n'),
    ],
)
def test_files(tmp_path, name, content):
    (tmp_path / name).write_text(content)
    assert ask(ScriptReplay(str(tmp_path / name)), 1).text == 'two\nlines\n'


@pytest.mark.parametrize(
    ('name', 'content', 'says'),
    [
        ('s.yaml', 'm/x:\n  - "a\n', r's\.yaml, line \d, column \d+: '),
        ('s.json', '{"m/x": [\n"a",]}', r's\.json, line 2, column \d: '),
        ('s.yaml', 'a: \x07', r's\.yaml: '),
        ('s.yaml', '', 'a script is a reply, a list or a mapping, not nothing'),
        ('s.yaml', '5', "not int '5'"),
        ('s.md', '# How to', r's\.md: a file of replies ends in \.yaml, '),
        ('s.yaml', 'm/x: 5', "m/x: an experiment has .* not int '5'"),
        ('s.yaml', 'm/x: [a, 5]', 'm/x, step 1: a reply is a text .* not int'),
        ('s.yaml', 'm/x: [a, [b, {txt: c}]]', 'm/x, step 1, attempt 1: a reply is .* not dict'),
        ('s.yaml', 'm/x: {first: a}', "m/x: 'first' is not the number of a step"),
        ('s.yaml', 'm/x: {0: {text: a, txt: b}}', 'm/x, step 0: txt is unknown'),
        ('s.yaml', 'm/x: {0: {tool_calls: [python]}}', 'm/x, step 0: '),
        ('s.yaml', 'm/x: {0: {tool_calls: [{arguments: a}]}}', r'm/x, step 0: tool_calls\.0\.name is missing'),
    ],
)
def test_mistakes_in_scripts_are_placed(tmp_path, name, content, says):
    (tmp_path / name).write_text(content)
    with pytest.raises(CibenchError, match=says) as error:
        ScriptReplay(str(tmp_path / name)).check()
    assert '\n' not in str(error.value)
    assert name in str(error.value)


def test_a_script_at_home_and_one_that_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv('HOME', str(tmp_path))
    (tmp_path / 's.txt').write_text('a')
    assert ask(ScriptReplay('~/s.txt')).text == 'a'
    with pytest.raises(CibenchError, match=r'none\.yaml cannot be read'):
        ScriptReplay(str(tmp_path / 'none.yaml')).check()


@pytest.mark.parametrize('options', [{}, {'path': 'x', 'replies': 'y'}])
def test_one_script(options):
    with pytest.raises(CibenchError, match='either `path` or `replies`'):
        ScriptReplay(**options)


@pytest.mark.parametrize(
    ('script', 'says'),
    [
        ({'m/y': 'a'}, 'replies has no reply for experiment m/x'),
        (['a'], 'no reply for m/x, step 1 '),
        ({'m/x': {1: ['a', 'b']}}, 'no reply for m/x, step 1, attempt 2 '),
    ],
)
def test_what_a_script_does_not_say_is_named(script, says):
    with pytest.raises(HarnessError, match=says):
        ask(ScriptReplay(replies=script), 1, 2)
