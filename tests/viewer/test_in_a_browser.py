"""The pages in headless Chromium, from disk: nothing of a model runs, keys and links do what the help says.

Skipped where Playwright (`pip install -e .[dev]`) or Chromium (`apt-get install chromium`) is not there.
"""

import io
import json
import os
import shutil
import subprocess
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image, ImageStat

from tests.reports.rows import result, write_run
from tests.reports.rows import step as score
from tests.support.chromium import OPTIONS, chromium
from tests.support.pngs import HOSTILE
from tests.support.scoring import session_trace, step_trace
from tests.viewer.boards import write_board
from tests.viewer.pages import CASES, changed, rows_of, write_report

playwright = pytest.importorskip('playwright.sync_api', reason='no Playwright: pip install -e .[dev]')
pytestmark = [
    pytest.mark.kernel,
    pytest.mark.skipif(not chromium(), reason='no Chromium: apt-get install chromium'),
]
STATE = """[
    typeof window.owned,
    getComputedStyle(document.body).display,
    [...document.images].filter((one) => !one.naturalWidth).length,
]"""
LEFT = 'net::ERR_ABORTED'
"""Why an image fails whose page is left before it is there."""
LARGEST = 'Math.max(...[...document.images].map((one) => one.naturalWidth * one.naturalHeight))'
SAME = 'one => one.children[0].src === one.children[1].src'
SHOWN = 'all => [...new Set(all.map((one) => one.dataset.column))]'
BROKEN = """all => all.flatMap((one) => {
    const broken = [];
    for (const text of [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)) {
        for (const word of text.data.matchAll(/[\\p{L}\\d]+/gu)) {
            const range = document.createRange();
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            if (range.getClientRects().length > 1) broken.push(word[0]);
        }
    }
    return broken;
})"""
"""The words that stand in two lines."""
PHONE = {'width': 390, 'height': 844}
SIZE = {'width': 1400, 'height': 900}


@pytest.fixture(scope='module')
def browser():
    with playwright.sync_playwright() as play:
        started = play.chromium.launch(executable_path=chromium(), args=OPTIONS)
        yield started
        started.close()


@pytest.fixture
def open_page(browser):
    """Open a file, with its problems in `page.problems`: what the console says, errors, requests that failed."""
    contexts = []

    def call(path, state='', **options):
        context = browser.new_context(viewport=SIZE, **options)
        contexts.append(context)
        page = context.new_page()
        page.problems = []
        page.on('console', lambda message: page.problems.append(message.text))
        page.on('pageerror', lambda error: page.problems.append(str(error)))
        page.on(
            'requestfailed', lambda one: one.failure == LEFT or page.problems.append(f'{one.url} failed: {one.failure}')
        )
        page.goto(path.as_uri() + state)
        return page

    yield call
    for context in contexts:
        context.close()


def state_of(page):
    return {key: values[0] for key, values in parse_qs(urlsplit(page.url).fragment).items()}


def see_all(page):
    """Unfold everything and load every image."""
    page.evaluate("""async () => {
        for (const one of document.querySelectorAll('details')) one.open = true;
        const images = [...document.images];
        for (const image of images) image.loading = 'eager';
        await Promise.all(images.map((image) => image.decode().catch(() => {})));
    }""")


def test_no_page_has_a_problem_and_nothing_of_a_model_runs(report, open_page):
    for path in (report / 'index.html', *(report / 'sessions' / name for name in CASES)):
        page = open_page(path)
        see_all(page)
        assert page.problems == []
        assert page.evaluate(STATE) == ['undefined', 'block', 0], 'no image is broken'
        for scheme in ('light', 'dark'):
            page.emulate_media(color_scheme=scheme)
            red, *_ = map(int, page.evaluate('getComputedStyle(document.body).backgroundColor.match(/\\d+/g)'))
            assert (red < 100) == (scheme == 'dark')


