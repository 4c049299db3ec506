"""Declarations of answers: what can be written, what is refused, and the sentence that a question gets of one."""

import pytest

from cibench_eval.datasets.declared import read_declaration, sentence, write_declaration

DECLARATIONS = [
    'answer: count',
    'answer: real(3)',
    "answer: real(2, absolute=0.5, unit='km')",
    'answer: real(relative=0.01)',
    'answer: [count, real(2), text, date]',
    'answer: list[text]',
    'answer: list[list[real(1)]]',
    'answer: set[count]',
    'answer: table[[count, real(1)]]',
    'answer: table',
    'answer: array[real]',
    'answer: model',
    'rows: count; names: list[text]',
]


@pytest.mark.parametrize('text', DECLARATIONS)
def test_what_is_written_is_read(text):
    assert write_declaration(read_declaration(text)) == text


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


@pytest.mark.parametrize('text', DECLARATIONS)
def test_a_sentence_names_each_variable_and_its_form(text):
    answers = read_declaration(text)
    english, chinese = sentence(answers, 'en'), sentence(answers, 'cn')
    assert all(f'`{name}` (' in english and f'`{name}`（' in chinese for name in answers)


def test_sentences_read_aloud():
    said = sentence(read_declaration("rows: count; way: real(unit='km'); names: list[text]"), 'en')
    assert said == (
        'Leave the answer in the variables `rows` (a whole number), `way` (a number, km) and `names` '
        '(a list in this order).'
    )
    assert (
        sentence(read_declaration('[count, real]'), 'cn')
        == '将答案存入变量 `answer`（由这 2 个值按此顺序组成的列表）。'
    )
