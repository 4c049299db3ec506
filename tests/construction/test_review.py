"""The review of a set: decisions that hold for what was seen, and the page in headless Chromium.

The page is skipped where Playwright (`pip install -e .[dev]`) or Chromium (`apt-get install chromium`) is not there.
"""

import json
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from types import SimpleNamespace

import pytest

from tests.construction.test_pipeline import call
from tests.support.chromium import OPTIONS, chromium
from tests.support.notebooks import notebook, small_set

NOTEBOOK = 'small/math/a'
ALL = dict.fromkeys(('view', 'paths', 'time', 'size', 'valid', 'unambiguous'), True)
LONGER = 'n = 30'


@pytest.fixture
def folder(tmp_path):
    return small_set(tmp_path / 'set', ('a', 'b')).parent


def cells(folder):
    return json.loads((folder / f'{NOTEBOOK}.ipynb').read_text())['cells']


def free_port():
    with socket.socket() as one:
        one.bind(('127.0.0.1', 0))
        return one.getsockname()[1]


@pytest.fixture
def start(folder):
    """Start the command on a port that stays the same; what it printed is its address."""
    port, running = free_port(), []

    def call():
        command = ['construct', 'review', folder, '--no-browser', '--sandbox', 'auto', '--by', 'ann', '--port', port]
        for earlier in running:  # which has the port
            earlier.kill()
            earlier.wait()
        process = subprocess.Popen(
            [sys.executable, '-m', 'cibench_eval.cli', *map(str, command)], stdout=subprocess.PIPE, text=True
        )
        running.append(process)
        return SimpleNamespace(process=process, url=process.stdout.readline().strip())

    yield call
    for process in running:
        process.kill()
        process.wait()
        process.stdout.close()


class Browser:
    """What the page asks of the address that the command has printed."""

    def __init__(self, address):
        self.url, _, self.token = address.partition('#')

    def ask(self, path, body=None, **headers):
        """The status and the text of an answer; the token is sent unless `headers` say otherwise."""
        headers = {'X-Token': self.token} | headers
        request = urllib.request.Request(f'{self.url}{path}', json.dumps(body).encode() if body else None, headers)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def steps(self):
        return json.loads(self.ask(f'api/notebook?id={NOTEBOOK}')[1])['steps']

    def decide(self, step, decision, **more):
        line = {'notebook': NOTEBOOK, 'step': step, 'content': self.steps()[step - 1]['content'], 'decision': decision}
        return self.ask('api/decide', line | more)

    def counts(self):
        notebooks = json.loads(self.ask('api/set')[1])['notebooks']
        return {one['notebook']: (one['accepted'], one['rejected']) for one in notebooks}


@pytest.mark.soak
@pytest.mark.kernel
def test_only_who_has_the_address_may_look_and_decide(start):
    browser = Browser(start().url)
    ask = browser.ask
    nobody = {'X-Token': ''}
    assert ask('', **nobody)[0] == 200 and 'small' not in ask('', **nobody)[1], 'the page knows nothing of the set'
    assert ask('api/set', **nobody)[0] == 403
    assert ask('api/set', **{'X-Token': 'x' * len(browser.token)})[0] == 403
    assert ask('api/set', Host='evil.example')[0] == 403
    assert ask('', Host='evil.example')[0] == 404
    assert ask('api/set')[0] == 200
    assert ask('api/decide', {'notebook': '../../x', 'step': 1, 'content': 'x', 'decision': 'accepted'})[0] == 409
    assert ask('api/decide', {'step': 1})[0] == 400
    assert ask('../review.py')[0] == 404


REFUSED = [
    ('accepted', {'checks': {**ALL, 'valid': False}}, 'not ticked: valid'),
    ('accepted', {}, 'not ticked'),
    ('rejected', {'note': ' '}, 'needs a reason'),
    ('accepted', {'checks': ALL, 'content': 'other'}, 'has changed since'),
]


