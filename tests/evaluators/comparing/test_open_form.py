"""Answers of any form: what `open_form` takes for the gold's values and names, and what speaks against an answer."""

import pytest

from tests.support.scoring import printed


def difference(gold, answer, question='', **margin):
    """Why an answer is not right; nothing where it is."""
    found = printed(gold, answer, question=question, profile='open_form', **margin)
    return '' if found.score == 1 else found.detail


def in_place(gold, answer, question):
    """The share of the gold's names that are there."""
    return printed(gold, answer, kind='text', listed=True, question=question, profile='open_form').score


RATES = 'sex\nfemale    0.742038\nmale      0.188908\nName: survived, dtype: float64'
MATRIX = '[[114  18]\n [ 10  58]]'

RIGHT = [
    # Rounded, by the gold or by the answer, which keeps three digits at least.
    ('0.8547', 'Accuracy: 0.8546878', ''),
    ('0.8546878', 'accuracy = 0.855', ''),
    # In an order that the question asks for, whatever it names first.
    (
        '0.93 0.85',
        'random forest: 0.93\nlogistic regression: 0.85',
        'Accuracies of logistic regression and random forest, highest first.',
    ),
    # Percentages, thousands, units, dates, numerals.
    ('0.8547', '85.47%', ''),
    ('Missing: 12.60%', 'missing 0.126', ''),
    ('0.126', '12.6', 'What percentage is missing?'),
    ('12.418', '12418 m', 'What is the mean distance in km?'),
    ('224249 元', '总销售额为 22.4249 万元', ''),
    ('2012-09-15 8714', 'September 15, 2012: 8,714 rides', ''),
    ('2012-09-15', 'datetime.date(2012, 9, 15)', ''),
    ('12345678', '1234.5678万人', '总人口是多少？'),
    ('3', 'Three components are needed.', 'How many components are needed?'),
    # Names before, behind, above, in another language, as keys; values in another order under them.
    (RATES, '74.2% of the women and 18.9% of the men survived.', 'What is the survival rate of each sex?'),
    (RATES, '{"male": 0.189, "female": 0.742}', 'What is the survival rate of each sex?'),
    (RATES, '| sex | rate |\n|---|---|\n| male | 0.188908 |\n| female | 0.742038 |', ''),
    (
        '     count  mean\nname\noak     12  3.25\nelm     19  4.75',
        '┏━━━━━━━┳━━━━━━━━┳━━━━━━━┓\n┃ name  ┃ count  ┃ mean  ┃\n┡━━━━━━━╇━━━━━━━━╇━━━━━━━┩\n'
        '│ oak   │ 12     │ 3.25  │\n│ elm   │ 19     │ 4.75  │\n└───────┴────────┴───────┘',
        '',
    ),
    ('1    78.72\n2    20.09\ndtype: float64', '{2: 20.09, 1: 78.72}', ''),
    ('平均分: 76.39, 标准差: 11.61', 'mean    76.391\nstd     11.613', ''),
    ('False positives: 17\nFalse negatives: 9', '(17, 9)', ''),
    ('2023年Q4总销售额: 1284.56 万元', '1284.5600000000002', ''),
    ('{1, 2}', '{1, 2}', ''),
    ('08:30', '8:30 AM', ''),
    ('12.5', '12.5 minutes', 'What is the second longest trip duration?'),
    ('0.4', '0.4 min', 'Print the min duration.'),
    ('283 days 00:00:00', 'Days between: 283', 'How many days lie between them?'),
    # Further values, where the gold's stand under what was asked.
    ('28.0', 'mean age   = 29.72\nmedian age = 28.0', 'What is the median age?'),
    ('t: 2.7506, p: 0.0069', 'TtestResult(statistic=2.75063, pvalue=0.006929, df=113.0)', ''),
    # What goes with a value is no rival of it.
    ('0.93', 'Mean accuracy: 0.93 (+/- 0.02)', 'What is the mean accuracy?'),
    ('177', '177 of 891 ages are missing', 'How many ages are missing?'),
    ('0.014', 'p-value = 0.014 < 0.05, so the difference is significant', 'What is the p-value?'),
    # The question's order, where the gold has no names.
    ('1.5 2.5', 'Maximum: 2.5\nMinimum: 1.5', 'Print the minimum and the maximum.'),
    ('1.5 2.5', 'Maximum: 2.5\nMinimum: 1.5', 'Print the minimum and the maximum. Round the maximum.'),
    ("1192.87 ['Lund', 'barge', '2031-09-02', '1']", "1192.87\n['Lund', 'barge', '2031-09-02', '1']", ''),
    # Numbers of lines and of names.
    ('oak 35.2\nelm 41.0', '1. oak: 35.2\n2. elm: 41.0', ''),
    ('2', '1. Rows: 891\n2. Columns: 12\n3. Missing: 2', 'How many values are missing?'),
    ('3', '2: 0.41\n3: 0.55\n4: 0.52\n3', 'How many clusters are best?'),
    ('5 0 0', '0 0 5\nmed: 5\nskew: 0\nHighest: 0', ''),
    ('均值: 6.5, 标准差: 1.5', '均值: 6.5\n中位数: 7.5\n标准差(ddof=1): 1.5', ''),
    ('29.7', '中位数: 29.7\n75%分位数: 38.0', '中位数是多少？'),
    (MATRIX, f'Confusion matrix:\n{MATRIX}\nAccuracy: 0.86', ''),
]
WRONG = [
    ('0.8547', '0.8', '', 'not there'),
    ('3', '3.0001', '', 'not there'),
    ('0.97', '0.97%', '', 'not there'),
    ('1e-20', '1e-300', '', 'not there'),
    ('12.418', '12.418 m', 'What is the mean distance in km?', 'not there'),
    ('12.5 s', '12.5 minutes', '', 'not there'),
    ('2012-09-15', '2012-09-16', '', 'not there'),
    ('08:30', '20:30', '', 'not there'),
    ('2024-03-01 08:30:00', '2024-03-01 17:30:00', '', 'not there'),
    ('147', '{148: 0.01, 147: 0.01, 146: 0.01}', 'How many rows are above 0.01?', '146 comes later'),
    (RATES, 'female 0.188908\nmale 0.742038', '', 'is under'),
    (RATES, '0.188908 0.742038', '', 'in another order'),
    ('1 3 2', '{1: 3, 2: 2, 3: 1}', 'Print the number of passengers of each class.', 'in another order'),
    ('1    78.72\n2    20.09\ndtype: float64', '{2: 78.72, 1: 20.09}', '', 'is under'),
    ('句子数: 42\n单词数: 918', '共有 918 个句子，42 个单词', '', 'is under'),
    ('SVM 0.93', 'Random forest: 0.93', '', 'is under forest, random'),
    ('300 451 121', '300 451 3 121', '', '1 further values'),
    ('28.0', ' '.join(map(str, range(20, 40))), 'What is the median age?', '19 further values'),
    ('28.0', 'median age = 29.7\nmean age = 28.0', 'What is the median age?', 'nearer to what is asked'),
    ('28.0', '28.0\n29.5', 'What is the median age?', 'comes later'),
    ('2.5', 't = 2.5, p = 0.014', 'What is the p-value?', 'nearer'),
    ('1.5 2.5', 'max=1.5, min=2.5', 'Print the minimum and the maximum.', 'order of the question'),
    ('1.5 2.5', '最大值为1.5，最小值为2.5', '打印最小值和最大值。', 'order of the question'),
    ('1.0000 0.8750', '召回率：1.0 精确率：0.875', '打印精确率和召回率。\n请用 sklearn 模块.', 'order of the question'),
    (
        '1.5 2.5',
        'maximum: 1.5\nminimum: 2.5',
        'What are the minimum and the maximum? Print the minimum and the maximum.',
        'order',
    ),
    ('1.5 2.5', 'max: 1.5\nmin: 2.5', 'What are the minimum and the maximum? Round them.', 'order'),
    ('normal', 'not normal', '', 'other words'),
    # What looks like something else.
    ('[1 0 1 1]', '[0 0 1 1]', '', 'not there'),
    ('[[0. 1.]\n [1. 0.]]', '[1. 0.]', '', '2 values, the gold has 4'),
    ('Best accuracy (k=5): 0.93', 'Best accuracy (k=7): 0.93', 'Which k is best?', 'not there'),
    ('54.0', '0.54', 'What is the 90th percentile of age?', 'not there'),
    ('9007199254740993', '9007199254740992', '', 'not there'),
    ('5GB', '5MB', '', 'is under mb'),
    ('28.0', 'median age = 29.7\nmean age = 28.0', 'What is the median of df.age? Round to 2 decimals.', 'nearer'),
    ('RMSE 误差 0.93', 'Random forest: 0.93', '', 'is under forest, random'),
]


