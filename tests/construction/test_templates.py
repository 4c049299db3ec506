"""Experiments as templates, and templates on other data: real notebooks, real kernels."""

import json
import re

import pandas as pd
import pytest

from cibench_eval import cli
from cibench_eval.datasets import load_experiment, load_experiments
from cibench_eval.datasets.builtin_sets import SETS
from cibench_eval.datasets.naive import read_naive
from tests.support.cells import code, markdown, stdout, write
from tests.support.notebooks import EXAMPLES
from tests.support.soak import many

PENGUINS = EXAMPLES / 'pandas' / 'penguins.ipynb'
SHOPS = 'shop,sales total,rest\nb,10,1\na,4,2\nb,,3\na,8,4\nb,20,5\n'


def lift(capsys, folder, *notebooks):
    """Lift notebooks by the command: the text of the last template, and what was said of it."""
    capsys.readouterr()
    assert cli.main(['construct', 'lift', *map(str, notebooks), '--to', str(folder)]) == 0
    said = capsys.readouterr().out
    path = next(folder.rglob(f'{notebooks[-1].stem}.py'))
    return path, path.read_text(), said


def parameters(said):
    """The rows of the table of parameters: name -> kind, value and where it stands."""
    rows = [re.split(r'\s{2,}', line.strip()) for line in said.partition('──\n')[2].splitlines()]
    return {row[0]: row[1:] for row in rows if len(row) > 3}


def notebook_of(folder, cells, name='mine', **metadata):
    """A notebook with questions and code, and its data above it."""
    (folder / 'datasources' / 'data').mkdir(parents=True, exist_ok=True)
    made = [cell for asked, source in cells for cell in (markdown(asked), code(stdout('1'), source=source))]
    metadata = {'step_types': ['exec'] * len(cells), 'modules': ['pandas'] * len(cells), **metadata}
    return write(folder, *made, name=f'split/lib/{name}.ipynb', **metadata)


def test_what_the_data_decide_becomes_a_parameter(tmp_path, capsys):
    _, text, said = lift(capsys, tmp_path, PENGUINS)
    assert parameters(said) == {
        'file': ['file', 'penguins.csv', '1', '1'],
        'species': ['column', 'species', '5', '5'],
        'body_mass_g': ['column', 'body_mass_g', '3, 5', '3, 5'],
    }
    assert '`data/{{ file }}`' in text and "penguins.groupby('{{ species }}')" in text
    assert 'penguins.shape' in text, 'a name of the code is no name of the data'
    assert 'look at: ' in said and 'species in alphabetical order' in said


def test_values_numbers_attributes_and_braces(tmp_path, capsys):
    cells = [
        ('Read `data/t.csv` into `t`.', "import pandas as pd\nt = pd.read_csv('data/t.csv')"),
        (
            'Print the mean of `price` in the town `Bern`, over the first 7 rows, as `{"mean": …}`.',
            "x = t[t.town == 'Bern'].head(7)\nprint(f'{{\"mean\": {x.price.mean()}}}', {'t': {'n': len(x['price'])}})",
        ),
        ('Print the years of `day`.', "print(pd.to_datetime(t['day']).dt.year, t['year'], t['far'], t['wet'])"),
    ]
    path = notebook_of(tmp_path, cells)
    (tmp_path / 'datasources' / 'data' / 't.csv').write_text(
        'town,price,day,year,far,wet\nBern,1.5,2021-01-03,1,inf,True\nGenf,2.5,2021-01-04,7,1,False\nBern,,2021-01-05,3,2,True\n'
    )
    with pd.option_context('future.infer_string', True):  # as pandas 3 reads texts
        _, text, said = lift(capsys, tmp_path / 'templates', path)  # which sees that its first instance is the notebook
    assert {name: row[0] for name, row in parameters(said).items()} == {
        'file': 'file',
        'town': 'column',
        'price': 'column',
        'day': 'column',
        'year': 'column',
        'far': 'column',
        'wet': 'column',
        'bern': 'value',
        'head': 'number',
    }
    assert "t[t.{{ town }} == '{{ bern }}'].head({{ head }})" in text
    assert ".dt.year, t['{{ year }}']" in text, 'what every date has is no column'
    assert 'look at: year (year) stands in code and in no question' in said
    varied = re.sub(r'\n# +', ' ', re.search('varied:(.*?)---', text, re.DOTALL)[1])
    assert '{table: 3}' in varied and '{level_of: town}' in varied and 'gaps: 0.333' in varied
    assert 'days: 2021-01-03' in varied.replace("'", '')


