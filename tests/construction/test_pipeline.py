"""Topics -> tasks -> revision, end to end: the command, a scripted model behind a real server, real kernels."""

import contextlib
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from types import SimpleNamespace

import pytest

from cibench_eval import cli
from cibench_eval.construction.asking import MalformedError, read_list
from cibench_eval.construction.reading import Form, parse_task
from cibench_eval.datasets import load_experiment
from cibench_eval.sets.templates import SourceStep
from tests.construction import scripted
from tests.construction.scripted import GIVEN_UP, GOOD, MALFORMED, MODULE, REFINED, SLOW, SUBJECTS
from tests.support.chat_server import chat_server
from tests.support.notebooks import config_folder
from tests.support.runs import SMALL, run_here

pytestmark = pytest.mark.kernel

OPTIONS = ('--steps', '3-4', '--slow', str(SLOW), '--repeats', '2', '--rounds', '2', '--sandbox', 'auto', '--yes')
CLEAN = (*GOOD, 'Second thoughts')
KILLED = ('Means', 'Failures', 'Zeros', 'Chatter')


def call(*words):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.main([str(word) for word in words])
    return SimpleNamespace(code=code, out=out.getvalue(), err=err.getvalue())


def write_config(folder, server, **changes):
    path = folder / 'scripted.py'
    text = scripted.CONFIG.format(url=server.base_url)
    for old, new in changes.items():
        text = text.replace(old, new)
    path.write_text(text)
    return path


def killed(folder, answer, deadly, *words):
    """Give a command until it comes to its end: it is killed at the requests of these numbers, asking one at a time.

    Returns: how often it was killed, and the exit code.
    """
    asked, running = [], []

    def killing(messages):
        asked.append(json.dumps(messages))
        if len(asked) in deadly:
            os.kill(running[-1].pid, signal.SIGKILL)
        return answer(messages)

    with chat_server(killing) as server, (folder / 'log').open('w') as log:
        config = write_config(folder, server, **{'batch_size=4': 'batch_size=1'})
        command = [sys.executable, '-m', 'cibench_eval.cli', 'construct', *words, '--model', config, '--yes']
        while not running or running[-1].returncode == -signal.SIGKILL:
            running.append(subprocess.Popen(command, stdout=log, stderr=log))
            running[-1].wait(timeout=300)
    kills = len(running) - 1
    assert len(asked) - len(set(asked)) <= kills, 'only the request at which it was killed may be repeated'
    return kills, running[-1].returncode


def read(path):
    """What a JSON file holds; objects have their fields as attributes."""
    return json.loads(path.read_text(), object_hook=lambda fields: SimpleNamespace(**fields))


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    """A construction from beginning to end, and the same commands once more."""
    folder = tmp_path_factory.mktemp('construction')
    with chat_server(scripted.answer) as server:
        model = ('--model', write_config(folder, server))
        topics = ('construct', 'topics', folder / 'made', MODULE, '-n', len(SUBJECTS), '--sandbox', 'auto', '--yes')
        tasks = ('construct', 'tasks', folder / 'made', *OPTIONS)
        done = SimpleNamespace(topics=call(*topics, *model), tasks=call(*tasks, *model), server=server)
        done.asked = len(server.requests)
        done.again = call(*topics, *model), call(*tasks, *model)
    done.folder = folder / 'made'
    done.outcomes = read(done.folder / 'report.json').outcomes
    done.by_topic = {one.topic.partition(' of ')[0]: one for one in done.outcomes}
    done.good = [one for one in done.outcomes if one.result in ('clean', 'refined')]
    return done


def codes(faults):
    return {fault.code for fault in faults}


@pytest.mark.soak
def test_topics_are_told_apart_and_their_names_are_held_against_the_module(made):
    assert made.topics.code == 0, made.topics.err
    topics = read(made.folder / 'topics' / f'{MODULE}.json')
    assert [topic.topic.partition(' of ')[0] for topic in topics.topics] == [*SUBJECTS]
    assert [one.topic for one in topics.dropped] == ['Means of prices of the shops']
    assert topics.unknown_names == 1
    (module,) = (one for one in topics.coverage if one.area == MODULE)
    known = {name for names in SUBJECTS.values() for name in names} - {'no_such_name', 'NormalDist'}
    assert module.covered == len(known | {'NormalDist'})
    assert '46.' in made.topics.out and '11 topics, 1 dropped as the same, 1 name that it has not' in made.topics.out
    first, second = (request['messages'] for request in made.server.requests[:2])
    assert second[:1] == first and 'no JSON list' in second[2]['content'], 'what cannot be read goes back'


