"""Sessions of rules: the gold code charges as the manual says, and whoever overlooks a part of it is wrong."""

import copy
import io
import re
from collections import Counter
from datetime import datetime

import pytest

from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import builtin_sets
from cibench_eval.datasets.naive import read_naive
from cibench_eval.sets.sources import sources_of
from tests.support.scoring import left

HABITS = {'unamended', 'as_at_the_end', 'unexcepted', 'in_order'}
COLUMNS = 'kind number amount per goods origin carrier standing heavy winter but unless since until ended by circular'
ENTRY = {'number': 1, 'date': '2031-03-01', 'trader': 'Moss', 'goods': 'fresh cod', 'place': 'Lund', 'carrier': 'rail'}
ENTRY |= {'kg': 1000, 'value': 500, 'code': 'B1.02'}


def rule(kind, number, amount, per='value', goods='*', **conditions):
    return {'kind': kind, 'number': number, 'amount': str(amount), 'per': per, 'goods': goods, **conditions}


GENERAL = [
    rule('heavy', '2.1', 900, 'entry'),
    rule('small', '2.2', 100, 'entry'),
    rule('least', '2.3', 5, 'entry'),
    rule('cap', '2.4', 6, 'entry'),
]
CLASS = rule('rate', '3.1', 10, goods='B*')
ITEM = rule('rate', '3.2', 20, goods='B1.02')
LEAGUE = rule('rate', '4.1', 30, goods='B*', origin='Salt Road')


@pytest.fixture(scope='module')
def experiments():
    return load_experiments(builtin_sets()['builtin_rules']['modern'] / 'rules')


@pytest.fixture(scope='module')
def chinese():
    return load_experiments(builtin_sets()['builtin_rules']['modern'] / 'rules_chinese')


@pytest.fixture(scope='module')
def charged(experiments):
    """What the gold code of a session makes of an entry, by rules of one's own."""
    import pandas as pd  # here: every process of the tests reads this file

    code = experiments[0].steps[0].code
    names = {}
    exec(code[: code.index('\ngoods = table(')], names)
    names['leagues'] = names['table']('of,name,since,until\nSalt Road,Lund,,2031-06-30\n')
    names['standings'] = names['table']('of,name,since,until\n')

    def charge(*rules, **entry):
        table = pd.DataFrame([*GENERAL, *rules], columns=COLUMNS.split(), dtype=str).fillna('')
        return names['charged'](pd.DataFrame([ENTRY | entry]), table).iloc[0]

    return charge


def surcharge(number, amount, per='value', **conditions):
    return rule('surcharge', f'5.{number}', amount, per, **conditions)


@pytest.mark.parametrize(
    ('rules', 'entry', 'duty'),
    [
        ([CLASS], {}, 50),
        ([CLASS, ITEM, LEAGUE], {}, 100),  # goods go before origins
        ([CLASS, LEAGUE], {}, 150),
        ([CLASS, LEAGUE], {'date': '2031-07-01'}, 50),  # the place has left the league
        ([CLASS, {**LEAGUE, 'number': '4.2', 'origin': 'Lund', 'amount': '1'}, LEAGUE], {}, 5),  # before a league
        ([CLASS, {**CLASS, 'number': '3.9', 'amount': '7'}], {}, 35),  # the later paragraph
        ([CLASS, {**ITEM, 'until': '2031-03-01'}], {}, 100),  # days are inclusive
        ([CLASS, {**ITEM, 'until': '2031-02-28'}], {}, 50),
        ([CLASS, {**ITEM, 'but': 'Salt Road'}], {}, 50),
        ([CLASS, {**LEAGUE, 'but': 'B1.*'}], {}, 50),
        ([CLASS], {'value': 99}, 0),
        ([{**CLASS, 'per': 'kg', 'amount': '2'}], {}, 20),
        ([CLASS, {**ITEM, 'ended': '2031-03-01'}], {}, 50),  # a circular counts from its day on
        ([CLASS, {**ITEM, 'ended': '2031-03-02'}], {}, 100),
        ([CLASS, {**ITEM, 'since': '2031-03-01'}], {}, 100),
        ([CLASS, {**ITEM, 'since': '2031-03-02'}], {}, 50),
    ],
)
def test_the_rate_that_says_most_of_an_entry_counts(charged, rules, entry, duty):
    assert charged(*rules, **entry).duty == pytest.approx(duty)


def test_surcharges_are_added_but_for_those_that_make_room_and_up_to_a_cap(charged):
    one, other = surcharge(1, 2, heavy='yes'), surcharge(2, 3, unless='5.1')
    assert charged(CLASS, one, other).surcharge == pytest.approx(10)
    assert charged(CLASS, one, other, kg=899).surcharge == pytest.approx(15)
    assert charged(CLASS, one, surcharge(3, 5)).surcharge == pytest.approx(30)
    assert charged(CLASS, surcharge(4, 20, 'entry', winter='yes')).surcharge == 0
    assert charged(CLASS, surcharge(4, 20, 'entry', winter='yes'), date='2031-12-01').surcharge == 20


def test_of_reliefs_the_greatest_counts_and_an_entry_is_charged_something(charged):
    reliefs = rule('relief', '6.1', 50, origin='Salt Road'), rule('relief', '6.2', 100, goods='B1.*')
    assert charged(CLASS, *reliefs).relief == pytest.approx(50)
    assert charged(CLASS, *reliefs).charge == 5