def test_files_of_the_set_that_a_string_names_are_parameters(tmp_path, capsys):
    """Not those that the code writes, nor an address."""
    made = "print(pd.read_csv('data/made.csv')['shop'], 'https://x.org/data/t.csv')"
    cells = [
        ('Read.', "t = pd.read_csv('data/my shops/in 24.csv')\nt['gone'].to_csv('data/made.csv')"),
        ('Print `shop`.', made),
    ]
    notebook = notebook_of(tmp_path, cells)
    (tmp_path / 'datasources/data/my shops').mkdir()
    (tmp_path / 'datasources/data/my shops/in 24.csv').write_text('shop,gone\na,\nb,\n')
    *_, said = lift(capsys, tmp_path / 'templates', notebook)
    values = {name: row[1] for name, row in parameters(said).items()}
    assert values == {'file': 'my shops/in 24.csv', 'shop': 'shop', 'gone': 'gone'}
    assert 'write `varied` yourself' in said, 'a column is empty'


def test_declared_answers_need_no_sentence_of_the_build(tmp_path, capsys):
    data = tmp_path / 'datasources' / 'data'
    cells = [
        (
            'Store the rows of `data/shops.csv` in `n`.\r\n\r\nThought: I count.',
            "n = len([*open('data/shops.csv')])\r\nprint(n)",
        )
    ]
    path = notebook_of(tmp_path, cells, step_types=['num'], answers=['n: count'])
    (data / 'shops.csv').write_text(SHOPS)
    _, text, _ = lift(capsys, tmp_path / 'templates', path)
    assert (
        'answer="n: count"' in text
        and 'Store the rows of `data/{{ file }}` in `n`.\n#\n# Thought: I count.\n\n' in text
    )


@pytest.mark.soak
@pytest.mark.parametrize('split', ['cibench_template', *many(['cibench_generation'], [])])
def test_every_built_in_source_is_the_first_instance_of_its_template(split, tmp_path, capsys):
    """Else lifting it is an error."""
    paths = sorted((SETS / 'builtin' / 'modern' / split).rglob('*.ipynb'))
    if split == 'cibench_template':  # whose notebooks have the code of one source, several at a time
        paths = [*{path.parent / path.stem.partition('_')[0]: path for path in paths}.values()]
    lift(capsys, tmp_path, *paths)
    assert len([*tmp_path.rglob('*.py')]) == len(paths) > 0


@pytest.mark.soak
@pytest.mark.kernel
def test_a_template_on_other_data_has_gold_of_its_own(tmp_path, capsys):
    templates, data = tmp_path / 'templates', tmp_path / 'data'
    assert cli.main(['construct', 'lift', str(PENGUINS), '--to', str(templates)]) == 0
    assert 'species in alphabetical order' in capsys.readouterr().out
    template = templates / 'modern' / 'pandas' / 'penguins.py'
    mine = (
        '#     shops: {file: shops.csv, species: shop, body_mass_g: sales total}\n#     no: {file: no.csv, species: a, '
    )
    mine += 'body_mass_g: b}\n'
    header, _, rest = re.split('(#     original: [^\n]*\n)', template.read_text(), maxsplit=1)
    template.write_text(
        header + mine.replace('no:', 'broken:') + re.sub('#   varied.*?# ---', '# ---', rest, flags=re.S)
    )
    data.mkdir()
    (data / 'shops.csv').write_text(SHOPS)
    words = ['construct', 'fill', str(template), '--to', str(tmp_path / 'set'), '--data', str(data)]
    assert cli.main([*words, '--sandbox', 'auto', '--repeats', '1']) == 1
    out = capsys.readouterr().out
    assert '1 of 2 are clean' in out and 'fails: FileNotFoundError' in out
    assert 'missing_file: give its folder with --data' in out
    (made,) = load_experiments(tmp_path / 'set' / 'modern')
    assert made.id == 'pandas/penguins_shops'
    assert '`data/shops.csv`' in made.steps[0].question and '`sales total`' in made.steps[2].question
    assert [step.text.strip() for step in made.steps[1:4]] == ['(5, 3)', '10.5', 'sales total']
    (plot,) = (json.loads(figure.described) for figure in made.steps[4].figures)
    assert '15' in json.dumps(plot) and 'shop' in json.dumps(plot), 'the mean of b, 15, and the name of the column'


