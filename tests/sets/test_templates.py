"""One source, many experiments: parameters, words, languages."""

import pytest

from cibench_eval.schema import CibenchError
from cibench_eval.sets.templates import read_sources

TEMPLATE = """\
# ---
# jupyter:
#   instances:
#     fruit: {file: fruit.csv, columns: [apple, pear], name: {en: fruit, cn: 水果}}
#     birds: {file: birds.csv, columns: [kite], name: {en: birds, cn: 鸟}}
#   varied:
#     file: {table: 9}
#     columns: {columns: []}
#     name: {pick: [things]}
#   words:
#     title: {en: 'All {{ name }}', cn: '全部{{ name }}'}
#     long: '{{ title }}!'
# ---

# %% [markdown] kind="exec" modules="csv"
# Read `data/{{ file }}`, about {{ name }}.
#
# Thought: Read {{ columns | join(' and ') }}.

# %% [markdown] lang="cn"
# 读入 `data/{{ file }}`，关于{{ name }}。
#
# Thought: 读入。

# %%
columns = {{ columns }}
print('{{ long }}')

# %% [markdown] kind="num" modules="csv & math" tolerance=0.01
# Count.

# %% [markdown] lang="cn"
# 计数。

# %%
{'a': {1: len(columns)}}
"""


def read(folder, text=TEMPLATE, name='cibench_template/csv/count.py'):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding='utf-8-sig')  # as some editors save it
    (source,) = read_sources(folder)
    return source


def test_template_makes_an_experiment_of_each_instance_in_each_language(tmp_path):
    drafts = {draft.target.as_posix(): draft for draft in read(tmp_path).drafts()}
    assert list(drafts) == [
        'cibench_template/csv/count_fruit.ipynb',
        'cibench_template_chinese/csv/count_fruit.ipynb',
        'cibench_template/csv/count_birds.ipynb',
        'cibench_template_chinese/csv/count_birds.ipynb',
    ]
    english, chinese = list(drafts.values())[:2]
    assert (english.language, chinese.language) == ('en', 'cn')
    first, second = english.steps
    assert english.question(first) == 'Read `data/fruit.csv`, about fruit.\n\nThought: Read apple and pear.'
    assert first.code == "columns = ['apple', 'pear']\nprint('All fruit!')"
    assert (second.kind, second.modules, second.tolerance) == ('num', 'csv & math', 0.01)
    assert second.code == "{'a': {1: len(columns)}}"
    assert chinese.question(chinese.steps[0]).startswith('读入 `data/fruit.csv`，关于水果。')
    assert chinese.codes[0].endswith("print('全部水果!')")


def test_a_source_says_what_is_a_list_and_what_an_amount(tmp_path):
    text = TEMPLATE.replace('tolerance=0.01', 'absolute=0.5 list="true"')
    steps = read(tmp_path, text).drafts()[0].steps
    assert [(step.tolerance, step.absolute, step.listed) for step in steps] == [(None, None, False), (None, 0.5, True)]
    with pytest.raises(CibenchError, match='list="yes"'):
        read(tmp_path, text.replace('"true"', '"yes"'))


def test_template_in_one_language_has_no_twin(tmp_path):
    text = TEMPLATE.replace('# %% [markdown] lang="cn"\n# 计数。\n\n', '').replace('{table: 9}', "{1: 9, '1': 9}")
    assert {draft.language for draft in read(tmp_path, text).drafts()} == {'en'}


def test_source_without_instances_is_taken_as_it_stands(tmp_path):
    head = '# %% [markdown] kind="exec" modules="math" id="XyZ" table="x"\n'
    text = f'{head}# Show {{{{ braces }}}}.\n\n# %%\nprint("{{% x %}}")\n'
    (draft,) = read(tmp_path, text, 'cibench_generation/math/braces.py').drafts()
    assert draft.target.as_posix() == 'cibench_generation/math/braces.ipynb'
    assert (draft.question(draft.steps[0]), draft.codes) == ('Show {{ braces }}.', ['print("{% x %}")'])


@pytest.mark.parametrize(
    ('old', 'new', 'problem'),
    [
        ('file: birds.csv, ', '', 'birds: file: all instances need the same parameters'),
        ('#     name: {pick: [things]}\n', '', 'varied: name: all instances need'),
        ('#     title:', '#     yes:', 'True is no parameter name'),
        ('{{ file }}`, about', '{{ fil }}`, about', "'fil' is undefined in: Read `data/"),
        ('{{ columns }}', '{{ columns', 'in: columns = '),
        ('{{ columns }}', '{{ columns + 1 }}', 'can only concatenate list .* in: columns = '),
        ('instances:\n', 'instances: [\n', 'while parsing'),
        (
            'birds: {file: birds.csv, columns: [kite], name: {en: birds, cn: 鸟}}',
            'birds:',
            'instances.birds is no mapping',
        ),
        ('varied:\n', 'varied: []\n#   other:\n', 'varied is no mapping'),
        ('lang="cn"', 'lang="de"', 'cell 3: 2 questions before it; one in each language'),
        (' lang="cn"', '', 'cell 3: 2 questions before it; one in each language'),
        ('tolerance=', 'tolerence=', 'cell 4: tolerence=… is read by nothing; write tolerance=…'),
        ('    birds: {file', '    fruit: {file', '`fruit` stands twice in its header'),
        ('# jupyter:\n', '# jupyter: &a\n#   x: *a\n', 'cell 1: its header lacks'),
    ],
)
def test_malformed_template_is_refused(tmp_path, old, new, problem):
    with pytest.raises(CibenchError, match=problem) as error:
        read(tmp_path, TEMPLATE.replace(old, new)).drafts()
    assert 'count.py' in str(error.value)
    assert '\n' not in str(error.value)


def test_source_that_is_no_utf8_is_refused(tmp_path):
    (tmp_path / 'count.py').write_bytes(TEMPLATE.encode('gb18030'))
    with pytest.raises(CibenchError, match=r'count\.py: .* save it as UTF-8'):
        read_sources(tmp_path)
