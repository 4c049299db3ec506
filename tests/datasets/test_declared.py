"""Declarations of answers: what can be written, what is refused, and the sentence that a question gets of one."""

import pytest

from cibench_eval.datasets.appended import asked_in, modules_sentence
from cibench_eval.datasets.declared import read_declaration
from cibench_eval.schema import Step
from cibench_eval.sets.templates import read_sources

DECLARATIONS = [
    *('answer: count', 'answer: real(3)', "answer: real(2, absolute=0.5, unit='km')", 'answer: real(relative=0.01)'),
    *('answer: [count, real(2), text, date]', 'answer: list[text]', 'answer: list[list[real(1)]]'),
    *('answer: set[count]', 'answer: table[[count, real(1)]]', 'answer: table', 'answer: array[real]'),
    *('answer: model', 'rows: count; names: list[text]'),
]


def test_a_type_alone_is_that_of_answer():
    assert read_declaration('count') == read_declaration('answer: count')


@pytest.mark.parametrize(
    ('text', 'cause'),
    [
        ('', 'no variable'),
        ('number', "'number' is no kind"),
        ('count[real]', 'count holds no other values'),
        ('real(1, 2)', 'no such option'),
        ('text(3)', 'no such option'),
        ('real(digits=3)', 'digits is unknown'),
        ('real(absolute=-1)', 'greater than 0'),
        ('real(relative=x)', 'plain numbers'),
        ('[count', 'is no type'),
        ('a b: count', 'no name of a variable'),
        ('a: count; a: real', 'stands twice'),
    ],
)
def test_what_is_none_is_refused_with_its_cause(text, cause):
    with pytest.raises(ValueError, match=cause):
        read_declaration(text)


def asked(folder, declared, language):
    """A question of a source that declares an answer, without its first line."""
    (folder / 'lib').mkdir(exist_ok=True)
    head = f'# ---\n# jupyter:\n#   language: {language}\n# ---\n\n'
    cell = f'# %% [markdown] kind="num" modules="math" answer="{declared}"\n# Compute it.\n\n# %%\nanswer = 1\n'
    (folder / 'lib' / 'one.py').write_text(head + cell)
    ((draft,),) = (source.drafts() for source in read_sources(folder))
    return draft.question(draft.steps[0]).partition('\n')[2].strip()


@pytest.mark.parametrize('text', DECLARATIONS)
def test_a_sentence_names_each_variable_and_its_form(tmp_path, text):
    english, chinese = asked(tmp_path, text, 'en'), asked(tmp_path, text, 'cn')
    assert all(f'`{name}` (' in english and f'`{name}`（' in chinese for name in read_declaration(text))


def test_sentences_read_aloud(tmp_path):
    said = asked(tmp_path, "rows: count; way: real(unit='km'); names: list[text]", 'en')
    assert said == (
        'Leave the answer in the variables `rows` (a whole number), `way` (a number, km) and `names` '
        '(a list in this order).'
    )
    assert asked(tmp_path, '[count, real]', 'cn') == ('将答案存入变量 `answer`（由这 2 个值按此顺序组成的列表）。')


@pytest.mark.parametrize('language', ['en', 'cn'])
@pytest.mark.parametrize('text', DECLARATIONS)
def test_what_is_appended_is_no_part_of_what_is_asked(tmp_path, text, language):
    question = f'Please use no other modules. Compute it.\n{asked(tmp_path, text, language)}\n'
    for modules in ([], ['matplotlib pandas'], ['numpy', 'sklearn.svm']):
        whole = question + modules_sentence(modules, language)
        step = Step(index=0, question=whole, code='pass', kind='num', modules=modules, answers=read_declaration(text))
        assert asked_in(step) == 'Please use no other modules. Compute it.'
        own = 'Leave the answer in the variable `top` (sorted by `rain`). Please use `sklearn` modules.'
        assert asked_in(step.model_copy(update={'question': own})) == own