@pytest.mark.soak
def test_exactly_the_good_ones_come_out(made):
    assert made.tasks.code == 0, made.tasks.err
    results = {topic: one.result for topic, one in made.by_topic.items()}
    assert results == {
        **dict.fromkeys(CLEAN, 'clean'),
        **dict.fromkeys(REFINED, 'refined'),
        **dict.fromkeys(GIVEN_UP, 'given_up'),
        **dict.fromkeys(MALFORMED, 'malformed'),
    }
    notebooks = {path.stem for path in (made.folder / 'set').rglob('*.ipynb')}
    assert notebooks == {one.id.partition('/')[2] for one in made.good}
    data = {path.parent.name for path in (made.folder / 'set').glob('datasources/data/*/*.csv')}
    assert data == notebooks, 'what was given up leaves no data behind'


@pytest.mark.soak
def test_faults_are_those_that_were_planted_and_every_version_is_kept(made):
    for topic, code in {**REFINED, **GIVEN_UP}.items():
        one = made.by_topic[topic]
        assert code in vars(one.history[0]), topic
        for number in range(1, one.versions + 1):
            version = made.folder / 'versions' / one.id / f'v{number}'
            assert {path.name for path in version.iterdir()} >= {'reply.md', 'notebook.ipynb', 'check.json'}
    for topic in REFINED:
        assert list(map(vars, made.by_topic[topic].history[1:])) == [{}], topic
    for topic, code in GIVEN_UP.items():
        assert codes(made.by_topic[topic].faults) == {code}
        assert made.by_topic[topic].cause == 'the revision changed nothing'
    assert 'no step; each begins with a heading' in made.by_topic['Chatter'].cause
    (refused,) = made.by_topic['Second thoughts'].refused
    assert 'no step' in refused


@pytest.mark.soak
def test_a_revision_is_told_what_was_found_and_seen(made):
    asked = [request['messages'][0]['content'] for request in made.server.requests]
    (broken,) = (one for one in asked if 'revise' in one and '# Failures of shops' in one)
    assert "step 2: NameError: name 'lost' is not defined" in broken
    assert 'correct the gold code' in broken, 'how it is mended'
    assert 'Examples of bad and good steps' in broken


@pytest.mark.soak
def test_the_same_command_asks_and_pays_for_nothing_again(made):
    topics, tasks = made.again
    assert len(made.server.requests) == made.asked
    assert (topics.code, tasks.code) == (0, 0)
    assert topics.out == made.topics.out and tasks.out == made.tasks.out
    asked = Counter(json.dumps(request) for request in made.server.requests)
    assert max(asked.values()) == 1
    ledger = [json.loads(line) for line in (made.folder / 'usage.jsonl').read_text().splitlines()]
    assert len(ledger) == made.asked


@pytest.mark.soak
def test_cost_is_shown_before_anything_is_asked_and_somebody_has_to_agree(made, tmp_path):
    with chat_server(scripted.answer) as server:
        model = ('--model', write_config(tmp_path, server))
        words = ('construct', 'topics', tmp_path / 'made', MODULE, '--sandbox', 'auto', *model)
        shown = call(*words, '--dry-run')
        refused = call(*words)
    assert (shown.code, refused.code, server.requests) == (0, 2, [])
    assert re.search(
        r'topics: 2 to 18 requests to scripted, about [\d,]+ tokens in \+ [\d,]+ out at least, ', shown.err
    )
    assert re.search(r'cost 0\.0\d+ to 0\.\d\d+ in the currency of its `price`\n', shown.err)
    assert refused.err.splitlines()[-1].startswith('cibench: error: ') and '--yes' in refused.err
    assert '11 more are answered already' in made.again[1].err
    assert not (tmp_path / 'made').exists()


@pytest.mark.parametrize('words', [(), ('--yes',)])
def test_a_missing_key_is_told_before_anything_is_asked_or_written(tmp_path, monkeypatch, words):
    monkeypatch.delenv('NO_SUCH_KEY', raising=False)
    with chat_server(scripted.answer) as server:
        config = write_config(tmp_path, server, **{"path='any'": "path='any', key='NO_SUCH_KEY'"})
        refused = call('construct', 'topics', tmp_path / 'made', MODULE, '--sandbox', 'auto', '--model', config, *words)
    assert refused.code == 2 and 'NO_SUCH_KEY' in refused.err.splitlines()[-1]
    assert not (tmp_path / 'made').exists() and not server.requests