@pytest.mark.soak
@pytest.mark.kernel
def test_fresh_data_are_made_by_seeds(tmp_path, capsys):
    source = SETS / 'builtin' / 'modern' / 'cibench_template' / 'pandas' / 'grouping_tips.ipynb'
    template, *_ = lift(capsys, tmp_path / 'templates', source)
    fill = ['construct', 'fill', str(tmp_path / 'templates'), '--sandbox', 'auto', '--repeats', '1', '--seeds', '1-2']
    assert cli.main([*fill, '--to', str(tmp_path / 'set')]) == 0
    one, two = load_experiments(tmp_path / 'set' / 'cibench_template')
    golds = [
        [step.text for step in made.steps if step.text] for made in (one, two, load_experiment(source, source.parent))
    ]
    assert len({json.dumps(gold) for gold in golds}) == 3, 'each has data of its own'
    assert 'tips.csv' not in one.steps[0].question and template.name == 'grouping_tips.py'


BOTH = """# ---
# jupyter:
#   instances:
#     one: {seed: 1}
# ---

# %% [markdown] kind="num" modules="pandas" held_out="later" metric="mae" bound="1"
# Print a forecast of the next two values of `{{ data }}/x.csv`.

# %% [markdown] lang="cn"
# 打印 `{{ data }}/x.csv` 之后两个值的预测。

# %%
print(*[4 * float(one) for one in open('{{ data }}/x.csv')])

# %% naive="careless" trap="the first values again"
print(10, 20)
"""
MADE = """
def make(rng):
    return {'x.csv': '10\\n20\\n'}, {'later': [40, 80]}
"""


@pytest.mark.soak
@pytest.mark.kernel
def test_a_template_gives_both_languages_with_labels_and_naive_answers(tmp_path):
    template = tmp_path / 'templates' / 'split' / 'lib' / 'a.py'
    template.parent.mkdir(parents=True)
    template.write_text(BOTH)
    template.with_suffix('.data.py').write_text(MADE)
    words = ['construct', 'fill', str(template), '--sandbox', 'auto', '--repeats', '1', '--to', str(tmp_path / 'set')]
    assert cli.main(words) == 0
    for split in ('split', 'split_chinese'):
        (made,) = load_experiments(tmp_path / 'set' / split)
        assert made.steps[0].held_out.labels == [40, 80] and len(read_naive(made).sessions) == 1


def test_a_chinese_notebook_becomes_a_chinese_template(tmp_path, capsys):
    path = notebook_of(
        tmp_path,
        [('打印 `data/shops.csv` 的长度。', "print(len(open('data/shops.csv').read()))")],
        step_types=[],
        modules=[],
    )
    path = path.parent.parent.rename(tmp_path / 'split_chinese') / 'lib' / 'mine.ipynb'
    (tmp_path / 'datasources' / 'data' / 'shops.csv').write_text(SHOPS)
    template, *_ = lift(capsys, tmp_path / 'templates', path)
    assert template == tmp_path / 'templates' / 'split' / 'lib' / 'mine.py'
    fill = [
        'construct',
        'fill',
        str(template),
        '--data',
        str(tmp_path / 'datasources/data'),
        '--to',
        str(tmp_path / 'set'),
    ]
    cli.main(fill)
    said = capsys.readouterr().out
    assert 'split_chinese/lib/mine_original' in said and 'language' not in said
    (made,) = load_experiments(tmp_path / 'set' / 'split_chinese')
    assert made.steps[0].kind == 'general' and '模块' not in made.steps[0].question


