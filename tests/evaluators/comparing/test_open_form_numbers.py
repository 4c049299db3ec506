"""Numbers, arrays and tables in the `open_form` profile: another format keeps the score, another value loses it."""

import math
from functools import partial
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import scoring
from tests.support.soak import many

printed = partial(scoring.printed, profile='open_form')

COUNT = settings(derandomize=True, max_examples=many(200, 60), deadline=None)
FRAME = pd.DataFrame(
    {'species': ['Adelie', 'Chin strap', 'Gentoo'], 'mass': [3700.662, -3733.088, 5076.016], 'count': [151, 68, 123]}
)
MASS = FRAME.set_index('species')['mass']
RANKING = pd.Series({'Gentoo': 5076.0, 'Chinstrap': 3733.1, 'Adelie': 3700.7, 'Emperor': 2500.5})
LARGE = pd.DataFrame(np.random.default_rng(0).normal(size=(100, 30)), columns=[f'c{n}' for n in range(30)])
LONG = pd.Series(np.random.default_rng(1).normal(size=500))
MATRIX = np.random.default_rng(2).normal(size=(50, 50))


def right(gold, answer, **options):
    return printed(gold, answer, options=options).score == 1


@pytest.mark.parametrize(
    ('gold', 'answer'),
    [
        ('1234.5', '1,234.50'),
        ('1234.5', 'np.float64(1234.5)'),
        ('1234.5', '1.2345e3'),
        ('1234567', '1,234,567'),
        ('1,234', '1234'),
        ('1234567', '1_234_567'),
        ('3.5', 'Mean: 3.5'),
        ('3.5', 'The mean is 3.5.'),
        ('-3.5', '均值-3.5'),
        ('-5', '−5'),
        ('12', '１２'),
        ('0.8261', 'R^2 = 0.8261'),
        ('0.8261', 'R² 0.8261, F1'),
        ('[100, 200, 300]', '[100,200,300]'),
        ('3', '3.0'),
        ('3.0', '3'),
        ('3', '3 kg'),
        ('2.50', '2.5000'),
        ('0.1', '.1'),
        ('255', '0xff'),
        ('12.5%', '12.5%'),
        ('12.5%', '12.5 %'),
        ('12.5%', '0.125'),
        ('0.125', '12.5%'),
        ('12.5%', '12.5'),
        ('12.5', '12.5%'),
        ('(344, 8)', '344 8'),
        ('[1, 2, 3]', '1\n2\n3'),
        ('[1 2\n 3]', 'array([1, 2, 3])'),
        ('[1 2 3]', "Index([1, 2, 3], dtype='int64', length=3)"),
        ('[1.0, 2.0]', 'tensor([1., 2.], dtype=torch.float64)'),
        ('[1.0, 2.0]', 'tensor([1., 2.], grad_fn=<AddBackward0>)'),
        ('[1.0, 2.0]', '<tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>'),
        ('3.5', 'tensor(3.5000, dtype=torch.float64)'),
        ("[('a', 1), ('b', 2)]", "{'a': 1, 'b': 2}"),
        ("[('a', 1), ('b', 2)]", 'a 1\nb 2'),
        ('2020-01-01', "Timestamp('2020-01-01 00:00:00')"),
        ('2020-01-01', 'datetime.date(2020, 1, 1)'),
        ('2020-01-01 05:30:00', 'datetime.datetime(2020, 1, 1, 5, 30)'),
        ('2020-01-01 05:30:01.5', 'datetime.datetime(2020, 1, 1, 5, 30, 1, 500000)'),
        ('2020-01-01 05:00:00', '2020-01-01T05:00:00.000'),
        ('2020-01-01 05:00:00+00:00', '2020-01-01T05:00:00Z'),
        ('2020-01-05', '2020年1月5日'),
        ('(1+2j)', '1+2j'),
        ('[1.+2.j 3.-1.j]', '[(1+2j), (3-1j)]'),
        ('2j', '(0+2j)'),
        ('nan', 'NaN'),
        ('nan', 'None'),
        ('inf', 'np.inf'),
        ('-inf', '-∞'),
        ('True', 'np.True_'),
        ('[True False]', 'True\nFalse'),
        ('[1.0, 0.0]', '[1.0, 1.2e-17]'),
        ('1.1e-16', '-2.2e-16'),
        ('3.14159', '3.1416'),
        ('<Axes: > at 0x7f21', '<Axes: > at 0x8a31'),
        ('\x1b[1m3\x1b[0m', '3'),
        ('Adelie', "'adelie'"),
        ('***', ' *** '),
    ],
)
def test_another_format_is_the_same_value(gold, answer):
    assert right(gold, answer)