@pytest.mark.soak
def test_the_set_passes_the_check_and_runs_and_is_in_the_report(made, tmp_path, capsys):
    checked = call('data', 'check', made.folder / 'set', '--sandbox', 'auto', '--repeats', 1, '--slow', SLOW)
    assert checked.code == 0, checked.out
    assert f'{len(made.good)} experiments' in checked.out and len(made.good) >= 5
    config_folder(tmp_path, made.folder / 'set' / 'cibench_generation')
    done = run_here(tmp_path, *SMALL)
    assert f'small: {len(made.good)} experiments' in capsys.readouterr().out
    results = json.loads((done / 'results' / 'gold-replay' / 'small.json').read_text())
    assert {step['outcome'] for step in results['steps']} == {'correct', 'ran'}


@pytest.mark.soak
def test_notebooks_say_what_the_model_wrote(made):
    one = made.by_topic['Means']
    root = made.folder / 'set' / 'cibench_generation'
    experiment = load_experiment(root / f'{one.id}.ipynb', root)
    assert [step.kind for step in experiment.steps] == ['exec', 'num', 'num', 'text']
    assert experiment.steps[0].question.endswith('Please use statistics modules.\n')
    assert experiment.steps[0].thought == 'it is asked for.'
    assert experiment.steps[3].listed, 'names between commas count in their places'
    assert (experiment.language, experiment.environment) == ('en', 'modern')
    assert experiment.steps[0].state, 'it is described'


@pytest.mark.soak
def test_two_topics_of_one_name_would_share_their_data(made, tmp_path):
    shutil.copytree(made.folder / 'topics', tmp_path / 'made' / 'topics')
    file = tmp_path / 'made' / 'topics' / f'{MODULE}.json'
    shutil.copy(file, file.with_name('math.json'))
    refused = call('construct', 'tasks', tmp_path / 'made', MODULE, '--dry-run', '--model', 'gpt_5_5')
    name = read(file).topics[0].name
    assert refused.code == 2 and f'name {name!r} is that of a topic in ' in refused.err
    file.write_text(file.read_text().replace(name, '../t01'))
    assert 'topics.0.name' in call('construct', 'tasks', tmp_path / 'made', '--model', 'gpt_5_5').err


def test_topics_of_several_modules_get_names_of_their_own(tmp_path):
    with chat_server(lambda _: '[{"topic": "Sums of prices"}]') as server:
        model = ('--model', write_config(tmp_path, server))
        words = (tmp_path / 'made', 'statistics', 'math', '--sandbox', 'auto', *model)
        made = call('construct', 'topics', *words, '-n', 1, '--yes')
        tasks = call('construct', 'tasks', *words, '--dry-run')
    assert (made.code, tasks.code) == (0, 0), made.err + tasks.err
    names = [read(tmp_path / 'made/topics' / f'{module}.json').topics[0].name for module in ('statistics', 'math')]
    assert names == ['t01_sums_prices', 't01_sums_prices_2']


def test_no_more_is_asked_than_was_told(tmp_path):
    asked = []

    def one_more(_):
        asked.append(len(asked))
        return f'[{{"topic": "Sums {asked[-1]}"}}]'

    with chat_server(one_more) as server:
        model = ('--model', write_config(tmp_path, server), '--sandbox', 'auto', '--tries', 1, '--yes')
        words = ('construct', 'topics', tmp_path / 'made', MODULE, '-n', 30, *model)
        made = call(*words)
        (tmp_path / 'made' / 'topics' / f'{MODULE}.json').unlink()
        shown = call(*words, '--dry-run')
    assert 'topics: 2 to 6 requests' in made.err and len(asked) == 6
    assert 'topics: 0 to 5 requests' in shown.err and '(1 more are answered already)' in shown.err
    assert made.code == 1 and 'as many rounds as topics need brought no more' in made.out


