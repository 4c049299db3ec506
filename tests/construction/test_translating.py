"""Twins of real notebooks, end to end: the command, and a scripted model behind a real server."""

import json
import re
import shutil
from types import SimpleNamespace

import pytest

from cibench_eval import cli
from cibench_eval.datasets import load_experiments
from cibench_eval.sets.checking import CheckSettings, check_set
from tests.construction.test_pipeline import killed, write_config
from tests.support.chat_server import chat_server
from tests.support.notebooks import EXAMPLES, notebook, small_set

STEP = re.compile(r'^(\d+)\.(?:\nquestion:)? (.*?)(?:\nthought: (.*?))?(?=\n\n|\nyour translation)', re.M | re.S)
PAIR = re.compile(r'^(\d+)\.\nA: (.*?)\nB: (.*?)(?=\n\n\d+\.|\n\nAnswer)', re.M | re.S)
MARK = '请做：'


def steps_of(text):
    return [(int(number), question, thought) for number, question, thought in STEP.findall(text)]


def answer(messages):
    """Questions with a mark before them; some come back as others, once (`electricity`) or ever (`camera`)."""
    first, said = messages[0]['content'], len(messages)
    if first.startswith('Each pair'):
        pairs = PAIR.findall(first)
        return json.dumps([{'number': int(n), 'same': a == b, 'why': '' if a == b else 'another'} for n, a, b in pairs])
    steps = steps_of(first)
    if first.startswith('Please translate these questions'):
        return json.dumps([{'number': number, 'question': back(question)} for number, question, _ in steps])
    if 'oscillation.csv' in first:
        return 'I cannot do that.'
    again = first.startswith('These questions')
    made = [
        {'number': number, 'question': there(question, again), 'thought': f'想：{thought}'}
        for number, question, thought in steps
    ]
    if 'penguin' in first and said == 1:
        made[-1]['question'] = made[-1]['question'].replace('`', '')
    return json.dumps(made, ensure_ascii=False)


def there(question, again):
    wrong = 'camera' in question or ('electricity' in question and not again)
    return f'{MARK * len(question.split())}{"错" if wrong else ""}{question}'


def back(question):
    return question.replace(MARK, '').replace('错', 'Never ')


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(EXAMPLES, tmp_path / 'set' / 'mine')
    shutil.copytree(EXAMPLES.parent / 'datasources', tmp_path / 'set' / 'datasources')
    return tmp_path / 'set'


def translate(folder, server, *words):
    config = write_config(folder.parent, server)
    return cli.main(['construct', 'translate', str(folder), '--model', str(config), '--yes', *words])


def outcome(folder, name):
    path = folder.with_name('set_translation') / 'translations' / 'mine' / f'{name}.json'
    return json.loads(path.read_text())


def test_only_what_comes_back_as_the_same_question_gets_a_twin(folder, capsys):
    with chat_server(answer) as server:
        assert translate(folder, server) == 1
        asked = len(server.requests)
        out, err = capsys.readouterr()
        assert 'translations: 12 to ' in err and '2 of 4 have their twin' in out
        assert translate(folder, server) == 1
        assert len(server.requests) == asked, 'what is done is not asked for again'
    twins = {one.id: one for one in load_experiments(folder / 'mine_chinese')}
    assert set(twins) == {'matplotlib/electricity', 'pandas/penguins'}
    for one in load_experiments(folder / 'mine', include=[*twins]):
        twin = twins[one.id]
        assert twin.language == 'cn' and len(twin.steps) == len(one.steps)
        for mine, theirs in zip(one.steps, twin.steps, strict=True):
            same = {'question', 'thought'}
            assert mine.model_dump(exclude=same) == theirs.model_dump(exclude=same)
            assert theirs.question.startswith(MARK) and theirs.thought == f'想：{mine.thought}'
    found = check_set(str(folder), CheckSettings(repeats=0, sandbox='none')).findings
    assert not [one for one in found if one.code == 'twin' and one.notebook in twins]
    penguins, camera = outcome(folder, 'pandas/penguins'), outcome(folder, 'opencv/camera')
    assert len(penguins['refused']) == 1 and 'must keep `' in penguins['refused'][0]
    assert len(outcome(folder, 'matplotlib/electricity')['rounds']) == 2
    assert len(camera['rounds']) == 3 and {step['why'] for step in camera['rounds'][-1]} == {'another'}
    assert 'no JSON list' in outcome(folder, 'scipy/oscillation')['cause']


def test_a_twin_that_is_not_ours_is_left_alone(folder, capsys):
    target = folder / 'mine_chinese' / 'pandas' / 'penguins.ipynb'
    with chat_server(answer) as server:
        only = ('--only', 'pandas/penguins')
        assert translate(folder, server, *only) == 0
        changed = target.read_text().replace(MARK, '请你做：')
        target.write_text(changed)
        shutil.rmtree(folder.with_name('set_translation'))
        asked = len(server.requests)
        assert translate(folder, server, *only) == 1
        assert len(server.requests) == asked, 'nothing is paid for what would not be written'
    assert target.read_text() == changed
    assert 'changed since; left alone' in ''.join(capsys.readouterr().out.split('\n'))