@pytest.mark.parametrize(
    ('gold', 'answer'),
    [
        ('1', '10'),
        ('3.0', '-13.05'),
        ('1', '2'),
        ('3', '3.0001'),
        ('1000000', '1000001'),
        ('3.5', '-3.5'),
        ('3.5', '3.51'),
        ('0.248', '0.2476'),
        ('0.125', '12.5'),
        ('5', ''),
        ('5', '0'),
        ('5', 'None'),
        ('5', 'nan'),
        ('5', '5 6'),
        ('5', '4 5'),
        ('5 6', '6 5'),
        ('5', '\n'.join(map(str, range(300)))),
        ('5', 'Print the number of the 5 rows: 5'),
        ('0.0', '0.001'),
        ('0', '1e-17'),
        ('0xff', '0xfe'),
        ('1234', '1 234'),
        ('True', '1'),
        ('True', 'False'),
        ('(1+2j)', '(1-2j)'),
        ('inf', '-inf'),
        ('inf', '1e308'),
        ('2020-01-01', '2020-01-02'),
        ('2020-01-01', '2020 1 1'),
        ('2020-01-01 05:00:00', '2020-01-01 05:00:01'),
        ('[[1 2]\n [3 4]]', '[1, 2, 3, 4]'),
        ('[[1 2]\n [3 4]]', '[[1], [2], [3], [4]]'),
        ('[[1 2]\n [3 4]]', '[[1 3]\n [2 4]]'),
        ('[[[0 0]\n  [0 0]]\n\n [[0 0]\n  [0 0]]]', '[[0 0 0 0]\n [0 0 0 0]]'),
        ('[0 1 2 ... 7 8 9]', '...'),
        ('[0 1 2 ... 7 8 9]', '[...]'),
        ('[0 1 2 ... 7 8 9]', '[0 1 ... 8 9]'),
        ('[0 1 2 3 4]', '[0 ... 4]'),
        ('Adelie', 'Gentoo'),
        ('Adelie', ''),
        ('Adelie', 'Adelie 5'),
        ('***', '**'),
    ],
)
def test_another_value_more_fewer_or_another_order_is_wrong(gold, answer):
    assert not right(gold, answer)


@pytest.mark.parametrize(
    ('gold', 'answer'),
    [
        ('[[1 2]\n [3 4]]', '[[1, 2], [3, 4]]'),
        ('[[1 2]\n [3 4]]', 'array([[1., 2.],\n       [3., 4.]])'),
        ('[[1 2]\n [3 4]]', '1 2\n3 4'),
        ('[[1 2]\n [3 4]]', '[1, 2]\n[3, 4]'),
        ('1 2\n3 4', '[[1 2]\n [3 4]]'),
        ('[0 1 2 ... 7 8 9]', '[0 1 2 3 4 5 6 7 8 9]'),
        ('[0 1 2 ... 7 8 9]', '[0 1 2 3 ... 6 7 8 9]'),
        (str(MATRIX), str(MATRIX.tolist())),
        (str(np.zeros((2, 2, 2))), str(np.zeros((2, 2, 2)).tolist())),
        (str(np.arange(2000.0)), '\n'.join(map(str, np.arange(2000.0)))),
    ],
)
def test_arrays_have_a_shape_and_no_line_breaks(gold, answer):
    assert right(gold, answer)


def wide(frame, width):
    with pd.option_context('display.width', width, 'display.max_columns', 40):
        return str(frame)


@pytest.mark.parametrize(
    ('gold', 'answer'),
    [
        (str(FRAME), FRAME.to_string(index=False)),
        (FRAME.to_string(index=False), str(FRAME)),
        (str(FRAME), FRAME.to_markdown()),
        (str(FRAME), FRAME.to_csv()),
        (str(FRAME), str(FRAME.to_string(col_space=20))),
        (str(FRAME), str(FRAME.set_index('species'))),
        (str(FRAME.set_index('species')), str(FRAME)),
        (str(FRAME), f'Summary:\n{FRAME}'),
        (str(FRAME.describe()), FRAME.describe().to_markdown()),
        (str(FRAME.dtypes), str(FRAME.dtypes)),
        (str(FRAME.groupby('species').agg(['mean', 'max'])),) * 2,
        (str(MASS), '\n'.join(f'{name}: {value}' for name, value in MASS.items())),
        (str(MASS), '\n'.join(f'The mass of {name} is {value} g' for name, value in MASS.items())),
        ('\n'.join(f'{name}: {value}' for name, value in MASS.items()), str(MASS)),
        (str(MASS), str(MASS.to_frame())),
        (str(MASS), str(MASS.sort_values())),
        (str(FRAME), str(FRAME.iloc[::-1])),
        (str(FRAME), str(FRAME[['count', 'species', 'mass']])),
        (str(FRAME['mass']), str(FRAME['mass'].tolist())),
        (str(FRAME['mass'].tolist()), str(FRAME['mass'])),
        (str(LONG), str(LONG)),
        (str(LONG), LONG.to_string()),
        (str(LONG), str(LONG.tolist())),
        (str(LARGE), LARGE.to_string()),
        (str(LARGE), str(LARGE)),
        (wide(LARGE.head(), 80), wide(LARGE.head(), 120)),
        (wide(LARGE.head(), 120), wide(LARGE.head(), 80)),
        (wide(LARGE.head(1), 80), LARGE.head(1).to_string()),
        (LARGE.head().to_string(), wide(LARGE.head(), 80)),
        (str(pd.date_range('2020', periods=3)), '2020-01-01\n2020-01-02\n2020-01-03'),
    ],
)
def test_tables_are_the_same_in_any_display(gold, answer):
    assert right(gold, answer)


