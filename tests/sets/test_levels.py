"""Sets whose sessions are drawn from seeds: what is built is what the sources say, and bad sources are one line."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import SETS, builtin_sets
from cibench_eval.schema import CibenchError
from cibench_eval.sets.sources import sources_of
from tests.support.soak import many

DRAWN = ('builtin_long', 'builtin_claims', 'builtin_rules')
ENVIRONMENTS = ('modern', 'paper')


def test_the_sets_that_are_drawn():
    folders = {name: {folder.name for folder in (SETS / name / 'sources').iterdir()} for name in builtin_sets()}
    assert {name for name, found in folders.items() if found & {'long', 'claims', 'rules'}} == {*DRAWN}


@pytest.mark.parametrize('level', ['level1', pytest.param('level[2-9]', marks=pytest.mark.soak)])
@pytest.mark.parametrize('name', many(DRAWN, DRAWN[:1]))
def test_the_notebooks_are_what_their_sources_say(name, level):
    """The first of each level; in the soak three, of the long set one of each domain."""
    drafts = []
    for source in sources_of(name, f'*/{level}'):
        known = source.level.sessions
        for environment in ENVIRONMENTS:
            folder = builtin_sets()[name][environment]
            assert {path.stem for path in folder.rglob(f'{source.name.name}/*.ipynb')} == {*known}
        chosen = source.level.model_copy(update={'sessions': dict([*known.items()][: many(3, 1)])})
        drafts += replace(source, level=chosen).drafts()
    for environment in ENVIRONMENTS:
        folder = builtin_sets()[name][environment]
        for draft in drafts:
            cells = json.loads((folder / draft.target).read_text(encoding='utf-8'))['cells']
            code = [''.join(cell['source']) for cell in cells if cell['cell_type'] == 'code']
            assert code == draft.codes
    for draft in drafts:
        for file, content in draft.made.files.items():
            assert (SETS / name / 'datasources/data' / draft.folder / file).read_bytes() == content


@pytest.mark.parametrize('name', many(DRAWN, DRAWN[1:]))
def test_environments_have_the_same_gold_outputs(name):
    one, other = (
        {one.id: [step.text for step in one.steps] for one in load_experiments(builtin_sets()[name][environment])}
        for environment in ENVIRONMENTS
    )
    assert one == other


@pytest.mark.parametrize(
    ('kind', 'right', 'changed', 'said'),
    [
        ('long', 'domain: orders', 'domain: songs', "'songs'; there is orders, visits, trips"),
        ('long', 'seed: 1', 'seed: none', 'sessions.orders_a.seed'),
        ('long', 'steps: 40', 'steps: 4', 'steps'),
        ('long', 'amend', 'amendment', 'kinds.amendment'),
        ('claims', 'studies: 12', 'studies: 99', 'studies'),
        ('claims', 'sites: 2', 'towns: 2', 'assignments.towns'),
        ('claims', 'faults: [0, 1]', 'faults: [7]', 'faults.0'),
        ('claims', 'a: {seed: 1}', 'a: {}', 'sessions.a.seed'),
        ('rules', 'origins: 10', 'origins: many', 'rules.origins'),
        ('rules', 'plan: 1', 'plans: 1', 'questions'),
    ],
)
def test_a_malformed_level_is_one_line(tmp_path, monkeypatch, kind, right, changed, said):
    text = Path(SETS / f'builtin_{kind}/sources/{kind}/level1.yaml').read_text(encoding='utf-8')
    file = tmp_path / 'mine' / 'sources' / kind / 'level1.yaml'
    file.parent.mkdir(parents=True)
    monkeypatch.setattr('cibench_eval.sets.sources.SETS', tmp_path)
    file.write_text(text.replace(right, changed, 1), encoding='utf-8')
    with pytest.raises(CibenchError) as raised:
        sources_of('mine')
    assert str(raised.value).startswith(f'{file}: ')
    assert said in str(raised.value)
    assert '\n' not in str(raised.value)
