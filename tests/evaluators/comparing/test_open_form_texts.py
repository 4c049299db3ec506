"""Text in the `open_form` profile: ROUGE-L over words, Chinese characters and values."""

import random
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from cibench_eval.evaluators.comparing.rouge import rouge_l
from tests.support import scoring
from tests.support.soak import many

printed = partial(scoring.printed, profile='open_form')

GOLD = '晴 714 天\n雾 411 天\n雨 259 天\n毛毛雨 54 天\n雪 23 天\n'


@pytest.mark.parametrize(
    ('text', 'tokens'),
    [
        ('The CAT, sat!', ['the', 'cat', 'sat']),
        ('平均温度', ['平', '均', '温', '度']),
        ('R2为好', ['r2', '为', '好']),
        ('bill_length_mm, sex', ['bill_length_mm', 'sex']),
        ('naïve Ελλάδα', ['naïve', 'ελλάδα']),
        ("['a', 'b']", ['a', 'b']),
        ('ＡＢ', ['ab']),
    ],
)
def test_tokens(text, tokens):
    """The text is its tokens, and each of them is one."""
    assert rouge_l(' | '.join(tokens), text) == 1
    assert rouge_l(f'{text} | other', tokens[0]) == pytest.approx(2 / (len(tokens) + 2))


@pytest.mark.parametrize(
    ('gold', 'answer', 'expected'),
    [
        ('the cat sat', 'The CAT sat!', 1),
        ('the cat sat', 'the cat', 0.8),
        ('the cat sat', 'sat cat the', 1 / 3),
        ('平均温度', '平均温度', 1),
        ('平均温度', '平均', 2 / 3),
        ('平均温度', '最大降水', 0),
        ('norm < laplace < cauchy', 'norm, laplace, cauchy', 1),
        ('norm < laplace < cauchy', 'cauchy < laplace < norm', 1 / 3),
        ('mean 3.5', 'Mean: np.float64(3.50001)', 1),
        ('mean 3.5', 'mean 3.6', 0.5),
        ('a 1 b 2', 'a 2 b 1', 0.5),
        ('1,234.50 yuan', '1234.5 yuan', 1),
        ('晴 714 天', '晴：714 天', 1),
        ('the cat', '', 0),
        ('the cat', 'None', 0),
        ('the cat', '0', 0),
        ('***', '***', 1),
        ('***', '', 0),
        ('***', 'a', 0),
    ],
)
def test_scores(gold, answer, expected):
    assert rouge_l(gold, answer) == pytest.approx(expected)


def test_answers_that_say_nothing_are_worth_little():
    """What the question holds of the answer's words is all that repeating it gets."""
    question = '统计每种天气的天数，从多到少打印：每行先是天气，再是天数，例如“晴 100 天”。'
    dump = ' '.join(map(str, range(300)))
    assert rouge_l(GOLD, question) < 0.35
    assert rouge_l(GOLD, dump) < 0.05
    assert rouge_l(GOLD, GOLD + dump) < 0.15
    assert rouge_l(GOLD, '天 ' * 500) < 0.05


def test_more_of_it_right_is_worth_more():
    swapped = GOLD.replace('714', 'x').replace('23', '714').replace('x', '23')
    wrong = GOLD.replace('714', '715')
    assert 1 > rouge_l(GOLD, wrong) > rouge_l(GOLD, swapped) > rouge_l(GOLD, GOLD.split('\n')[0]) > 0


def plain(golds, answers):
    """The longest common subsequence by the book."""
    before = [0] * (len(answers) + 1)
    for gold in golds:
        row = [0]
        for place, answer in enumerate(answers):
            row.append(before[place] + 1 if gold == answer else max(before[place + 1], row[-1]))
        before = row
    return before[-1]


words = st.lists(st.sampled_from('abcde'), max_size=90)


@settings(derandomize=True, max_examples=many(300, 60), deadline=None)
@given(words, words)
def test_the_longest_common_subsequence_is_that_of_the_book(golds, answers):
    expected = 2 * plain(golds, answers) / (len(golds) + len(answers) or 1)
    assert rouge_l(' '.join(golds), ' '.join(answers)) == pytest.approx(expected if golds else float(not answers))


def test_english_words_score_as_rouge_score_does():
    """Where there are neither numbers nor marks inside words the tokenizers agree, and so must the scores."""
    rng, scorer = random.Random(0), RougeScorer(['rougeL'], use_stemmer=False)
    for _ in range(200):
        gold, answer = (' '.join(rng.choices(['the', 'Cat', 'sat,', 'on', 'a', 'mat.'], k=12)) for _ in range(2))
        assert rouge_l(gold, answer) == pytest.approx(scorer.score(gold, answer)['rougeL'].fmeasure)


@settings(derandomize=True, max_examples=many(200, 60), deadline=None)
@given(st.text(max_size=100), st.text(max_size=100))
def test_scores_are_symmetric_and_in_bounds(gold, answer):
    assert rouge_l(gold, gold) == 1
    assert 0 <= rouge_l(gold, answer) <= 1
    if rouge_l(f'{gold} a', f'{answer} a') < 1:  # both have tokens, or one has
        assert rouge_l(f'{gold} a', f'{answer} a') == pytest.approx(rouge_l(f'{answer} a', f'{gold} a'), abs=0.01)


def test_long_answers_take_no_long_time():
    rng = random.Random(0)
    gold = ' '.join(rng.choices(['a', 'b', '1.5', '平均'], k=5_000))
    answer = ' '.join(f'{rng.random():.3f}' for _ in range(20_000))
    assert rouge_l(gold, answer) < 0.01


def test_a_negation_at_the_beginning_of_the_gold_is_no_heading():
    question = 'Does the column income contain outliers by the IQR rule? Print a sentence.'
    gold = 'No outliers were found in income.'
    assert printed(gold, 'Outliers were found in income.', kind='text', question=question).score <= 0.75
    assert printed(gold, gold, kind='text', question=question).score == 1.0
