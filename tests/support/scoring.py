"""Steps and sessions scored as tests ask: the metric that compares the output, its value and why."""

from pathlib import Path

from cibench_eval.analysis.results import Results
from cibench_eval.evaluators import find_profile, score_session
from cibench_eval.evaluators.engine import with_outcomes
from cibench_eval.evaluators.predictions import works_read
from cibench_eval.evaluators.work import works_of
from cibench_eval.interpreter import Interpreter, KernelSettings
from cibench_eval.schema import (
    INTERPRETER,
    Action,
    Attempt,
    Execution,
    Experiment,
    Figure,
    Output,
    Reply,
    Step,
    StepScore,
    StepTrace,
    Trace,
)
from cibench_eval.states import plain_states

NOWHERE = Path('/nowhere')
LIBRARIES = ('pandas', 'matplotlib.pyplot', 'seaborn', 'sklearn', 'torch')
"""What kernels import that describe plots or variables: the files that compare them share what they fork from."""


class Graded:
    """A step's score, with the value and the detail of the metric that compares its output."""

    def __init__(self, step: StepScore, profile):
        deciding = profile.deciding(step.kind)
        self.step, self.index = step, step.index
        self.metric = deciding.name if deciding else None
        self.score = step.values.get(self.metric)
        self.detail = step.details.get(self.metric, '')
        self.tool_rate, self.executable = (bool(step.values[name]) for name in ('tool_rate', 'executable'))


def score_step(actions, step, experiment='a/b', figures=NOWHERE, *, profile='strict', **options):
    """Score the actions of a step."""
    chosen = find_profile(profile)
    (work,) = works_read([list(actions)], experiment, Path(figures))
    return graded(work, step, experiment, chosen, options)


def graded(work, step, experiment, profile, options=None):
    """Score what was done in the only step of an experiment."""
    gold, chosen = gold_experiment(step, name=experiment), profile.defaults.model_copy(update=options or {})
    return Graded(*score_session([work], gold, profile, chosen), profile)


def score_experiment(steps, experiment, *, profile='strict', figures=NOWHERE, **options):
    """Score the actions of each step of a session."""
    chosen = find_profile(profile)
    works = works_read(steps, experiment.id, Path(figures))
    scores = score_session(works, experiment, chosen, chosen.defaults.model_copy(update=options))
    return [Graded(score, chosen) for score in scores]


def outcomes_of(trace, experiment, figures=NOWHERE, profile='strict'):
    """How each step of a session ended."""
    chosen = find_profile(profile)
    scores = score_session(works_of(trace.steps, figures), experiment, chosen)
    return [score.outcome for score in with_outcomes(scores, {experiment.id: trace}, chosen)]


def read_cases(path):
    """Answers in a file of lines: what `>` says, the gold code of `=`, and code that is right (`+`) or wrong (`-`).

    Two blanks at the beginning of a line go on with the one before.
    """
    cases = []
    for line in path.read_text(encoding='utf-8').replace('\n  ', ' ').splitlines():
        sign, _, rest = line.partition(' ')
        if sign == '>':
            about = rest
        elif sign == '=':
            gold = rest
        elif sign in ('+', '-'):
            cases.append((about, gold, rest, sign == '+'))
    return cases


async def describe(setup, codes):
    """What codes leave of variables in a kernel: key -> states, of keys, names of variables and codes."""
    found = {}
    async with Interpreter(KernelSettings(sandbox='auto', preload=LIBRARIES)) as interpreter:
        assert (await interpreter.run(setup, timeout=100)).status == 'ok'
        for key, names, code in codes:
            if key not in found:
                done = await interpreter.run(code)
                assert done.status == 'ok', f'{code}: {done.error}'
                found[key] = plain_states(await interpreter.describe(names))
    return found


def summarize(graded, profile='strict'):
    content = Results(profile=profile, steps=[one.step for one in graded]).content
    return {name: figure for name, figure in content.items() if name not in {*Results.model_fields, 'outcomes'}}


# Sessions of ours.


def shown(text=None, *figures, type='stdout'):
    """An execution that printed a text and showed figures."""
    outputs = [] if text is None else [Output(type=type, text=text)]
    return Execution(
        status='ok', outputs=[*outputs, *(Output(type='display_data', figure=figure) for figure in figures)]
    )


def attempted(execution=None, code='x', reply='', **action):
    """An attempt that ran code, or called nothing."""
    tool = {'tool': INTERPRETER, 'argument': code, 'code': code} if execution else {}
    return Attempt(reply=Reply(text=reply), action=Action(**tool | action), execution=execution)


def step_trace(*attempts, index=0, question='?', **fields):
    return StepTrace(index=index, question=question, attempts=list(attempts), **fields)


def session_trace(*steps, experiment='a/b', mode='end_to_end'):
    fixed = dict(model='m', dataset='d', protocol='react', max_attempts=3, started='2025-01-01T00:00:00Z', seconds=0)
    return Trace(experiment=experiment, mode=mode, steps=list(steps), **fixed)


def printed(gold, answer, *, kind='num', question='?', profile='strict', options=None, **fields):
    """The score of a step that printed an answer."""
    return executed(gold_step(kind, gold, question=question, **fields), shown(answer), profile, options=options)


def executed(step, execution, profile='strict', figures=NOWHERE, options=None):
    """The score of a step whose code did something."""
    (work,) = works_of([step_trace(attempted(execution))], figures)
    return graded(work, step, 'a/b', find_profile(profile), options)


def left(step, code, state, answer=None, profile='strict'):
    """The score of a step whose code left variables, as descriptions have them, and perhaps printed an answer."""
    chosen = find_profile(profile)
    (work,) = works_of([step_trace(attempted(shown(answer), code=code), state=state)], NOWHERE)
    return graded(work, step, 'a/b', chosen)


# Sessions as predictions files have them.


def block(title, text):
    return f'{title}:\n\n```\n{text}\n```'


def call(text='', image_path='', errmsg=None, **fields):
    """An action: a call of the interpreter with a result, or with an error."""
    result = {'text': text, 'image_path': image_path}
    return {'type': INTERPRETER, 'result': None if errmsg else result, 'errmsg': errmsg, **fields}


def links(*paths):
    """A call that showed figures."""
    return call(image_path='\n\n'.join(f'![fig-{number:03d}]({path})' for number, path in enumerate(paths, 1)))


# Golds.


def gold_step(kind, gold=None, index=0, question='?', **fields):
    """A gold step with a text or, of kind `vis`, with a PNG."""
    content = {'figure': Figure.of(gold)} if kind == 'vis' and gold else {'text': gold}
    return Step(index=index, question=question, code='', kind=kind, **content, **fields)


def gold_experiment(*steps, name='a/b'):
    return Experiment(id=name, path=Path('b.ipynb'), language='en', steps=list(steps), typed=True)