@pytest.mark.soak
def test_the_policy_holds_where_text_would_become_an_element(report, open_page, tmp_path):
    copy = shutil.copytree(report, tmp_path / 'view')
    path = copy / 'sessions' / CASES[0]
    (copy / 'other.js').write_text('window.owned = 5')
    evil = (
        '<script>window.owned = 1</script><img src="x" onerror="window.owned = 2"><script src="../other.js"></script>'
        '<a id="inert" href="javascript:window.owned=3">x</a><img src="http://127.0.0.1:9/x.png">'
        '<iframe src="../index.html"></iframe><style>body { display: none }</style>'
    )
    path.write_text(path.read_text().replace('<main', f'{evil}<main', 1))
    page = open_page(path)
    page.locator('#inert').click()
    assert page.evaluate('[typeof window.owned, getComputedStyle(document.body).display, frames[0]?.length]') == [
        'undefined',
        'block',
        0,
    ]
    assert 'http://127.0.0.1:9/x.png failed: csp' in page.problems, 'nobody is asked'
    page.keyboard.press('j')
    assert state_of(page)['step'] == '1', "the page's own script runs all the same"


def test_hostile_figures_are_shown_safely(run, tmp_path, open_page):
    names = [f'{number:064x}' for number in range(len(HOSTILE))]

    def change(execution, figures):
        for name, content in zip(names, HOSTILE.values(), strict=True):
            (figures / f'{name}.png').write_bytes(content)
        execution['outputs'] = [{'type': 'display_data', 'figure': {'sha256': name}} for name in names]

    page = open_page(changed(run, tmp_path, change) / 'sessions' / CASES[0])
    see_all(page)
    assert page.problems == []
    assert page.evaluate(LARGEST) < 10_000_000


@pytest.mark.soak
def test_the_difference_is_white_where_figures_are_the_same(report, open_page):
    page = open_page(report / 'sessions' / CASES[0], '#show=0,1')
    see_all(page)
    found = {True: [], False: []}
    for frame in page.locator('.difference').all():
        with Image.open(io.BytesIO(frame.screenshot())) as image:
            found[frame.evaluate(SAME)] += ImageStat.Stat(image.convert('L')).mean
    assert found[True] and found[False]
    assert min(found[True]) > 254.5, 'scaling leaves a shade that no eye sees'
    assert max(found[False]) < 254


@pytest.mark.soak
def test_keys_go_through_steps_and_sessions(report, open_page):
    page = open_page(report / 'index.html', '#model=evil&view=sessions&sort=-experiment')
    listed = page.locator('#rows tbody a[href*="step=1&"]').evaluate_all('all => all.map((one) => one.href)')
    expected = list(dict.fromkeys(urlsplit(one).path.rpartition('/')[2] for one in listed))
    page.keyboard.press('j')
    page.keyboard.press('Enter')
    page.wait_for_url('**/sessions/**')
    for name in expected:
        page.wait_for_url(f'**/{name}*')
        assert state_of(page)['show'] == '1', 'the session that was listed, and not the other of its experiment'
        page.keyboard.press(']')
    assert expected == [CASES[1], CASES[3], CASES[0], CASES[2]]
    page.keyboard.press('[')
    page.wait_for_url(f'**/{expected[-2]}*')
    for key, step in (('j', '2'), ('j', '3'), ('k', '2')):
        page.keyboard.press(key)
        page.wait_for_function('(id) => document.activeElement.id === id', arg=f'step-{step}')
        assert state_of(page)['step'] == step
    page.keyboard.press('u')
    page.wait_for_url('**/index.html')
    assert page.problems == []


@pytest.mark.soak
def test_sessions_are_chosen_compared_and_linked(report, open_page):
    page = open_page(report / 'sessions' / CASES[0], '#step=3&show=1')

    def shown():
        return page.locator('article .cell:visible').evaluate_all(SHOWN)

    assert shown() == ['1']
    assert page.locator('article.current').get_attribute('id') == 'step-3'
    page.keyboard.press('c')
    assert shown() == ['0', '1'] and state_of(page) == {'step': '3', 'show': '0,1'}
    page.keyboard.press('2')
    assert shown() == ['0']
    page.keyboard.press('1')
    assert shown() == ['0'], 'one is always shown'
    page.get_by_role('checkbox', name='evil').check()
    assert shown() == ['0', '1']
    page.locator('.strip a').nth(4).click()
    assert state_of(page) == {'step': '5', 'show': '0,1'}
    page.keyboard.press('f')
    assert page.locator('details:not([open])').count() == 0
    page.keyboard.press('f')
    assert page.locator('details[open]').count() == 0


