"""Sources that make their own data: files for kernels, labels that no kernel gets."""

import json
import re

import pytest

from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.naive import read_naive
from cibench_eval.schema import CibenchError, Execution, Output
from cibench_eval.sets.build import build
from cibench_eval.sets.templates import read_sources

SOURCE = """\
# ---
# jupyter:
#   instances:
#     small: {seed: 1, rows: 3, bound: 0.5}
#     large: {seed: 2, rows: 5, bound: 0.75}
#   varied:
#     seed: {between: [1, 9]}
#     rows: {between: [3, 9]}
#     bound: {pick: [0.5]}
# ---

# %% [markdown] kind="exec" modules="csv"
# Read `{{ data }}/table.csv` into `rows`.

# %%
rows = open('{{ data }}/table.csv').read().split()

# %% [markdown] kind="num" modules="csv" held_out="sizes" metric="mae" bound="{{ bound }}"
# Print the {{ rows }} sizes that are not in the table.

# %%
print(*range({{ rows }}))

# %% naive="careless literal" trap="all {{ rows }} are taken for 0"
print(*[0] * {{ rows }})
"""
DATA = """\
def make(rng, rows, bound):
    sizes = [float(size) for size in rng.integers(0, 9, rows)]
    return {'table.csv': 'size\\n', 'more/raw.bin': b'\\xff'}, {'sizes': sizes}
"""


@pytest.fixture
def source(tmp_path):
    """Writes a source and its generator, and reads them."""

    def written(data=DATA, text=SOURCE):
        folder = tmp_path / 'sources/hard/csv'
        folder.mkdir(parents=True, exist_ok=True)
        (folder / 'table.py').write_text(text)
        (folder / 'table.data.py').write_text(data)
        (read,) = read_sources(tmp_path / 'sources')
        return read

    return written


def built(folder, source):
    drafts = source.drafts()
    done = [[Execution(status='ok'), Execution(status='ok', outputs=[Output(type='stdout', text='1\n')])]] * 2
    return build(drafts, folder / 'modern', lambda experiments: done, 'modern', folder)


def test_each_instance_has_its_own_data_and_labels(source, tmp_path):
    (tmp_path / 'CANARY').write_text('do not train on it\n')
    small, large = built(tmp_path, source())
    assert small == tmp_path / 'modern/hard/csv/table_small.ipynb'
    assert (tmp_path / 'datasources/data/table_large/more/raw.bin').read_bytes() == b'\xff'
    first, second = load_experiments(tmp_path / 'modern')
    assert "open('data/table_large/table.csv')" in first.steps[0].code
    labels = json.loads((tmp_path / 'held_out/table_large.sizes.json').read_text())
    assert (first.steps[1].held_out.labels, first.steps[1].held_out.bound) == (labels['labels'], 0.75)
    assert len(second.steps[1].held_out.labels) == 3 and first.steps[0].held_out is None
    marked = [path.read_text() for path in tmp_path.rglob('*.*json')] + [large.read_text()]
    assert len(marked) == 5 and all('do not train on it' in text for text in marked)


def test_labels_are_nowhere_below_the_folder_that_kernels_get(source, tmp_path):
    built(tmp_path, source())
    below = [path.name for path in (tmp_path / 'datasources').rglob('*') if path.is_file()]
    assert sorted(below) == ['raw.bin', 'raw.bin', 'table.csv', 'table.csv']


def test_naive_answers_are_filed_with_their_traps_and_habits(source, tmp_path):
    built(tmp_path, source())
    (experiment, _) = load_experiments(tmp_path / 'modern')
    found = read_naive(experiment)
    assert found.sessions == ['careless', 'literal']
    assert found.of('literal')[1].trap == 'all 5 are taken for 0'
    assert found.of('literal')[1].code == 'print(*[0] * 5)'
    changed = [experiment.steps[0].model_copy(update={'code': 'rows = []'}), experiment.steps[1]]
    with pytest.raises(CibenchError, match='other gold code'):
        read_naive(experiment.model_copy(update={'steps': changed}))


def test_the_same_seed_makes_the_same_bytes(source):
    given = {'rows': 50, 'bound': 1}
    one, again, other = (source().instantiate('x', {'seed': seed, **given})[0].made for seed in (7, 7, 8))
    assert one == again != other


@pytest.mark.parametrize(
    ('data', 'why'),
    [
        ('x = 1', 'no function `make`'),
        ('def make(rng, rows, bound): return {}', 'must return two dicts'),
        ("def make(rng, rows, bound): return {'../x': ''}, {}", "'../x': no name of a file"),
        ("def make(rng, rows, bound): return {'/x': ''}, {}", "'/x': no name of a file"),
        ("def make(rng, rows, bound): return {}, {'weights': [1]}", 'its generator makes other labels: weights'),
    ],
)
def test_a_malformed_generator_is_named_with_the_cause(source, tmp_path, data, why):
    with pytest.raises(CibenchError, match=re.escape(why)):
        built(tmp_path, source(data))


@pytest.mark.parametrize(
    ('old', 'new', 'why'),
    [
        ('seed: 1, ', 'seed: x, ', 'has no `seed`'),
        (' bound="{{ bound }}"', '', 'belong together'),
        ('bound="{{ bound }}"', 'bound="few"', 'must be a number'),
        ('metric="mae"', 'metric="mean"', 'metadata `held_out` is malformed'),
        (' trap="all {{ rows }} are taken for 0"', '', 'needs naive="careless'),
        ('# %%\nrows', '# %% naive="a" trap="b"\nrows', 'after the gold code'),
    ],
)
def test_a_malformed_source_is_named_with_the_cause(source, tmp_path, old, new, why):
    with pytest.raises(CibenchError, match=re.escape(why)):
        built(tmp_path, source(text=SOURCE.replace(old, new, 1)))