@pytest.mark.soak
@pytest.mark.kernel
def test_a_decision_holds_for_what_was_seen_and_nothing_is_marked_that_was_not_reviewed(folder, start, tmp_path):
    browser = Browser(start().url)
    assert list(json.loads(browser.ask('api/set')[1])['checklist']) == list(ALL)
    for decision, more, words in REFUSED:
        status, said = browser.decide(1, decision, **more)
        assert status == 409 and words in said
    assert not (folder / 'review.jsonl').exists()
    browser.decide(1, 'accepted', checks=ALL)
    assert call('construct', 'accepted', folder, '--to', tmp_path / 'none').code == 2, 'one of two steps'
    browser.decide(2, 'accepted', checks=ALL)
    (folder / 'held_out').mkdir()
    (folder / 'held_out' / 'labels.csv').touch()
    (folder / f'{NOTEBOOK}.naive.json').touch()
    done = call('construct', 'accepted', folder, '--to', tmp_path / 'good')
    assert done.code == 1 and '1 of 2 accepted whole' in done.out
    assert [path.name for path in (tmp_path / 'good').rglob('*.ipynb')] == ['a.ipynb']
    assert (tmp_path / 'good' / 'datasources' / 'data').is_dir()
    assert (tmp_path / 'good' / 'held_out' / 'labels.csv').is_file()
    (tmp_path / 'good' / f'{NOTEBOOK}.naive.json').unlink()
    browser.decide(2, 'rejected', note='guessed')
    assert browser.counts() == {NOTEBOOK: (1, 1), 'small/math/b': (0, 0)}
    path = folder / f'{NOTEBOOK}.ipynb'
    path.write_text(path.read_text().replace('n = 20', LONGER))
    with (folder / 'review.jsonl').open('a') as file:
        file.write('{"notebook": "torn')
    browser = Browser(start().url)
    assert browser.counts() == {NOTEBOOK: (0, 1), 'small/math/b': (0, 0)}
    first, second = browser.steps()
    assert (first['code'], second['by']) == (LONGER, 'ann')


@pytest.mark.soak
@pytest.mark.kernel
def test_a_hostile_set_is_checked_and_what_cannot_be_written_is_said(folder, start):
    path = folder / f'{NOTEBOOK}.ipynb'
    codes = f'f(a={"1" * 400})', f'f(a={"-" * 980}1)', 'n = 20\0', '%%bash\nls'
    steps = [('exec', f'Set n to 20 in {number}.', code, '') for number, code in enumerate(codes)]
    made = notebook(*steps)
    made['metadata']['kernel_environment'] = str(folder / 'bin/python')
    (folder / 'bin').mkdir()
    (folder / 'bin/python').write_text(f'#!/bin/sh\ntouch {folder}/ran')
    (folder / 'bin/python').chmod(0o755)
    path.write_text(json.dumps(made))
    browser = Browser(start().url)
    place = {'notebook': NOTEBOOK, 'step': 1, 'content': browser.steps()[0]['content']}
    assert browser.ask('api/edit', place | {'text': {'question': 'Set n.', 'thought': '', 'code': LONGER}})[0] == 200
    assert not (folder / 'ran').exists(), 'the set names no kernel environment'
    assert browser.ask('/[')[0] == 404
    assert browser.decide(1, 'rejected', note='half an emoji: \ud83d')[0] == 200
    (folder / 'review.jsonl').rename(folder / 'kept.jsonl')
    (folder / 'review.jsonl').mkdir()
    status, said = browser.decide(1, 'rejected', note='again')
    assert status == 500 and 'review.jsonl' in said and 'Is a directory' in said


def test_a_malformed_notebook_is_one_line(folder):
    path = folder / f'{NOTEBOOK}.ipynb'
    raw = json.loads(path.read_text())
    path.write_text(json.dumps(raw | {'cells': raw['cells'][1:]}))
    done = call('construct', 'accepted', folder)
    assert done.code == 2 and 'small/math/a: cell 1: code without a question' in done.err and done.err.count('\n') == 1


def test_a_port_that_is_taken_and_a_folder_that_is_not_there_are_told_first(folder):
    with socket.socket() as taken:
        taken.bind(('127.0.0.1', 0))
        taken.listen()
        words = ['construct', 'review', folder, '--port', taken.getsockname()[1], '--sandbox', 'auto']
        done = call(*words)
        assert done.code == 2 and 'name another by --port' in done.err and 'checked' not in done.err
        (folder / 'review.jsonl').symlink_to('../elsewhere')
        assert 'review.jsonl: leads out of the set' in call(*words).err
    done = call('construct', 'accepted', folder / 'no', '--to', folder / 'x')
    assert (done.code, done.err) == (2, f'cibench: error: {folder}/no: no such folder; give that of a set\n')


