"""The pages of a run: they show what `cibench show` shows, and nothing of what they show is more than text."""

import csv
import json
import re
import shutil
import struct
import webbrowser
from hashlib import sha256
from pathlib import Path

import pytest

from cibench_eval import cli
from cibench_eval.run.run_folder import recorded_datasets
from cibench_eval.terminal import visible
from tests.support.chat_server import chat_server
from tests.support.notebooks import EXAMPLES, replace_in_config
from tests.support.pngs import HOSTILE, LARGE
from tests.support.viewer_runs import EVIL
from tests.viewer.pages import CASES, Page, changed, rows_of, write_report

MOST_PIXELS = 10_000_000

pytestmark = pytest.mark.kernel


def views(run):
    """Every session of a run, scored and with its gold."""
    for dataset in recorded_datasets(run):
        for view in dataset.views(gold={one.id: one for one in dataset.experiments}):
            yield dataset, view


def page_of(report, dataset, view):
    return report / 'sessions' / f'{dataset.split}.{dataset.mode}.{view.trace.experiment.replace("/", "_")}.html'


def test_a_page_has_all_that_show_prints(run, report, capsys):
    for dataset, view in views(run):
        words = [
            'show',
            str(run),
            view.trace.experiment,
            '--model',
            dataset.model_name,
            '--dataset',
            dataset.dataset_name,
        ]
        assert cli.main(words) == 0
        text = Page(page_of(report, dataset, view)).text
        # Steps and golds have headings of their own, outcomes a colour, and figures are shown.
        for line in re.sub(r'── (step|scores|gold).*|.*\bfigures?\b.*', '', capsys.readouterr().out).splitlines():
            assert line.strip(' ─') in text, (dataset.name, view.trace.experiment, line)


def test_figures_stand_beside_those_of_the_gold(run, report):
    for dataset, view in views(run):
        page = Page(page_of(report, dataset, view))
        shown = {image['src'] for image in page.all('img')}
        gold = {figure.filename for step in view.gold.steps for figure in step.figures}
        drawn = {
            f'{sha256((view.figures / one.filename).read_bytes()).hexdigest()}.png'
            for step in view.trace.steps
            for a in step.attempts
            if a.execution
            for one in a.execution.figures
        }
        assert gold and shown >= {f'../figures/{name}' for name in gold | drawn}
        assert all((report / 'figures' / name).is_file() for name in gold | drawn)
    assert page.all('div').count({'class': 'frame'}) > 0, 'where both are there, so is their difference'


def test_the_overview_lists_every_step_as_show_does(run, report):
    listed = {(page, label, number): rest for page, _, label, number, *rest in rows_of(report)}
    expected = {
        (page_of(report, dataset, view).name, dataset.model_name, line.step): [line.kind, line.attempts, [line.outcome]]
        for dataset, view in views(run)
        for line in view.lines()
    }
    assert listed == expected


def test_the_overview_has_the_tables_of_the_summary(run, report):
    text = Page(report / 'index.html').text
    assert 'examples: good, evil' in text
    (markdown,) = (run / 'summary').glob('*.md')
    lines = [line.strip('| ').split(' | ') for line in markdown.read_text().splitlines() if line.startswith('| ')]
    cells = {
        re.split(r' \[| \(rank ', cell)[0].replace('\\', '') for line in lines for cell in line if '--' not in cell
    }
    assert len(cells) > 20 and all(cell in text for cell in cells)
    assert 'ModelAvgWholeE-Tool' in text, 'the headline is first'
    assert any('Slow' in line for line in lines) and '>Slow<' not in (report / 'index.html').read_text(), (
        'a column without values is left out'
    )


def test_the_chart_of_causes_counts_failures_of_their_own_as_the_summary_does(run, report):
    failures = [one for path in run.glob('results/*/*.json') for one in json.loads(path.read_text())['failures']]
    followed = sum(one['propagated_from'] is not None for one in failures)
    text = Page(report / 'index.html').text
    assert followed and f'their own, by cause. {followed} more followed from an earlier step.' in text
    assert sum(map(int, re.findall(r': (\d+) × ', text))) == len(failures) - followed


@pytest.mark.parametrize('name', ['index.html', *(f'sessions/{case}' for case in CASES)])
def test_what_a_model_wrote_is_text_and_nothing_else(report, name):
    page = Page(report / name)
    scripts = page.all('script')
    assert len(scripts) == 1 + (name == 'index.html') and all('src' not in one for one in scripts)
    assert {tag for tag, _ in page.elements} & {'iframe', 'object', 'embed', 'base', 'style', 'link'} <= {'link'}
    for tag, attributes in page.elements:
        assert not [key for key in attributes if key.startswith('on') or key == 'style'], tag
    for image in page.all('img'):
        assert re.fullmatch(r'\.\./figures/[0-9a-f]{64}\.png', image['src'])
    for link in page.all('a') + page.all('link'):
        assert re.fullmatch(
            r'(\.\./)?(index\.html|style\.css|figures/[0-9a-f]+\.png)|#[\w=-]+|[\w.-]+\.html', link.get('href') or '#x'
        ), link
    (policy,) = [meta['content'] for meta in page.all('meta') if meta.get('http-equiv') == 'Content-Security-Policy']
    assert "script-src 'sha256-" in policy and 'unsafe' not in policy
    if name != 'index.html':
        assert EVIL in page.text