def changed(frame, row, column, value):
    frame = frame.copy()
    frame.iloc[row, column] = value
    return frame


@pytest.mark.parametrize(
    ('gold', 'answer'),
    [
        (str(FRAME), str(FRAME[['species', 'mass']])),
        (str(FRAME), str(FRAME.head(2))),
        (str(FRAME), str(FRAME.values)),
        (str(FRAME), str(FRAME.rename(columns={'mass': 'weight'}))),
        (str(FRAME), str(FRAME.rename(columns={'mass': 'count', 'count': 'mass'}))),
        (str(FRAME), str(changed(FRAME, 2, 0, 'Emperor'))),
        (str(FRAME), str(changed(FRAME, 2, 2, 124))),
        (str(FRAME), str(pd.concat([FRAME, FRAME]))),
        (str(MASS), str(MASS.tolist())),
        (str(RANKING), str(RANKING.sort_values())),
        (str(RANKING.reset_index()), str(RANKING.sort_values().reset_index())),
        (str(MASS), str(MASS.rename({'Adelie': 'Gentoo', 'Gentoo': 'Adelie'}))),
        (str(FRAME.dtypes), str(FRAME.head(0)[['mass']].dtypes)),
        (str(LARGE), str(LARGE.head())),
        (str(LARGE), str(LARGE.iloc[:99])),
        (str(LARGE), str(changed(LARGE, 0, 0, 1.5))),
        (str(LARGE), str(changed(LARGE, 99, 29, 1.5))),
        (LARGE.to_string(), str(LARGE)),
        (wide(LARGE.head(), 80), wide(changed(LARGE.head(), 2, 20, 1.5), 80)),
        (str(LONG), str(LONG.head(400))),
        (str(LONG), str([*LONG.head(5), *LONG.tail(5)])),
    ],
)
def test_tables_with_other_values_labels_or_rows_are_wrong(gold, answer):
    assert not right(gold, answer)


def test_what_a_display_hides_cannot_be_compared():
    assert right(str(LARGE), str(changed(LARGE, 50, 15, 1.5)))


@pytest.mark.parametrize(
    'names', [*permutations(['battery', 'charger', 'keyboard', 'screen', 'hinge'], 3)], ids='-'.join
)
def test_counts_of_names_are_right_in_any_order_and_wrong_under_other_names(names):
    gold = dict(zip(names, (28, 5, 4), strict=True))
    shown = '\n'.join(f'{name}: {count}' for name, count in gold.items())
    assert right(shown, shown)
    assert right(shown, str(gold))
    assert right(str(gold), shown)
    assert not right(shown, shown.replace('28', '27'))
    assert not right(shown, str(dict(zip(names, (5, 28, 4), strict=True))))


def test_tolerance():
    assert right('100.0', '101.0', tolerance=0.01)
    assert printed('100.0', '101.1', options={'tolerance': 0.01}).detail.startswith(
        'value 1 is 101.1, the gold has 100.0'
    )
    assert not right('100', '101', tolerance=0.01)
    assert not right('0.1', '0.1000001', tolerance=0)


@pytest.mark.parametrize(
    ('gold', 'answer', 'why'),
    [
        ('5', '5 6', '2 values, the gold has 1'),
        ('5', '6', 'value 1 is 6, the gold has 5'),
        ('[[1 2]\n [3 4]]', '[[1 2]\n [3 5]]', 'row 2: value 2 is 5, the gold has 4'),
        (str(FRAME), str(FRAME[['mass', 'count']]), "no label 'species'"),
        (str(LARGE), str(LARGE.head(90)), '90 rows, the gold has 100'),
        ('Adelie', 'Gentoo', 'other words'),
        ('Adelie', '5', '1 values, the gold has none'),
    ],
)
def test_the_reason_is_in_words(gold, answer, why):
    assert why in printed(gold, answer).detail