def test_failed_steps_come_first_and_are_one_click_away(report, open_page):
    failed = sum(outcomes not in (['correct'], ['ran']) for *_, outcomes in rows_of(report))
    page = open_page(report / 'index.html')
    outcomes = page.locator('#rows .outcome').all_inner_texts()
    assert 0 < failed < len(outcomes) and set(outcomes[failed:]) == {'correct', 'ran'}
    page.get_by_role('button', name=f'{failed} failed steps').click()
    assert state_of(page) == {'outcome': 'failed'}
    assert page.locator('#rows .outcome').all_inner_texts() == outcomes[:failed]
    page.select_option('#kind', 'vis')
    heads = page.locator('#rows thead th').all_inner_texts()
    assert 'Vis' in heads and 'Num' not in heads, 'a column without a value goes'


@pytest.mark.soak
def test_a_phone_shows_averages_and_whole_words(report, open_page, tmp_path):
    board = write_board(tmp_path / 'board.html')
    for path in (report / 'index.html', board, *(report / 'sessions' / name for name in CASES[:2])):
        page = open_page(path)
        page.set_viewport_size(PHONE)
        assert page.evaluate('document.documentElement.scrollWidth') <= PHONE['width'], path.name
        assert page.locator('h1, tbody th, tbody th a, .name').evaluate_all(BROKEN) == [], path.name
        for head in page.locator('.figures .strong:is(th)').all():
            box = head.bounding_box()
            assert box['x'] + box['width'] <= PHONE['width'], (path.name, head.inner_text())


@pytest.mark.soak
def test_figures_are_there_before_anybody_scrolls_and_paper_is_light(report, open_page):
    page = open_page(report / 'sessions' / CASES[0], color_scheme='dark')
    assert page.evaluate('document.images.length') > 0
    assert page.evaluate('[...document.images].every((one) => one.complete && one.naturalWidth)')
    page.emulate_media(media='print', color_scheme='dark')
    red, *_ = map(int, page.evaluate('getComputedStyle(document.body).backgroundColor.match(/\\d+/g)'))
    assert red > 200 and not page.locator('.tools').is_visible()


@pytest.mark.soak
def test_help_and_theme(report, open_page):
    page = open_page(report / 'index.html')
    page.keyboard.press('?')
    assert page.locator('#help').is_visible()
    page.keyboard.press('Escape')
    assert not page.locator('#help').is_visible()
    page.keyboard.press('t')
    page.keyboard.press('t')
    page.goto((report / 'sessions' / CASES[0]).as_uri())
    assert page.evaluate('document.documentElement.dataset.theme') == 'dark', 'it holds for all pages'


@pytest.mark.soak
def test_the_list_is_filtered_sorted_searched_and_linked(report, open_page):
    rows = list(rows_of(report))
    page = open_page(report / 'index.html')
    count = page.locator('#count')
    assert count.inner_text() == f'{len(rows)} steps'
    page.select_option('#model', 'evil')
    page.select_option('#kind', 'vis')
    wanted = [row for row in rows if row[2] == 'evil' and row[4] == 'vis']
    assert count.inner_text() == f'{len(wanted)} steps' and wanted
    page.locator('#rows thead button', has_text='Step').click()
    page.locator('#rows thead button', has_text='Step').click()
    assert state_of(page) == {'model': 'evil', 'kind': 'vis', 'sort': '-number'}
    numbers = [int(text) for text in page.locator('#rows tbody tr td:nth-child(2)').all_inner_texts()]
    assert numbers == sorted((row[3] for row in wanted), reverse=True)
    again = open_page(report / 'index.html', f'#{urlsplit(page.url).fragment}')
    assert again.locator('#rows tbody').inner_text() == page.locator('#rows tbody').inner_text()
    page.keyboard.press('/')
    page.keyboard.type('pandas/penguins:2')
    page.select_option('#kind', '')
    assert count.inner_text() == '2 steps', 'in both modes'
    page.get_by_role('button', name='Clear').click()
    playwright.expect(count).to_have_text(f'{len(rows)} steps')
    page.select_option('#agreement', 'differ')
    page.get_by_label('models', exact=True).check()
    assert page.locator('#rows tbody tr').count() == len(CASES)
    assert page.problems == []


