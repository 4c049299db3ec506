"""Draw long sessions from many seeds, run their gold and naive code in a kernel's Python, and compare each answer.

    python -m tests.support.long_sessions 334         # sessions of each level and domain
    python -m tests.support.long_sessions             # what the sessions of the built-in set are like

The generator computes each answer from rows, in plain Python; the gold code computes it with pandas. The two share no
line, so an answer that both give is what the words mean to two readers of the same records.
"""

import functools
import json
import math
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import builtin_sets
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.sets.long.domains import DOMAINS
from cibench_eval.sets.long.session import draw_session
from cibench_eval.sets.sources import sources_of

PLAY = """\
import json, os, sys
os.environ['MPLBACKEND'] = 'Agg'
for line in sys.stdin:
    session = json.loads(line)
    os.chdir(session['folder'])
    scope, found = {'print': lambda *words: None}, []
    for code, naive in session['steps']:
        answers = {}
        for habit, own in naive.items():
            seen = {**scope, **{name: dict(scope[name]) for name in ('history', 'saved', 'lines')}}
            exec(own, seen)
            answers[habit] = seen['answer']
        exec(code, scope)
        found.append([scope['answer'], answers])
    print(json.dumps(found), flush=True)
"""


def levels():
    return {source.name.name: source.level for source in sources_of('builtin_long')}


@functools.cache
def first_cells():
    """The gold code of the first question of each domain, as the built-in set has it, for a folder `data/s`."""
    known = load_experiments(builtin_sets()['builtin_long']['modern'] / 'long', include=['level1/*_a'])
    return {Path(one.id).name.removesuffix('_a'): re.sub(r'data/\w+/', 'data/s/', one.steps[0].code) for one in known}


def same(one, other):
    """Whether two answers are one, but for the order of additions."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list):
        return one == other
    return math.isclose(one, other, rel_tol=1e-9)


def played(drawn, python):
    """Play sessions; of each step its number, the answers of generator and gold code, and the naive ones by habit.

    Args:
        drawn: pairs of name and session.
        python: of the kernel environment.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen([python, '-c', PLAY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as player,
    ):
        for name, session in drawn:
            root = Path(folder, name)
            for file, text in session.files.items():
                (root / file).parent.mkdir(parents=True, exist_ok=True)
                (root / file).write_text(text, encoding='utf-8')
            first = first_cells()[session.domain.name]
            steps = [(first, {}), *((step.code, step.naive) for step in session.steps)]
            player.stdin.write(json.dumps({'folder': str(root), 'steps': steps}) + '\n')
            player.stdin.flush()
            answers = json.loads(player.stdout.readline() or '[]')
            assert len(answers) == len(steps), f'{name}: its gold code failed'
            for number, (step, (gold, naive)) in enumerate(zip(session.steps, answers[1:], strict=True), 2):
                yield name, number, step.value, gold, naive
        player.stdin.close()


def wrong(drawn, python):
    """Answers of gold code that differ from their generator's, and naive ones that do not differ from the gold's."""
    found = []
    for name, number, ours, gold, naive in played(drawn, python):
        if not same(ours, gold):
            found.append((name, number, ours, gold))
        found += [(name, number, habit, gold) for habit, answer in naive.items() if same(gold, answer)]
    return found


def draw(seeds):
    """Sessions of each level and domain, with names."""
    for seed in seeds:
        for level, knobs in levels().items():
            for domain in DOMAINS.values():
                yield f'{level}_{domain.name}_{seed}', draw_session(domain, knobs, f'{level}/{seed}', 'data/s')


def describe():
    """A line for each level of the built-in set: what its answers lean on, and where each habit is wrong."""
    for level, knobs in levels().items():
        sessions = [
            draw_session(DOMAINS[one.domain], knobs, f'{level}/{one.seed}', 'data/s') for one in knobs.sessions.values()
        ]
        steps = [step for session in sessions for step in session.steps]
        alive = [len(session.steps[-1].state.versions) for session in sessions]
        wrong = Counter(habit for step in steps for habit in step.naive)
        print(
            f'{level}: an answer leans on {sum(len(step.depends) for step in steps) / len(steps):.1f} earlier steps,'
            f' {sum(alive) / len(alive):.0f} definitions at the end; wrong by habit, in % of the steps:',
            ', '.join(f'{habit} {100 * wrong[habit] / len(steps):.0f}' for habit in sorted(wrong)),
        )


def main(seeds):
    began, drawn, steps = time.process_time(), 0, 0

    def counted():
        nonlocal drawn, steps
        for name, session in draw(range(10_000, 10_000 + seeds)):
            drawn, steps = drawn + 1, steps + len(session.steps) + 1
            yield name, session

    found = wrong(counted(), KernelEnvironment.find('modern').python)
    ours = time.process_time() - began
    child = resource.getrusage(resource.RUSAGE_CHILDREN)
    theirs = child.ru_utime + child.ru_stime
    for one in found:
        print(*one)
    print(
        f'{drawn} sessions, {steps} steps, {len(found)} answers are not as they should be;'
        f' CPU seconds a session: {ours / drawn:.2f} to draw, {theirs / drawn:.2f} to execute'
    )
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(int(sys.argv[1])) if sys.argv[1:] else describe())