@pytest.fixture
def open_page():
    sync = pytest.importorskip('playwright.sync_api', reason='no Playwright: pip install -e .[dev]')
    if not chromium():
        pytest.skip('no Chromium: apt-get install chromium')
    with sync.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=OPTIONS)
        context = browser.new_context(viewport={'width': 1300, 'height': 1000})

        def call(url):
            page = context.new_page()
            page.problems = []
            page.on('pageerror', lambda error: page.problems.append(str(error)))
            page.goto(url)
            page.expect = sync.expect
            return page

        yield call
        browser.close()


def step_of(page, number):
    return page.locator(f'#step-{number}')


def tick(article):
    for box in article.locator('.checks input').all():
        box.check()


@pytest.mark.soak
@pytest.mark.kernel
def test_a_person_accepts_edits_and_rejects_and_nothing_is_lost(folder, start, open_page):
    server = start()
    page = open_page(server.url)
    first, second = step_of(page, 1), step_of(page, 2)
    assert first.locator('.accept').is_disabled(), 'nothing is ticked'
    tick(first)
    first.locator('.accept').click()
    page.expect(first.locator('.state')).to_have_text('accepted')
    tick(second)
    second.locator('.accept').click()
    page.expect(page.locator('#progress')).to_contain_text('2 accepted, 0 rejected, 2 not reviewed, of 4 steps')
    page.reload()
    page.expect(second.locator('.state')).to_have_text('accepted')

    first.locator('.code').fill(LONGER)
    assert first.locator('.accept').is_disabled(), 'what is not run is not accepted'
    page.reload()
    page.expect(first.locator('.code')).to_have_value(LONGER)
    first.locator('.run').click()
    page.expect(second.locator('pre')).to_have_text('31.5\n', timeout=60_000)
    page.expect(first.locator('.state')).to_have_text('not reviewed, edited')
    page.expect(second.locator('.state')).to_have_text('not reviewed'), 'it shows another output'
    assert ''.join(cells(folder)[3]['outputs'][0]['text']) == '31.5\n'

    assert second.locator('.reject').is_disabled(), 'without a reason'
    second.locator('.note').fill('The question says 20.')
    second.locator('.reject').click()
    page.expect(second.locator('.state')).to_have_text('rejected')
    first.locator('.question').fill('Set n to 30 in a.')
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    first.locator('.run').click()
    page.expect(page.locator('#problem')).to_contain_text('does not answer')

    page = open_page(start().url)
    first, second = step_of(page, 1), step_of(page, 2)
    page.expect(second.locator('.state')).to_have_text('rejected')
    page.expect(first.locator('.question')).to_have_value('Set n to 30 in a.')
    assert page.problems == []
    lines = [json.loads(one) for one in (folder / 'review.jsonl').read_text().splitlines()]
    assert [(one['step'], one['decision'], one['by']) for one in lines] == [
        *((number, 'accepted', 'ann') for number in (1, 2)),
        (1, 'edited', 'ann'),
        (2, 'rejected', 'ann'),
    ]


@pytest.mark.kernel
@pytest.mark.soak
def test_an_edit_that_was_killed_before_it_was_made_is_shown(folder, start, open_page):
    text = {'question': 'Set n to 30 in a.', 'thought': '', 'code': LONGER}
    server = start()
    Browser(server.url).decide(1, 'edited', text=text)
    page = open_page(server.url)
    first = step_of(page, 1)
    page.expect(first.locator('.pending')).to_be_visible()
    assert first.locator('.code').input_value() == LONGER
    first.locator('.run').click()
    page.expect(step_of(page, 2).locator('pre')).to_have_text('31.5\n', timeout=60_000)
    page.expect(first.locator('.pending')).not_to_be_visible()
    asked, gold = cells(folder)[:2]
    assert (''.join(asked['source']).strip(), ''.join(gold['source'])) == (text['question'], text['code'])
    check = ['data', 'check', str(folder / f'{NOTEBOOK}.ipynb'), '--sandbox', 'auto', '--repeats', '1']
    done = subprocess.run([sys.executable, '-m', 'cibench_eval.cli', *check], capture_output=True, text=True)
    assert done.returncode == 0, f'outputs and descriptions are those of the new code: {done.stdout}'
