"""A model that writes a benchmark, behind a real chat server: good experiments, and one of each kind of bad ones.

What it answers depends on the request alone, as a model's answer does.
"""

import json
import re

MODULE = 'statistics'
NAME = re.compile(r'`data/(\w+)/sales\.csv`')
TOPIC = re.compile(r'^The experiment topic is: (\w+)', re.MULTILINE)
TITLE = re.compile(r'^# (\w+) of shops', re.MULTILINE)
SUBJECTS = {
    'Means': ['mean', 'fmean'],
    'Spreads': ['stdev', 'variance'],
    'Modes': ['mode', 'no_such_name'],
    'Failures': ['geometric_mean'],
    'Dice': ['NormalDist'],
    'Waiting': ['harmonic_mean'],
    'Vagueness': ['pvariance'],
    'Riddles': ['correlation'],
    'Zeros': ['covariance'],
    'Chatter': ['multimode'],
    'Second thoughts': ['linear_regression'],
}
"""Topic -> the names that it is said to use. The first three come out at once."""
GOOD = ('Means', 'Spreads', 'Modes')
REFINED = {'Failures': 'fails', 'Dice': 'non_deterministic', 'Waiting': 'slow', 'Vagueness': 'underspecified'}
"""Topic -> what its first version is found to be; its second is good."""
GIVEN_UP = {'Riddles': 'underspecified', 'Zeros': 'trivial'}
MALFORMED = ('Chatter',)
SLOW = 2.0
"""Seconds that a step may take."""

FENCE = '```'
HEAD = """# {title} of shops

```yaml
data:
  sales.csv:
    rows: 40
    columns:
      region: {{shares: {{North: 0.5, South: 0.3, West: 0.2}}}}
      price: {{normal: [{mean}, 4], digits: 3}}
```
"""
LOAD = (
    'exec',
    'Read `data/{name}/sales.csv` with `csv.DictReader` into a list `rows`, and make the list `{list}` of the column '
    '`price` as floats.',
    "import csv\n\nrows = list(csv.DictReader(open('data/{name}/sales.csv')))\n"
    "{list} = [float(row['price']) for row in rows]",
)
CHOSEN = (
    'num',
    'Print the sum of the {k} largest values of `{list}`, rounded to 3 decimal places.',
    'print(round(sum(sorted({list})[-{k}:]), 3))',
)
NUMBERS = {
    'Means': ('Print the mean of `{list}`, rounded to 4 decimal places.', 'print(round(statistics.fmean({list}), 4))'),
    'Spreads': (
        'Print the sample standard deviation of `{list}`, rounded to 4 decimal places.',
        'print(round(statistics.stdev({list}), 4))',
    ),
    'Modes': (
        'Print the most frequent `region` of `rows` and the largest of `{list}`, separated by a space.',
        "print(statistics.mode(r['region'] for r in rows), max({list}))",
    ),
}
BETTER = (
    'Print the variance of `{list}`, rounded to 4 decimal places.',
    'print(round(statistics.variance({list}), 4))',
)
FIRST = {
    'Failures': ('Print the mean of `{list}`, rounded to 4 decimal places.', 'print(round(statistics.fmean(lost), 4))'),
    'Dice': (
        'Print a random price of `{list}` plus a random integer below 10000.',
        'import os\n\nprint({list}[0] + int.from_bytes(os.urandom(4)) % 10000)',
    ),
    'Waiting': ('Wait, then print the sum of `{list}` as it is.', 'import time\n\ntime.sleep(2.5)\nprint(sum({list}))'),
    'Vagueness': ('Print the middle cut point of `{list}`.', 'print(statistics.quantiles({list}, n=6)[2])'),
    'Riddles': ('Print the upper cut point of `{list}`.', 'print(statistics.quantiles({list}, n=9)[-1])'),
    'Zeros': ('Print how many values of `{list}` are negative.', 'print(sum(v < 0 for v in {list}))'),
}


def experiment(topic, name, question, code):
    """The text of an experiment of four steps whose second one is `question` and `code`."""
    place = [*SUBJECTS].index(topic)
    list_, words = f'{topic.lower().replace(" ", "_")}_values', 'North, South, West'
    steps = [
        LOAD,
        ('num', question, f'import statistics\n\n{code}'),
        CHOSEN,
        (
            'text',
            'Print the different values of `region` in `rows`, sorted from Z to A, separated by a comma and a space, '
            'and then, in the same way, `{list}`.',
            "print(', '.join([*sorted({{r['region'] for r in rows}}, reverse=True), '{list}']))",
        ),
    ]
    values = {'name': name, 'list': list_, 'k': place + 2, 'words': words}
    text = HEAD.format(title=topic.partition(' ')[0], mean=20 + place)
    for number, (kind, asked, does) in enumerate(steps, start=1):
        text += f'\n## Step {number} ({kind}; statistics)\n\n{asked.format(**values)}\n\nThought: it is asked for.\n\n'
        text += f'{FENCE}python\n{does.format(**values)}\n{FENCE}\n'
    return text


def answer(messages):
    asked, again = messages[0]['content'], len(messages) > 1
    if asked.startswith('Please propose'):
        return topics(asked) if again else 'Here are some topics: Means, Medians, …'
    if found := TOPIC.search(asked):
        topic = next(one for one in SUBJECTS if one.startswith(found[1]))
        return first(topic, NAME.search(asked)[1], again)
    title = TITLE.search(asked)[1]
    return revised(next(one for one in SUBJECTS if one.startswith(title)), NAME.search(asked)[1])


def topics(asked):
    given = [{'topic': f'{topic} of the prices of shops', 'names': names} for topic, names in SUBJECTS.items()]
    if 'These topics are there already' in asked:
        return json.dumps(given[:2])
    given.insert(1, {'topic': 'Means of prices of the shops', 'names': []})
    thought = f'<think>\nPerhaps\n{FENCE}json\n[{{"topic": "Sums"}}]\n{FENCE}\n</think>\n'
    return f'{thought}Here they are.\n{FENCE}json\n{json.dumps(given)}\n{FENCE}'


def first(topic, name, again):
    if topic == 'Chatter' or (topic == 'Second thoughts' and not again):
        return 'I would rather talk about something else.'
    if topic == 'Second thoughts':
        return experiment(topic, name, *BETTER)
    return experiment(topic, name, *(NUMBERS.get(topic) or FIRST[topic]))


def revised(topic, name):
    return experiment(topic, name, *(FIRST[topic] if topic in GIVEN_UP else BETTER))


CONFIG = """
from cibench_eval.models import OpenAICompatible

models = [
    dict(
        type=OpenAICompatible,
        abbr='scripted',
        path='any',
        base_url={url!r},
        retries=0,
        batch_size=4,
        price=dict(input=1.0, output=2.0),
    )
]
"""