def test_each_question_has_a_naive_answer_and_each_habit_is_wrong_somewhere(experiments, chinese):
    """Drawing compares the gold code with the rows, and runs the naive answers."""
    for experiment, twin in zip(experiments, chinese, strict=True):
        naive = read_naive(experiment)
        assert {*naive.sessions} == HABITS
        assert {answer.step for answer in naive.answers} == {*range(1, len(experiment.steps))}
        assert [step.code for step in experiment.steps[1:]] == [step.code for step in twin.steps[1:]]


def test_an_amount_may_be_rounded_to_two_decimals(experiments):
    for step in (step for one in experiments for step in one.steps if 'charge' in (step.answers or {})):
        state = copy.deepcopy(step.state)
        (column,) = state['charge']['columns']
        column['values'] = [round(value, 2) for value in column['values']]
        assert left(step, step.code, state).score == 1, step.index


SEEDS = [
    pytest.param('level1', ['test/0', 'test/1', 'test/2'], 10, id='one'),
    # In the first world of this seed no question for the greatest has a habit that gets it wrong.
    pytest.param('level2', ['level2/10142'], 20, id='long, and a world without a question is drawn anew'),
]


@pytest.mark.soak
@pytest.mark.parametrize(('name', 'seeds', 'number'), SEEDS)
def test_other_seeds_are_sessions_like_these(name, seeds, number):
    (source,) = sources_of('builtin_rules', f'*/{name}')
    for seed in seeds:
        _, steps = source.level.draw(next(iter(source.level.sessions.values())), seed, 'data/x')
        habits = Counter(habit for step in steps['en'] for one in step.naive for habit in one.sessions)
        assert habits.keys() == HABITS
        assert all(step.naive for step in steps['en'][1:])
        assert len(steps['en']) == len(steps['cn']) >= number


def written(experiment, name):
    """A table that stands in the gold code of the first step: what was read in the manual."""
    import pandas as pd

    text = re.search(rf"^{name} = table\('''(.*?)'''\)", experiment.steps[0].code, re.MULTILINE | re.DOTALL)[1]
    return pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)


def manual_of(experiment):
    name = {'en': 'manual.md', 'cn': 'manual_cn.md'}[experiment.language]
    folder = re.search(r"'(data/\w+)/ledger.csv'", experiment.steps[0].code)[1]
    return (experiment.datasources / folder / name).read_text(encoding='utf-8')


def test_the_manual_has_each_paragraph_each_change_and_each_code(experiments, chinese):
    for experiment in [*experiments, *chinese]:
        text, rules = manual_of(experiment), written(experiment, 'rules')
        assert '{' not in text
        printed = rules[rules['circular'] == '']
        assert re.findall(r'^\*\*([2-6]\.\d+)\*\* ', text, re.MULTILINE) == [*printed['number']]
        circulars = text.partition('## 7.')[2]
        changed = rules[rules['by'] != '']
        assert len(changed) > 5 and changed['number'].is_unique
        for number in changed['number']:
            assert re.search(rf'(?<![\d.]){re.escape(number)}(?!\d)', circulars)
        for code in written(experiment, 'goods')['code']:
            assert f'- {code} ' in text
    assert len({manual_of(one) for one in experiments}) == len(experiments)


def test_what_circulars_say_is_in_the_rules(experiments):
    """From their day on: another amount, or nothing."""
    for experiment in experiments:
        rules, seen = written(experiment, 'rules'), 0
        _, *parts = re.split(r'^### Circular (\d+), in force from (.*) on$', manual_of(experiment), flags=re.MULTILINE)
        for circular, day, text in zip(*(parts[place::3] for place in range(3)), strict=True):
            since = datetime.strptime(day, '%d %B %Y').strftime('%Y-%m-%d')
            for line in text.partition('\n## ')[0].strip().split('\n\n'):
                number, says = re.fullmatch(r'§ ([\d.]+):? (.*)', line).groups()
                (old,) = rules[(rules['number'] == number) & (rules['by'] == circular)].to_dict('records')
                new = rules[(rules['number'] == number) & (rules['circular'] == circular)].to_dict('records')
                assert old['ended'] == since and [one['since'] for one in new] == [since] * len(new)
                assert len(new) == ('repealed' not in says)
                if found := re.match(r'for ([\d.]+) .*read ([\d.]*\d)', says):
                    assert found.groups() == (old['amount'], new[0]['amount'])
                seen += 1
        assert seen == (rules['by'] != '').sum()


def test_the_set_is_of_the_size_that_the_documents_say(experiments):
    steps = [step for one in experiments for step in one.steps]
    assert (len(experiments), len(steps)) == (8, 136)
    assert all(step.answers for step in steps)


def test_a_question_on_too_many_surcharges_names_the_paragraph_of_the_cap(experiments, chinese):
    """Some surcharges make room for others, so these are more than may be levied, too."""
    asked = [step.question for one in (*experiments, *chinese) for step in one.steps if "['capped']" in step.code]
    assert len(asked) == 12
    assert all('§ 2.4 allows' in question or '超过第 2.4 条的上限' in question for question in asked)