def test_a_long_text_is_cut_and_says_where_the_whole_is(run, tmp_path):
    def change(execution, _):
        execution['outputs'].append({'type': 'stdout', 'text': 'begin' + 'x <b>' * 1_000_000 + 'end'})

    report = changed(run, tmp_path, change)
    for case in CASES:
        path = report / 'sessions' / case
        text = Page(path).text
        assert re.search(r'\[… 4,?980,?008 characters left out; the whole: cibench show \S*changed', text), case
        assert 'xend' in text.replace(' <b>', '') and path.stat().st_size < 2_000_000


@pytest.mark.soak
def test_figures_that_are_too_much_are_made_smaller_or_named(run, tmp_path):
    names = [*(sha256(content).hexdigest() for content in HOSTILE.values()), '0' * 64]

    def change(execution, figures):
        for name, content in zip(names, HOSTILE.values(), strict=False):
            (figures / f'{name}.png').write_bytes(content)
        execution['outputs'] = [{'type': 'display_data', 'figure': {'sha256': name}} for name in names]

    report = changed(run, tmp_path, change)
    page = Page(report / 'sessions' / CASES[0])
    shown = {path.stem for path in (report / 'figures').iterdir()}
    for name, kind in zip(names, HOSTILE, strict=False):
        if name in shown:
            width, height = struct.unpack('>II', (report / 'figures' / f'{name}.png').read_bytes()[16:24])
            assert width * height < MOST_PIXELS, kind
            assert kind not in LARGE or kind == 'a second header' or max(width, height) <= 1200, kind
    assert re.search(r'made smaller from 6,000 × 6,000 pixels, [\d,]+ bytes; the whole is in /', page.text)
    assert re.search(r'a figure that is not shown \(.*2,147,483,647', page.text)
    assert f'the figure cannot be read: {tmp_path}' in page.text, 'the last one is not there'


@pytest.mark.soak
def test_each_profile_that_the_run_is_scored_by_is_shown(run, tmp_path, capsys):
    copy = shutil.copytree(run, tmp_path / 'run')
    assert cli.main(['score', str(copy), '--profile', 'official']) == 0
    capsys.readouterr()
    assert cli.main(['view', str(copy), '--no-open']) == 0
    assert capsys.readouterr().out == f'{copy}/view/index.html\n'
    text = Page(copy / 'view' / 'sessions' / CASES[0]).text
    assert 'scores by strict' in text and 'scores by official' in text
    parts = Page(copy / 'view' / 'index.html').all('div')
    assert [part['data-profile'] for part in parts if 'data-profile' in part] == ['strict', 'official']
    assert all(len(marks) == 2 and all(marks) for *_, marks in rows_of(copy / 'view'))


JUDGE = """
from cibench_eval.evaluators.judges import VisionJudge
from cibench_eval.models import OpenAICompatible

model = dict(type=OpenAICompatible, abbr='j', path='any', base_url={url!r}, retries=0)
judges = [dict(abbr='eye', type=VisionJudge, rubric='own', model=model, reply_cache=False)]
"""


def test_what_judges_said_stands_below_the_scores(run, tmp_path, capsys):
    copy, config = shutil.copytree(run, tmp_path / 'run'), tmp_path / 'judge.py'
    with chat_server(lambda messages: f'{EVIL}\nVerdict: 7') as server:
        config.write_text(JUDGE.format(url=server.base_url))
        assert cli.main(['judge', str(copy), '--config', str(config)]) == 0
    out = write_report([copy], tmp_path / 'report').parent
    seen = 0
    for dataset, view in views(copy):
        page = Page(page_of(out, dataset, view))
        for (verdict,) in view.verdicts.values():
            if verdict.replies:
                assert 'vis by judge eye: 0.7' in page.text and visible(verdict.replies[0].text) in page.text
                seen += 1
    assert seen
    capsys.readouterr()
    assert cli.main(['export', str(copy), '--to', 'csv', '--out', str(tmp_path / 'steps.csv')]) == 0
    with (tmp_path / 'steps.csv').open(encoding='utf-8') as file:
        judged = [row['judge_eye'] for row in csv.DictReader(file)]
    assert judged.count('0.7') == seen and '' in judged