@pytest.mark.parametrize(('gold', 'answer', 'question'), RIGHT, ids=[answer for _, answer, _ in RIGHT])
def test_an_answer_of_another_form_is_right(gold, answer, question):
    assert difference(gold, answer, question=question) == ''


@pytest.mark.parametrize(('gold', 'answer', 'question', 'why'), WRONG, ids=[answer for _, answer, _, _ in WRONG])
def test_what_speaks_against_an_answer_is_told(gold, answer, question, why):
    assert why in difference(gold, answer, question=question, modules=['sklearn'])


def test_a_step_s_own_tolerance_holds():
    assert difference('125', '124.9', tolerance=0.02) == ''
    assert difference('125', '115', tolerance=0.02)


NAMES = "['Age', 'Cabin', 'Embarked']"
CLASSES = 'sex     class\nfemale  first     91\n        second    70\nmale    first     45\ndtype: int64'
WHICH, RANKED = 'Which columns have missing values?', 'List the columns, most missing values first.'


@pytest.mark.parametrize(
    ('gold', 'answer', 'question', 'share'),
    [
        (NAMES, 'Cabin       687\nAge         177\nEmbarked      2\ndtype: int64', WHICH, 1),
        (NAMES, "{'Embarked', 'Age', 'Cabin'}", WHICH, 1),
        ('Male', 'The sex with the higher rate is Female, not Male.', 'Which sex has the higher rate?', 0),
        ('Paris', 'Paris (12,000 visitors)', 'Which city has most visitors?', 1),
        (NAMES, "{'Embarked', 'Age', 'Cabin'}", RANKED, 0.75),
        (NAMES, '1. Age (177)\n2. Cabin (687)\n3. Embarked (2)', RANKED, 1),
        (NAMES, "['Ages', 'Cabin', 'Embarked']", WHICH, 2 / 3),
        (NAMES, 'Embarked  float64\nCabin  object\nAge  int64', WHICH, 1),
        (NAMES, "['Age', 'Cabin', 'Embarked', 'Fare', 'Sex']", WHICH, 1 / 3),
        (NAMES, "['Age', 'Name', 'Sex', 'Ticket', 'Cabin', 'Embarked', 'Fare']", WHICH, 0),  # all there is
        (NAMES, 'Age,Name\n' + 'Cabin,Embarked\n' * 99, WHICH, 0),
        (NAMES, '', WHICH, 0),
        ('sun    714\nfog    411\ndtype: int64', '{"fog": 411, "sun": 714}', 'Count the days of each weather.', 1),
        ('sun    714\nfog    411\ndtype: int64', '{"fog": 714, "sun": 411}', 'Count the days of each weather.', 0),
        (CLASSES, 'female first 45\nfemale second 70\nmale first 91', 'Count each sex in each class.', 0),
        ('smoker', 'non-smoker', 'Which group pays more?', 0),
        ('及格', '不及格', '哪一类人数最多？', 0),
        ('男生', '人数更多的不是男生', '哪一类人数更多？', 0),
        (NAMES, "['Age', 'Cabin', 'Embarked', 'International', 'Stringer', 'Nancy']", WHICH, 0),
        ("['a', 'b', 'a']", 'a b a', 'Predict the labels.', 1),
        ("['a', 'b', 'a']", 'a a b', 'Predict the labels.', 0.75),
        ('oak 1931, elm 1932', '0  oak  1931 -20.4\n1  elm  1932 -13.5', RANKED, 1),
        ('oak 1931, elm 1932', '0  oak  1932 -20.4\n1  elm  1931 -13.5', RANKED, 0),
        *(
            ('oak 20, elm 13', f'oak {one} 7\nelm {other} 8', RANKED, 0)
            for one, other in (('20.4', '13.5'), ('-20', '-13'), ('20 %', '13 %'))
        ),
        ('oak, elm, fir\nash, box', 'One has oak, elm and fir; the other ash and box.', 'Print each cluster.', 1),
        ('oak, elm, fir\nash, box', 'One has oak, elm; the other fir, ash and box.', 'Print each cluster.', 0.75),
    ],
)
def test_names_are_found_in_any_layout(gold, answer, question, share):
    assert in_place(gold, answer, question) == pytest.approx(share)
