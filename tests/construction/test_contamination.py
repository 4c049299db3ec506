"""Passages of real notebooks in files of every kind that is read."""

import csv
import gzip
import io
import json
import re
import shutil

import pytest

from cibench_eval import cli
from cibench_eval.datasets import load_experiments
from tests.support.notebooks import EXAMPLES

PENGUINS, STEP = 'matplotlib/electricity', 5


@pytest.fixture(scope='module')
def steps():
    """Number -> step, of the notebook out of which passages are planted."""
    (experiment,) = load_experiments(EXAMPLES, include=[PENGUINS])
    return {step.index + 1: step for step in experiment.steps}


def looked(capsys, *words):
    code = cli.main(['construct', 'contamination', str(EXAMPLES), *map(str, words)])
    return code, *capsys.readouterr()


def rows(text):
    return [row for row in csv.DictReader(io.StringIO(text)) if int(row['elsewhere'])]


def noisy(code):
    """The same program in another dress: other quotes, blanks and line breaks, and a comment in each line."""
    return '\n\n'.join(f'{line.replace(chr(39), chr(34))}  # {line[:3]}!' for line in code.split('\n'))


def planted(folder, step):
    """Files of every kind with the question and the code of a step."""
    prose, code = f'Exercise.\n{step.question}\nSolution:', noisy(step.code)
    cells = [
        {'cell_type': 'markdown', 'source': [f'{line}\n' for line in step.question.split('\n')]},
        {'cell_type': 'code', 'source': code},
    ]
    files = {
        'page.html': f'<p>{prose.replace(" ", " <b></b>")}</p><script>x</script>'.encode(),
        'notes.md': prose.upper().encode(),
        'crawl.jsonl': f'{json.dumps({"a": [1, {"text": prose}]})}\n'.encode() * 2,
        'crawl.jsonl.gz': gzip.compress(f'{json.dumps({"text": prose})}\n'.encode()),
        'solution.py': code.encode(),
        'notebook.ipynb': json.dumps({'cells': cells}).encode(),
        'files.jsonl': json.dumps({'path': 'a.ipynb', 'content': json.dumps({'cells': cells})}).encode(),
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return files


@pytest.mark.parametrize(
    'name', ['page.html', 'notes.md', 'crawl.jsonl', 'crawl.jsonl.gz', 'solution.py', 'notebook.ipynb', 'files.jsonl']
)
def test_a_copy_is_found_where_it_is(tmp_path, capsys, steps, name):
    planted(tmp_path, steps[STEP])
    code, out, _ = looked(capsys, '--against', tmp_path / name, '--to', 'csv')
    found = rows(out)
    kinds = {'code'} if name == 'solution.py' else {'question'}
    kinds |= {'code'} if name in ('notebook.ipynb', 'files.jsonl') else set()
    assert code == 0 and {row['kind'] for row in found} == kinds
    for row in found:
        assert (row['notebook'], int(row['step'])) == (f'modern/{PENGUINS}', STEP)
        assert float(row['share']) == 1 and row['file'] == str(tmp_path / name)
        text = steps[STEP].question if row['kind'] == 'question' else steps[STEP].code
        said = row['passage'].split()
        assert int(row['longest']) == len(said) and ' '.join(said) in ' '.join(words_of(text))


def words_of(text):
    return re.findall(r'\w+', text.lower())


def test_of_a_part_the_share_is_counted(tmp_path, capsys, steps):
    """20 consecutive words of n stand elsewhere: 8 n-grams of n - 12."""
    words = max((words_of(step.question.rpartition('\n')[0] or step.question) for step in steps.values()), key=len)
    (tmp_path / 'a.txt').write_text(f'Other words before. {" ".join(words[2:22])} and other words behind it, too.')
    (hit,) = rows(looked(capsys, '--only', PENGUINS, '--against', tmp_path, '--to', 'csv')[1])
    assert (hit['kind'], hit['elsewhere'], hit['longest']) == ('question', '8', '20')
    assert hit['passage'] == ' '.join(words[2:22])


def test_chinese_is_found_by_its_characters(tmp_path, capsys):
    (experiment,) = load_experiments(EXAMPLES, include=['sklearn/rent_cn'])
    question = experiment.steps[1].question
    (tmp_path / 'a.txt').write_text(f'练习：{question.replace("，", " , ")}', encoding='utf-8')
    _, out, _ = looked(capsys, '--against', tmp_path, '--to', 'csv')
    found = rows(out)
    assert {(row['notebook'], row['step'], row['kind']) for row in found} == {
        ('modern/sklearn/rent_cn', '2', 'question')
    }
    assert float(found[0]['share']) == 1


def test_other_words_imports_and_what_everybody_writes_do_not_count(tmp_path, capsys, steps):
    planted(tmp_path, steps[STEP])
    text = (tmp_path / 'notes.md').read_text()
    shutil.rmtree(tmp_path)
    tmp_path.mkdir()
    (tmp_path / 'other.md').write_text(' '.join(reversed(text.split())))
    imports = [line for one in steps.values() for line in one.code.splitlines() if 'import ' in line]
    assert imports
    (tmp_path / 'imports.py').write_text('\n'.join(imports) * 3)
    assert looked(capsys, '--against', tmp_path, '--fail-over', 0)[0] == 0
    for number in range(11):
        (tmp_path / f'{number}.md').write_text(text)
    code, out, _ = looked(capsys, '--against', tmp_path, '--fail-over', 0, '--to', 'json')
    common = [one for one in json.loads(out)['found'] if one['common']]
    assert code == 0 and len(common) == 1 and common[0]['common'] == common[0]['ngrams']
    assert 'as a set that is copied often: 1 text (--to csv)' in looked(capsys, '--against', tmp_path)[1]
    (tmp_path / '10.md').unlink()
    code, out, _ = looked(capsys, '--against', tmp_path, '--fail-over', 0)
    assert code == 1 and f'modern/{PENGUINS} step {STEP}, question' in out and '100 % of it' in out


def test_a_passage_over_the_end_of_a_piece_is_found(tmp_path, monkeypatch, capsys, steps):
    monkeypatch.setattr('cibench_eval.construction.contamination.PIECE', 40)
    (tmp_path / 'a.txt').write_text('\n'.join(steps[STEP].question.split()))
    (row,) = rows(looked(capsys, '--against', tmp_path, '--to', 'csv')[1])
    assert float(row['share']) == 1


def test_the_set_is_no_source_of_itself(tmp_path, capsys):
    shutil.copytree(EXAMPLES, tmp_path / 'set')
    (tmp_path / 'note.txt').write_text('hello')
    words = ['construct', 'contamination', str(tmp_path / 'set'), '--to', 'csv', '--against']
    assert cli.main([*words, str(tmp_path)]) == 0
    assert not rows(capsys.readouterr().out)
    assert cli.main([*words, str(tmp_path / 'set' / 'pandas')]) == 2
    assert 'no file of text in' in capsys.readouterr().err


@pytest.mark.parametrize(
    ('words', 'said'),
    [
        ((), 'nowhere to look; give --against PATH'),
        (('--against', '/no/such'), '--against /no/such: no such file or folder'),
        (('--packages', 'no_such'), 'not in the kernel environment'),
        (('--against', EXAMPLES.parent / 'datasources' / 'data' / 'camera.png'), 'no file of text'),
    ],
)
def test_what_cannot_be_looked_at_is_said_in_one_line(capsys, words, said):
    code, _, err = looked(capsys, *words)
    assert code == 2 and said in err and err.count('\n') == 1


def test_a_file_that_is_cut_is_named(tmp_path, capsys):
    (tmp_path / 'a.txt.gz').write_bytes(gzip.compress(b'a b c d e f g')[:-9])
    code, out, _ = looked(capsys, '--against', tmp_path)
    assert code == 0 and f'not read: {tmp_path}/a.txt.gz: Compressed file ended' in out


def test_documentation_of_packages_is_read(capsys):
    code, out, _ = looked(capsys, '--packages', 'cycler,ipykernel')
    assert code == 0 and 'all 6 experiments' in out and 'common phrases' in out