def test_what_cannot_be_lifted_or_filled_is_said_in_one_line(tmp_path, capsys, monkeypatch):
    nothing = notebook_of(tmp_path, [('Print hello.', "print('hello')")], 'nothing')
    absent = notebook_of(tmp_path, [('Read `data/no.csv`.', "open('data/no.csv')")], 'absent')
    (tmp_path / 'full').mkdir()
    (tmp_path / 'full' / 'a').touch()
    twice = tmp_path / 'twice' / 'split' / 'lib'
    twice.mkdir(parents=True)
    (twice / 'a.py').write_text(BOTH.replace('one:', 'b_one:'))
    (twice / 'a_b.py').write_text(BOTH)
    template, *_ = lift(capsys, tmp_path / 'templates', PENGUINS)
    template.write_text(re.sub('#   varied.*?# ---', '# ---', template.read_text(), flags=re.DOTALL))
    monkeypatch.chdir(template.parent)
    for words, said in (
        (['lift', str(nothing), '--to', str(tmp_path)], 'nothing to vary'),
        (
            ['lift', str(absent), str(PENGUINS), '--to', str(tmp_path / 'more')],
            'absent.ipynb: nothing to vary: its code names no file',
        ),
        (['lift', str(PENGUINS), '--to', str(tmp_path / 'templates')], 'there already'),
        (['fill', str(tmp_path / 'no'), '--to', str(tmp_path / 'set')], 'cibench construct lift'),
        (['fill', template.name, '--to', str(tmp_path / 'full')], 'not empty'),
        (['fill', str(tmp_path / 'twice'), '--to', str(tmp_path / 'set')], 'a_b.py both make split/lib/a_b_one.ipynb'),
        (['fill', str(template), '--to', str(tmp_path / 'set'), '--seeds', '1'], 'no `varied` in its header'),
        (['fill', str(template), '--to', str(tmp_path / 'set'), '--seeds', 'x'], "--seeds 'x': give whole numbers"),
    ):
        assert cli.main(['construct', *words]) == 2
        err = capsys.readouterr().err
        assert said in err and err.count('\n') == 1
    assert [*(tmp_path / 'more').rglob('penguins.py')]


def test_tables_are_made_as_they_are_described(tmp_path, capsys):
    spec = tmp_path / 'tables.yaml'
    spec.write_text(
        'sales.csv:\n  rows: 400\n  columns:\n    region: {shares: {North: 0.5, South: 0.5}}\n'
        '    price: {normal: [25, 4], digits: 1, gaps: 0.1}\n    revenue: {follows: {price: 3}, noise: 1}\n'
    )
    for folder, seed in (('a', '1'), ('b', '1'), ('c', '2')):
        assert cli.main(['construct', 'data', str(spec), '--to', str(tmp_path / folder), '--seed', seed]) == 0
    assert cli.main(['construct', 'data', str(spec), '--to', str(tmp_path / 'a')]) == 2
    assert 'not empty' in capsys.readouterr().err
    a, b, c = ((tmp_path / folder / 'sales.csv').read_bytes() for folder in 'abc')
    assert a == b != c
    rows = [line.split(',') for line in a.decode().splitlines()]
    assert rows[0] == ['region', 'price', 'revenue'] and len(rows) == 401
    prices = [float(row[1]) for row in rows[1:] if row[1]]
    assert 24 < sum(prices) / len(prices) < 26 and 330 < len(prices) < 390
    spec.write_text('sales.csv: {rows: 4, columns: {a: {gauss: 1}}}')
    assert cli.main(['construct', 'data', str(spec), '--to', str(tmp_path)]) == 2
    assert "'gauss' is no distribution; there is" in capsys.readouterr().err
    spec.write_text('sales.csv: {rows: 4, columns: {a: {normal: [1, 2], digts: 1}}}')
    assert cli.main(['construct', 'data', str(spec), '--to', str(tmp_path)]) == 2
    assert "sales.csv: a: 'digts': unknown; there is by, digits" in capsys.readouterr().err