@pytest.mark.parametrize(
    ('old', 'new'),
    [
        *(('Thought: ', label) for label in ('**Gold thought:** ', '> Thought: ', '- Thought: ', '__Thought__\n\n')),
        *(('Thought: ', label) for label in ('### Thought\n\n', 'Gold thought:', '_thought:_ ', '思考：')),
        *(('Thought: ', label) for label in ('**Thought** ', 'Thought process: ', 'Thought - ')),
        ('```python', '```python3'),
        (r'(?s)(.*)', r'Here is the experiment:\n\n```markdown\n\1```\nHope this helps.'),
        (r'(?s)(.*)', r'Here it is.\n````\n\1````'),
        (r'(?s)(.*)', r'```markdown\n\1'),
        (r'(?s)(.*)', r'Notes:\n```markdown\nSums.\n```\n\1'),
        (r'(?s)(.*)', r'````\nNotes.\n````\n\1'),
    ],
)
def test_an_experiment_is_read_in_whichever_markdown(old, new):
    text = scripted.experiment('Means', 't', *scripted.NUMBERS['Means'])
    written = re.sub(old, new, text, count=0 if '(.*)' not in old else 1)
    assert Form('t', 3, 4).read(written) == Form('t', 3, 4).read(text)


@pytest.mark.parametrize('fence', ['````', '~~~~'])
@pytest.mark.parametrize('thought', ['', 'I print.'])
def test_a_block_is_no_wrapping_and_the_last_label_is_that_of_the_thought(fence, thought):
    question = 'Print these lines:\n- `thought`: text\n- thought: 1\n* "Thought": 0'
    label = f'\nThoughts\n\nThought: {thought}' if thought else ''
    (step,) = parse_task(f'## Step 1 (num; math)\n{question}{label}\n{fence}\nprint(1)\n{fence}').steps
    assert step == SourceStep.of('en', question + '\nThoughts' * bool(thought), thought, 'print(1)', 'num', 'math')


@pytest.mark.parametrize(
    ('old', 'new'),
    [
        ('normal: [20, 4]', 'days: 2021-02-30'),
        ('normal: [20, 4]', 'uniform: [0, .inf]'),
        ('Step 1 ', f'Step {"1" * 5000} '),
        ('import csv', f'x = {"-" * 100_000}1'),
    ],
)
def test_no_reply_ends_a_construction(old, new):
    text = scripted.experiment('Means', 't', *scripted.NUMBERS['Means'])
    assert Form('t', 3, 4).read(text) and old in text
    with pytest.raises(MalformedError):
        Form('t', 3, 4).read(text.replace(old, new, 1))


def test_lines_that_only_ipython_reads_are_refused_and_no_lines_of_python():
    text = scripted.experiment('Means', 't', *scripted.NUMBERS['Means'])
    assert Form('t', 3, 4).read(text.replace('import csv', 'import csv\n\n(7\n    % 4)'))
    for line in ('%time 7', '!ls'):
        with pytest.raises(MalformedError, match='no line may begin with "!" or "%": write Python alone'):
            Form('t', 3, 4).read(text.replace('import csv', f'import csv\n\n{line}'))


@pytest.mark.parametrize('text', ['[' * 100_000 + ']' * 100_000, r'[{"topic": "half of a character, \ud800"}]'])
def test_no_list_ends_a_construction(text):
    with pytest.raises(MalformedError):
        read_list(text)


@pytest.mark.soak
def test_a_killed_construction_goes_on_and_asks_for_nothing_twice(made, tmp_path):
    """kill -9 at every fourth request."""
    folder = tmp_path / 'made'
    for part in ('topics', 'names'):
        shutil.copytree(made.folder / part, folder / part)
    file = folder / 'topics' / f'{MODULE}.json'
    topics = json.loads(file.read_text())
    topics['topics'] = [one for one in topics['topics'] if one['topic'].split()[0] in KILLED]
    file.write_text(json.dumps(topics))
    kills, code = killed(tmp_path, scripted.answer, range(4, 100, 4), 'tasks', folder, *OPTIONS)
    assert kills >= 2 and code == 0, (tmp_path / 'log').read_text()
    names = {made.by_topic[topic].id.partition('/')[2] for topic in KILLED if topic in (*CLEAN, *REFINED)}
    set_, whole = folder / 'set', made.folder / 'set'
    files = {path.relative_to(set_): path.read_bytes() for path in set_.rglob('*') if path.is_file()}
    expected = [
        path for path in whole.rglob('*') if path.is_file() and names & {path.parent.name, path.name.split('.')[0]}
    ]
    assert files == {path.relative_to(whole): path.read_bytes() for path in expected}