def test_other_english_is_translated_anew(folder):
    source = folder / 'mine' / 'pandas' / 'penguins.ipynb'
    with chat_server(answer) as server:
        only = ('--only', 'pandas/penguins')
        assert translate(folder, server, *only) == 0
        source.write_text(source.read_text().replace('Thought: ', 'Thought: Well, ', 1))
        naive = folder / 'mine_chinese' / 'pandas' / 'penguins.naive.json'
        naive.write_text('{}')
        assert translate(folder, server, *only) == 0 and naive.is_file()
    (twin,) = load_experiments(folder / 'mine_chinese')
    assert twin.steps[0].thought.startswith('想：Well, ')


@pytest.mark.soak
def test_killed_it_goes_on_and_asks_for_nothing_twice(folder, tmp_path):
    assert killed(tmp_path, answer, (3, 7), 'translate', folder) == (2, 1)
    assert {one.id for one in load_experiments(folder / 'mine_chinese')} == {
        'matplotlib/electricity',
        'pandas/penguins',
    }


def test_nothing_is_asked_before_the_cost_is_agreed_to(folder, capsys):
    with chat_server(answer) as server:
        assert translate(folder, server, '--dry-run') == 0
        assert '12 to' in capsys.readouterr().err
        config = write_config(folder.parent, server)
        assert cli.main(['construct', 'translate', str(folder), '--model', str(config)]) == 2
        assert not server.requests
    assert not (folder / 'mine_chinese').exists()


TRANSLATED = {
    '画出 `price` 的直方图，分 20 组，标题为 "Prices"。': '',
    'Draw `price` in 20 bins, titled "Prices".': 'not in Chinese',
    '画 Draw `price` in 20 bins, titled "Prices".': 'not in Chinese',
    '画出价格的直方图，分 20 组，标题为 "Prices"。': 'must keep `price`',
    '画出 `price` 的直方图，分 30 组，标题为 "Prices"。': 'must say 20',
    '画出 `price` 的直方图，分 20 组，标题为 "价格"。': 'must keep the text "Prices"',
    '画出 `price` 与 `rent` 的直方图，分 20 组，标题为 "Prices"。': 'says `rent`',
    '画出 `price` 的直方图，分 20 组，宽 7，标题为 "Prices"。': 'says 7',
}
VERDICTS = {
    '[{"number": 1, "same": "yes", "why": ""}]': 'true or false',
    '[{"number": 1, "same": false, "why": ""}]': '"why" must be a text',
    '[{"number": 2, "same": true}]': 'numbers 2; answer for 1',
    '[{"number": 1, "same": true}, {"number": 1, "same": false}]': 'numbers 1, 1',
    '[{"number": "1", "same": true}]': '',
}
GOOD = next(iter(TRANSLATED))


def refused(folder, translation, verdict):
    """Why the first replies of a model about a question were asked for again; its later ones are good."""
    code = "df['price'].hist(bins=20)\nplt.title('Prices')"
    path = small_set(folder, ('a',)) / 'math' / 'a.ipynb'
    given = notebook(('exec', 'Draw `price` in 20 bins, titled "Prices".', code, ''))
    del given['metadata'], given['cells'][0]['metadata']  # what the loader does not need, a twin does not either
    path.write_text(json.dumps(given))
    translations = iter([translation, *[GOOD] * 9])
    verdicts = iter([verdict, *['[{"number": 1, "same": true}]'] * 9])

    def answer(messages):
        first = messages[0]['content']
        if first.startswith('Each pair'):
            return next(verdicts)
        back = first.startswith('Please translate these questions')
        question = 'Draw `price` in 20 bins, titled "Prices".' if back else next(translations)
        return json.dumps([{'number': 1, 'question': question, 'thought': '想'}], ensure_ascii=False)

    with chat_server(answer) as server:
        assert translate(folder, server) == 0
    (outcome,) = (folder.parent / f'{folder.name}_translation').glob('translations/*/*/*.json')
    return json.loads(outcome.read_text())['refused']


@pytest.mark.parametrize(('question', 'problem'), TRANSLATED.items())
def test_names_numbers_and_texts_must_survive(tmp_path, question, problem):
    said = refused(tmp_path / 'set', question, '[{"number": 1, "same": true}]')
    assert [problem in one and one.startswith('question 1 ') for one in said] == [True] * bool(problem)


@pytest.mark.parametrize(('verdict', 'problem'), VERDICTS.items())
def test_a_verdict_must_be_one(tmp_path, verdict, problem):
    assert [problem in one for one in refused(tmp_path / 'set', GOOD, verdict)] == [True] * bool(problem)


def test_a_set_without_english_says_so(tmp_path, capsys):
    (tmp_path / 'empty').mkdir()
    config = write_config(tmp_path, SimpleNamespace(base_url='http://127.0.0.1:9/v1'))
    for place, said in ((tmp_path / 'no', 'no such folder'), (tmp_path / 'empty', 'no notebook')):
        assert cli.main(['construct', 'translate', str(place), '--model', str(config), '--yes']) == 2
        assert said in capsys.readouterr().err