def test_models_differ_by_their_shares_over_epochs_and_a_replay_is_none(tmp_path, open_page):
    """Each model has the first step right in one of two epochs, one of them the second, both the third."""
    ends = {('a', 1): '101', ('a', 2): '001', ('b', 1): '011', ('b', 2): '111', ('gold', 1): '111', ('gold', 2): '111'}
    results, traces = [], []
    session = session_trace(*(step_trace(index=index) for index in range(3)), experiment='x/0')
    for (model, epoch), right in ends.items():
        steps = [score(index, outcome='correct' if one == '1' else 'wrong') for index, one in enumerate(right)]
        results.append(result(steps=steps, model=model, dataset='d', epoch=epoch, replays_gold=model == 'gold'))
        traces.append(session.model_copy(update={'model': model, 'dataset': results[-1].dataset, 'epoch': epoch}))
    page = open_page(write_report([write_run(tmp_path / 'run', results, traces)], tmp_path / 'view'))
    assert page.locator('#agreement option').all_inner_texts() == ['all', 'all right', 'differ']
    page.select_option('#agreement', 'differ')
    assert page.locator('#count').inner_text() == '6 steps'
    page.get_by_label('models', exact=True).check()
    assert page.locator('#rows tbody td').all_inner_texts() == ['3', '50', '83', '100', '33']


@pytest.mark.soak
def test_the_leaderboard_is_sorted_searched_and_linked(open_page, tmp_path):
    path = write_board(tmp_path / 'board.html')
    page = open_page(path)

    def models(table='t2'):
        return page.locator(f'#{table} tbody tr:visible th').evaluate_all('all => all.map((one) => one.dataset.value)')

    as_it_was = models()
    assert page.locator('#count').inner_text() == '33 rows'
    head = page.locator('#t2').get_by_role('button', name='E-Num')
    for order, best in (('-E-Num', 'strong'), ('E-Num', 'weak *'), (None, as_it_was[0])):
        head.click()
        assert state_of(page).get('t2') == order and models()[0] == best
    assert models() == as_it_was
    page.locator('#t2').get_by_role('button', name='Model').click()
    page.locator('#t2').get_by_role('button', name='O-Num').click()
    assert models()[-2:] == ['weak *', 'weak *'], 'what has no score is last'
    page.keyboard.press('/')
    page.keyboard.type('llama chat')
    assert all('llama' in name.lower() and 'chat' in name.lower() for name in models()) and len(models()) == 3
    assert page.locator('#count').inner_text() == '3 of 33 rows'
    again = open_page(path, f'#{urlsplit(page.url).fragment}')
    assert again.locator('#t2 tbody').inner_text() == page.locator('#t2 tbody').inner_text()
    assert again.locator('#t2 [aria-sort=descending]').inner_text() == 'O-Num'
    assert page.problems == again.problems == []
    assert page.evaluate(STATE) == ['undefined', 'block', 0]


@pytest.mark.soak
def test_axe_finds_no_serious_fault(report, open_page, tmp_path):
    npm = shutil.which('npm')
    if npm is None:
        pytest.skip('no npm, which fetches axe-core')
    command = [npm, 'install', '--no-save', '--ignore-scripts', '--prefix', str(tmp_path), 'axe-core@4']
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env={**os.environ, 'CI': '1'})
    if done.returncode:
        pytest.skip(f'npm cannot fetch axe-core: {done.stderr.strip().splitlines()[-1:]}')
    axe = (tmp_path / 'node_modules' / 'axe-core' / 'axe.min.js').read_text()
    board = write_board(tmp_path / 'board.html')
    for path in (report / 'index.html', board, *(report / 'sessions' / name for name in CASES[:2])):
        page = open_page(path)
        see_all(page)
        page.evaluate(axe)
        for scheme, only in (('light', {}), ('dark', {'runOnly': ['color-contrast']})):
            page.emulate_media(color_scheme=scheme)
            found = page.evaluate('(only) => axe.run(only).then((result) => result.violations)', only)
            serious = {one['id']: one['nodes'][0]['html'] for one in found if one['impact'] in ('serious', 'critical')}
            assert serious == {}, json.dumps(serious, indent=1)