numbers = st.floats(min_value=1e-6, max_value=1e12).map(lambda x: float(f'{x:.9g}'))
signed = st.builds(lambda x, sign: sign * x, numbers, st.sampled_from([1, -1]))
whole = st.integers(-(10**15), 10**15)
FORMATS = (
    repr,
    '{:.12e}'.format,
    '{:,.15f}'.format,
    'np.float64({!r})'.format,
    'Result = {!r}.'.format,
    '[{!r}]'.format,
)


@COUNT
@given(st.lists(signed, min_size=1, max_size=6), st.sampled_from(FORMATS), st.sampled_from(['\n', '  ', ' | ', '; ']))
def test_any_format_of_the_same_numbers_keeps_the_score(values, form, between):
    assert right(str(values), between.join(form(value) for value in values))


@COUNT
@given(st.lists(signed, min_size=1, max_size=6), st.data())
def test_a_change_of_one_number_loses_the_score(values, data):
    place = data.draw(st.integers(0, len(values) - 1))
    factor = data.draw(st.sampled_from([-1, 0, 0.5, 0.999, 1.001, 2, 10, 100, math.nan, math.inf]))
    other = [*values[:place], values[place] * factor, *values[place + 1 :]]
    assert not right(str(values), str(other))


@COUNT
@given(st.lists(whole, min_size=1, max_size=6), st.data())
def test_whole_numbers_are_exact(values, data):
    assert right(str(values), '\n'.join(f'{value:,}' for value in values))
    place = data.draw(st.integers(0, len(values) - 1))
    other = [*values[:place], values[place] + data.draw(st.sampled_from([-1, 1])), *values[place + 1 :]]
    assert not right(str(values), str(other))


@COUNT
@given(st.lists(whole, min_size=1, max_size=6, unique=True), st.data())
def test_one_more_or_one_fewer_or_another_order_loses_the_score(values, data):
    assert not right(str(values), str([*values, data.draw(whole)]))
    assert not right(str(values), str(values[:-1]))
    order = data.draw(st.permutations(values))
    assert right(str(values), str(order)) == (order == values)


@COUNT
@given(st.lists(signed, min_size=4, max_size=12).filter(lambda v: len(v) % 2 == 0), st.integers(20, 75))
def test_arrays_in_any_line_width_are_the_same(values, width):
    array = np.array(values).reshape(2, -1)
    with np.printoptions(linewidth=width, precision=12):
        shown = str(array)
    assert right(str(array.tolist()), shown)
    assert not right(str(array.tolist()), str(array.T.tolist())) or array.shape == (2, 2)


@COUNT
@given(st.lists(st.tuples(signed, whole), min_size=1, max_size=5), st.integers(0, 30))
def test_frames_in_any_column_width_are_the_same(rows, space):
    frame = pd.DataFrame(rows, columns=['x', 'y'], index=[f'row_{"abcde"[n]}' for n in range(len(rows))])
    shown = frame.to_string(float_format=repr)
    assert right(shown, frame.to_string(col_space=space, float_format=repr))
    assert not right(shown, frame.assign(y=frame.y + 1).to_string(float_format=repr))


ODD = [*'[]()|:,%-ej\n\n0a均 ', '  ', '1', '2.5', '1,234', '...', '...\n', '\\\n', 'nan', 'True', '2020-01-02']
ODD += ['\ndtype: x\n', '\n[3 rows x 2 columns]', '\n\n']
odd = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(ODD), max_size=30).map(''.join))


@COUNT
@given(odd, odd)
def test_nothing_stops_the_comparison(gold, answer):
    assert 'cannot be compared' not in printed(gold, answer).detail
    assert right(gold, gold) or not gold.strip()


@pytest.mark.parametrize(
    'text',
    [
        '[' * 100_000,
        ']' * 100_000,
        '1,234' + ',567' * 50_000 + ',8',
        '9' * 100_000,
        '1e999999999999',
        '0x' + 'f' * 10_000,
        '1+' * 50_000,
        '<tf.x ' * 20_000,
        'a.' * 50_000,
        'Name: x, ' * 20_000,
        '\\\n\n' * 20_000,
        '... ' * 50_000,
        '\n\n' + ' ' * 100_000 + '(1,',
        'a (' * 50_000 + ':',
        'a: 1, ' * 20_000,
    ],
)
def test_hostile_text_is_read_in_bounded_time(text):
    """Patterns that backtrack would take minutes here."""
    assert not right('[[1 2]\n [3 4]]', text)
    assert not right(str(FRAME), text)