def test_runs_stand_side_by_side(run, tmp_path):
    copy = shutil.copytree(run, tmp_path / 'later')
    write_report([run, copy], tmp_path / 'view')
    names = [f'{model} ({folder.name})' for folder in (run, copy) for model in ('good', 'evil')]
    assert list(dict.fromkeys(label for _, _, label, *_ in rows_of(tmp_path / 'view'))) == names
    text = Page(tmp_path / 'view' / 'sessions' / CASES[0]).text
    assert all(name in text for name in names)
    index = Page(tmp_path / 'view' / 'index.html').text
    assert 'examples: 4 models' in index and all(name in index for name in names)


def test_what_is_not_scored_and_has_no_gold_any_more_is_shown_all_the_same(run, tmp_path, capsys):
    copy = shutil.copytree(run, tmp_path / 'run')
    shutil.rmtree(copy / 'results')
    replace_in_config(copy, str(EXAMPLES), '/gone')
    assert cli.main(['view', str(copy), '--no-open']) == 1
    assert 'gold is not shown: ' in capsys.readouterr().err
    assert 'not scored' in Page(copy / 'view' / 'sessions' / CASES[0]).text
    assert 'Not scored yet' in Page(copy / 'view' / 'index.html').text


def test_a_notebook_that_was_changed_since_is_not_taken_for_gold(run, tmp_path, capsys):
    copy, notebooks = shutil.copytree(run, tmp_path / 'run'), shutil.copytree(EXAMPLES.parent, tmp_path / 'set')
    for path in notebooks.glob('modern/*/*.ipynb'):
        content = json.loads(path.read_text())
        content['cells'] = content['cells'][:4]
        content['metadata'].update(step_types=content['metadata']['step_types'][:2], modules=['pandas'] * 2)
        path.write_text(json.dumps(content))
    replace_in_config(copy, str(EXAMPLES.parent), str(notebooks))
    assert cli.main(['view', str(copy), '--no-open']) == 0
    page = Page(copy / 'view' / 'sessions' / CASES[0])
    assert 'Gold' not in page.text and 'scores by strict' in page.text


def test_an_experiment_with_many_sessions_has_several_pages(run, tmp_path, monkeypatch):
    monkeypatch.setattr('cibench_eval.viewer.cases.MOST_SESSIONS', 1)
    write_report([run], tmp_path / 'view')
    names = {path.name for path in (tmp_path / 'view' / 'sessions').iterdir()}
    assert names == {*CASES, *(f'{case.removesuffix(".html")}.2.html' for case in CASES)}
    assert {(page, column) for page, column, *_ in rows_of(tmp_path / 'view')} == {(name, 0) for name in names}


def test_a_report_that_was_not_finished_can_be_written_again(run, tmp_path):
    def stop(path, *arguments, **options):
        if path.parent.name == 'sessions':
            raise KeyboardInterrupt
        return written(path, *arguments, **options)

    written = Path.write_text
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, 'write_text', stop)
        assert cli.main(['view', str(run), '--out', str(tmp_path / 'view'), '--no-open']) == 130
    assert 'Not finished' in Page(tmp_path / 'view' / 'index.html').text
    write_report([run], tmp_path / 'view')
    assert list(rows_of(tmp_path / 'view'))


def test_a_report_is_written_anew_and_nothing_else_is_overwritten(run, tmp_path, capsys):
    out = tmp_path / 'view'
    write_report([run], out)
    (out / 'sessions' / 'old.html').touch()
    write_report([run], out)
    assert not (out / 'sessions' / 'old.html').exists()
    (tmp_path / 'mine').mkdir()
    (tmp_path / 'mine' / 'index.html').write_text('my page')
    assert cli.main(['view', str(run), '--out', str(tmp_path / 'mine'), '--no-open']) == 2
    error = capsys.readouterr().err
    assert 'has files that are no report' in error and error.count('\n') == 1
    assert (tmp_path / 'mine' / 'index.html').read_text() == 'my page'


@pytest.mark.parametrize(('folders', 'said'), [(2, 'named twice'), (0, 'no run folder')])
def test_what_cannot_be_shown_is_said_in_one_line(run, tmp_path, capsys, folders, said):
    assert cli.main(['view', *([str(run)] * folders or [str(tmp_path)]), '--out', str(tmp_path / 'view')]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count('\n') == 1
    assert not (tmp_path / 'view').exists()


def test_a_browser_is_opened_where_there_is_a_screen(run, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, 'open', opened.append)
    monkeypatch.delenv('WAYLAND_DISPLAY', raising=False)
    words = ['view', str(run), '--out', str(tmp_path / 'a view')]
    for display, more in ((':0', ['--no-open']), ('', []), (':0', [])):
        monkeypatch.setenv('DISPLAY', display)
        assert cli.main([*words, *more]) == 0
    assert opened == [(tmp_path / 'a view' / 'index.html').as_uri()]
