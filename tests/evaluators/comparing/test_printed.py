"""The rules for printed answers in the `strict` profile, by the numbers that docs/metrics.md gives them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.scoring import printed
from tests.support.soak import many

COUNT = settings(derandomize=True, max_examples=many(200, 60), deadline=None)
ROUND = 'Print the mean of the first 20 rows, rounded to 2 decimal places.'


def right(gold, answer, question='', **fields):
    return printed(gold, answer, question=question, **fields).score == 1


@pytest.mark.parametrize(
    ('gold', 'answer', 'question'),
    [
        ('23 4.96', '23 4.96\nThere are 23 outliers with a mean of 4.96', ''),
        ('0.1884', 'η² = 0.1884 (18.84%)', ''),
        ('3.2e-05 True nan', 'np.float64(3.2e-05) True nan\np-value: 3.2e-05, normal: True, mean: nan', ''),
        ('3.5 7', '   mean  n\n0   3.5  7', 'Print mean and n.'),
        ('[[50 2] [3 45]]', '    0   1\n0  50   2\n1   3  45', ''),
        ('   n  mean\na  3   1.5\nb  5   2.5', '  index  n  mean\n0     a  3   1.5\n1     b  5   2.5', ''),
        ('accuracy: 0.91', '  model  accuracy\n0   svm      0.91', ''),
        ('nan True', 'None np.True_', ''),
        ('True', 'True since p is small', ''),
        ('1', '100%', ''),
        ('False positives: 17', '17', 'Print the number of false positives.'),
        ('Mean: 3.5', '3.5', ''),
        ('Gentoo mass: 4.2', 'mass 4.2', 'Print the mean mass of the Gentoo penguins.'),
        ('2020-01-05', "Timestamp('2020-01-05 00:00:00')", ''),
        ('2020-01-05', '2020-01-05T00:00:00.000000000', ''),
        ('2020-01-05', '2020-01-05 00:00:00+00:00', ''),
        ('2020-01-05 7', '(datetime.date(2020, 1, 5), 7)', ''),
        ('2020-01-05 06:30:00', '[datetime.datetime(2020, 1, 5, 6, 30)]', ''),
        ('2020-01-05 06:30:00', '2020-01-05T06:30:00', ''),
        ('1234.5', 'tensor(1,234.5)', ''),
        ('1234.5', 'tensor(1234.5, dtype=torch.float64, grad_fn=<MeanBackward0>)', ''),
        ('1234.5', '<tf.Tensor: shape=(), dtype=float32, numpy=1234.5>', ''),
        ('1234.5', "'1234.5'", ''),
        ('1234.5', '１２３４．５', ''),
        ('1 234', '1,234', ''),
        ('-2.5', '−2.5', ''),
        ('3.5', '7/7 ━━━━━━━━ 0s 2ms/step\n3.5', ''),
        ('3.5', '1/2 [==>...] - ETA: 0s\r2/2 [=====] - 0s 66ms/step\n3.5', ''),
        ('[LightGBM] [Info] 0.000062 seconds.\n3.5', '[LightGBM] [Info] 0.000055 seconds.\n3.5', ''),
        ('10.008', '10.0081', ''),
        ('0.05', '0.0478', ROUND),
        ('0.314', '31.4%', ''),
        ('0.4', '0.4%', 'Print the share in percent.'),
        ('0.5%', '0.5%', ''),
        ('31.4', '31.4%', ''),
        ('0.9 0.7', 'Top 2 scores: 0.9 0.7', ''),
        ('2019 100\n2020 120', '1. 2019: 100\n2. 2020: 120', ''),
        ('2019 100\n2020 120', 'The 2 largest years:\n2019: 100\n2020: 120', ''),
        ('5 0.9', '1. Best k = 5:\n2. Accuracy: 0.9', ''),
        ('贷款: 3', '有无贷款: 3', ''),
        ('0.9 0.7 0.6 0.5', '1. k=11: 0.9\n2. k=13: 0.7\n3. k=15: 0.6\n4. k=17: 0.5', ''),
        ('0.9 0.7', '(1.5, 2.5]    0.9\n(2.5, 7.0]    0.7\nName: x, dtype: float64', ''),
        ('0.7', '0.7 in 20 rows', ROUND),
        ('Jovmar: 120.19', 'Jovmar has 120.19', 'Print it as `name: value`.'),
        ('city\nWien    3.5\nName: price, dtype: float64', '{"Wien": 3.5}', 'Print the mean price of each city.'),
        ('城市  年\n维也纳  2020    3.5\ndtype: float64', '维也纳 2020 3.5', '打印各城市的均价。'),
        ('city\nWien    3.5\ndtype: float64', 'city\nWien 3.5', 'Print the mean price of each city.'),
        ('12\nA    3\ndtype: int64', '12\nA    3\ndtype: int64', ''),
        ('True\n[1,2]\nA    3\ndtype: int64', 'True 1 2 A 3', ''),
        ('rows: 80, columns: 20', '80 20', 'Print the number of rows and columns.'),
        ('1.9 2.4', 'mae 1.9 rmse 2.4', 'Print the mean absolute error and the root mean squared error.'),
        ('1.9 2.4', '均值 1.9 标准差 2.4', '打印均值和标准差。'),
        ('1.5 2.5', 'a 1.5 b 2.5', 'Print both averages.'),
        ('1 0.63\n2 0.47', '1st 0.63\n2nd 0.47', ''),
        ('-3.5', '最小值为-3.5', ''),
        ('0-18岁: 35\n18-60岁: 40', '0岁-18岁: 35\n18岁-60岁: 40', ''),
        ('人口: 5.9', '南非人口: 5.9', '打印南非的人口。'),
        ('2023-05-01 35', '2023-05-01的销量为35', ''),
        ('2023-05-01', '2023 年 5 月 1 日', ''),
        ('平均值为 5.5', '平均值: 5.5', ''),
        ('绝对误差: 3.2', '绝对误差（MAE）为 3.2', ''),
        ('Adelie', 'Species: adelie.', ''),
    ],
)
def test_the_same_values_in_another_dress(gold, answer, question):
    assert right(gold, answer, question)


@pytest.mark.parametrize(
    ('gold', 'answer', 'question'),
    [
        ('[[50 2] [3 45]]', '    0   1\n0  50   3\n1   2  45', ''),
        ('[[50 2] [3 45]]', '0 1\n50 2\n3 45', ''),
        ('[[50 2] [3 45]]', '    0   1\n1  50   2\n3   3  45', ''),
        ('   n  mean\na  3   1.5\nb  5   2.5', '  index  n  mean\n0     b  3   1.5\n1     a  5   2.5', ''),
        ('1.5 2.5 3.5', 'beta 1.5\nalpha delta 2.5\ngamma 3.5', 'Print alpha, gamma, beta and delta.'),
        ('73', '{74: 38, 75: 38, 73: 38, 72: 38, 71: 38}', 'How many are above 38?'),
        ('3.5 7', '3.5 7\n3.5 9', ''),
        ('3.5 7', '3.5\n7\n3.5\n7', ''),
        ('3', 'a    3\nb    3\ndtype: int64', ''),
        ('0.95', 'train: 0.95\ntest: 0.95', ''),
        ('3.5 7', '3.5', ''),
        ('3.5', '', ''),
        ('2/2 [=====] - 0s 3ms/step', '', ''),
        ('nan', '0', ''),
        ('0', 'None', ''),
        ('1e-20', '1e-300', ''),
        ('1', 'True', ''),
        ('True rows: 5', 'False rows: 5', ''),
        ('1', '1%', ''),
        ('9007199254740993', '9007199254740992', ''),
        ('2020-01-05', '2020-01-06', ''),
        ('2020-01-05', '2020-01-05 12:00:00', ''),
        ('2020-01-05', '2020-01-05 00:00:00+08:00', ''),
        ('2020-01-05', 'datetime.date(2020, 1, 50)', ''),
        ('125', '125.01', ''),
        ('10.008', '10.142', ''),
        ('0.05', '0.044', ROUND),
        ('17.1', '17.14', ROUND),
        ('0.314', '31.4', ''),
        ('0.4', '0.4%', ''),
        ('6 62', ' '.join(f'{number}:' for number in range(100)), ''),
        ('3.5', '[3.5] - 4.5', ''),
        ('3.5', '[LightGBM] [Info] 3.5', ''),
        ('0.9 7', 'score: 0.9, n: 5, m: 7', ''),
        ('0.7', '0.7 in 21 rows', ROUND),
        ('Jovmar: 120.19', '120.19', 'Print it as `name: value`.'),
        ('Jovmar: 120.19', 'Alttal: 120.19', 'Print it as `name: value`.'),
        ('city\nWien    3.5\nName: price, dtype: float64', 'Graz 3.5', 'Print the mean price of each city.'),
        ('Wien\nA    3\ndtype: int64', 'Graz\nA    3\ndtype: int64', ''),
        ('      price\ncity\nWien    3.5', 'Wien 3.5', 'Print the means by city.'),
        ('welch: 0.5', '0.5', 'Print the test, `student` or `welch`, as `test: p`.'),
        ('Jan: 3', 'Janet: 3', ''),
        ('线性: 5.9', '非线性: 5.9', ''),
        ('pairs 0.5', 'rows 0.5', 'Print the name, `rows` or `pairs`, and the value.'),
        ('mean  max\n2.5  7.5', 'max  mean\n2.5  7.5', ''),
        ('1.9 2.4', 'rmse 1.9 mae 2.4', 'Print the mean absolute error and the root mean squared error.'),
        ('1.9 2.4', 'std 1.9 mean 2.4', 'Print the mean and the standard deviation.'),
        ('1.9 2.4', '标准差 1.9 均值 2.4', '打印均值和标准差。'),
        ('1.9 2.4', 'std 1.9 mean 2.4', '打印均值和标准差。'),
        ('300 451', 'width 300, height 451', '打印图像的高度和宽度。'),
        ('3.5', '变化率为-3.5', ''),
        ('否: 30\n是: 12', '是: 30\n否: 12', ''),
        ('收入(元): 120\n支出(元): 80', '支出(元): 120\n收入(元): 80', ''),
        ('满意 12\n不满意 30', '不满意 12\n很不满意 30', ''),
        ('0.848 0.852', '0.852 0.848', ''),
        ('Adelie', 'Gentoo', ''),
    ],
)
def test_other_values_or_values_under_other_labels(gold, answer, question):
    assert not right(gold, answer, question, tolerance=0.01 if gold.startswith('0.848') else None)


@pytest.mark.parametrize(
    ('gold', 'answer', 'worth'),
    [
        ('oak > elm > ash', "['oak' 'elm' 'ash']", 1),
        ('oak > elm > ash', 'Oak, elm and ash.', 1),
        ('oak > elm > ash', 'elm > oak > ash', 1 / 3),
        ('oak, elm, fir, yew, ash', 'oak, elm, fir, yew', 0.75),
        ('oak, elm, fir', 'oak, elm, fir, yew', 2 / 3),
        ('oak, elm, fir', 'oak, elm, fir, yew, ash, box', 0),  # all there is
        ('3.32, 3.4', '§ 3.32, §3.4', 1),
        ('New York, Los Angeles', 'New York\nLos Angeles', 1),
        ('oak, elm', 'The names are oak, elm', 1),
        ('oak, elm', 'first: oak; second: elm', 1),
        ('oak, elm', '树种是 oak, elm', 1),
        ('oak, elm', 'Heights:\noak 0.9\nelm 0.8', 1),
        ('New York, Oslo', 'New York 9\nOslo 0.8', 1),
        ('oak, elm', 'elm 0.9\noak 0.8', 0),
        ('oak, elm', 'oak: 0.90\nelm: -0.8', 1),
        ('oak, elm', 'Heights: oak: 0.9, elm: 0.8', 1),
        ('oak, elm', '1. Oak: 4716.02 g\n2. Elm: 3712.90 g', 1),
        ('oak, elm', 'oak (5 kg), elm(3kg)', 1),
        ('k=3, k=5', 'k=3: 0.95, k=5: 0.91', 1),
        ('oak, elm', 'oak=4.5m, elm=3m', 1),
        ('oak, elm', 'oak: 26.25°C\nelm: 9 km/h', 1),
        ('oak, elm', 'oak: 26±2, elm: 9', 0),
        ('oak, elm', 'oak: 4.5 beech, elm: 3 m', 0),
        ('oak, elm', "dict_keys(['oak', 'elm'])", 1),
        ('oak 1, oak 2', 'oak 1\noak 3', 0.5),
        ('王芳\n李强\n赵敏', '总分前三名依次是王芳、李强和赵敏。', 1),
        ('男生', '人数更多的不是男生', 0),
        ('和平, 兴和', '和平、兴和', 1),
        ('王芳, 李强', '语文与数学的总分\n王芳, 李强', 1),
        ('年龄, 收入', '【年龄】与「收入」', 1),
        ('及格率, 年龄, 收入', '及格率和《年龄》，以及『收入』', 1),
        ('参与度, 收入', '参与度及收入', 1),
        ('oak, elm', 'All trees by height, highest first:\noak, elm', 1),
        ('oak, elm', 'Trees by height\noak, elm', 1),
        ('oak, elm, fir, ash', 'ash, oak, elm, fir', 0),
        ('oak 1931, elm 1932', 'oak 1932, elm 1931', 0),
        ('oak, elm', "<StringArray>\n['oak', 'elm']\nLength: 2, dtype: str", 1),
        ('oak, elm', "['oak', 'elm']\nCategories (3, str): ['ash', 'elm', 'oak']", 1),
        ('oak, elm', "[('oak', np.float64(0.9)), ('elm', np.float64(0.8))]", 1),
        ('oak, elm', 'oak - 0.9\nelm - nan', 1),
        ('oak, elm', '', 0),
        ('oak, elm\nfir, ash', '最高的 2 种：\noak、elm\n最矮的 2 种：\nfir、ash', 1),
        ('oak, elm, fir\nash, box', "[['oak', 'elm', 'fir'], ['ash', 'box']]", 1),
        ('oak, elm, fir\nash, box', "{'oak': 0, 'elm': 0, 'fir': 0, 'ash': 1, 'box': 1}", 1),
        ('oak, elm, fir\nash, box', "{'oak': 0, 'elm': 0, 'fir': 1, 'ash': 1, 'box': 1}", 0.75),
        ("rock'n'roll, jazz, pop\nfolk, blues", "rock'n'roll, jazz\npop, folk, blues", 0.75),
        ('oak, elm\nfir, ash', 'Tall:\n- oak\n- elm\nSmall:\n- fir\n- ash', 1),
        ('oak, elm', 'oak\n**ash**\nelm', 0),
        ('oak, elm, fir\nash, box', 'oak\nelm\nfir\nash\nbox', 0.75),
    ],
)
def test_a_list_is_worth_the_share_of_entries_in_place(gold, answer, worth):
    assert printed(gold, answer, kind='text', listed=True).score == pytest.approx(worth)


@pytest.mark.parametrize(
    ('gold', 'answer', 'same'),
    [
        ('No outliers.', 'Result: no outliers', True),
        ('No outliers.', 'NO  outliers', True),
        ('No outliers.', 'There are no outliers', False),
        ('Best: oak', 'oak', True),
        ('To be.\nNot to be!', 'Highest: to be\nLowest: "Not to be"', True),
        ('To be.\nNot to be!', 'Not to be\nTo be', False),
        ('To be.\nNot to be!', "['To be.', 'Not to be!']", True),
        ("To be.\nIt is n't!", "['To be.',\n \"It is n't!\"]", True),
        ('To be.\nNot to be!', '1. To be.\n2. Not to be!', True),
        ('To be.\nNot to be!', "Result: ['Not to be!', 'To be.']", False),
        ('5 is low', '1.5 is low', False),
        ('It opens at 12:30.', 'It opens at 9:30.', False),
        ('2024-01-01 00:00:00', '2024-01-01', True),
        ('2024-01-01 06:00:00', '2024-01-01', False),
        ('O-', 'O', False),
        ('y ~ a*b', 'y ~ a b', False),
        ('No.5', 'No. 5', True),
        ('[]', '[]', True),
        ('[]', '{}', False),
        ('male: yes\nfemale: no', 'yes\nno', True),
        ('male: yes\nfemale: no', 'male: yes\nno', True),
        ('male: yes\nfemale: no', 'a: yes\nb: no', True),
        ('male: yes\nfemale: no', 'female: yes\nmale: no', False),
        ('mean: high, median: low', 'median: high, mean: low', False),
        ('significant: yes, direction: up', 'up', False),
        ('null: rejected\nconclusion: up', 'H0: rejected\nconclusion: up', True),
        ('-1 it is', '1 it is', False),
        ('平均气温最高：海口', '海口', True),
        ('共有 3 个异常值', '共有3个异常值。', True),
        ('共有 3 个异常值', '共有30个异常值。', False),
    ],
)
def test_prose_is_the_same_words(gold, answer, same):
    assert printed(gold, answer, kind='text').score == same


@COUNT
@given(st.lists(st.integers(-9999, 9999).map(lambda n: n / 100), min_size=1, max_size=8), st.randoms())
def test_any_layout_of_the_same_values_is_right_and_another_order_is_not(numbers, chance):
    gold = ' '.join(map(str, numbers))
    layouts = [str(numbers), str(tuple(numbers)), '\n'.join(map(str, numbers)), ', '.join(map(str, numbers))]
    layouts += ['; '.join(f'x{place}: {one}' for place, one in enumerate(numbers))]
    assert all(right(gold, layout) for layout in layouts)
    mixed = chance.sample(numbers, len(numbers))
    assert right(gold, ' '.join(map(str, mixed))) is (mixed == numbers)
    assert not right(gold, f'{gold} 10000')
