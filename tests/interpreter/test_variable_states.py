"""What variables hold, asked of real kernels: that nothing notices, and what hostile code can do."""

import asyncio
import json

import pytest

from cibench_eval.interpreter import Interpreter, KernelSettings
from cibench_eval.states import plain_states
from tests.support.soak import many

STATE_SIZE = 32_000

pytestmark = pytest.mark.kernel
SETTINGS = KernelSettings(sandbox='auto', preload=('pandas',), grace=1)


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr('cibench_eval.interpreter.kernel.DESCRIBING', 1.5)


def ask(*codes, names):
    """What code blocks leave of some variables, the description, and what a last block then prints of the session."""

    async def session():
        async with Interpreter(SETTINGS) as interpreter:
            done = [await interpreter.run(code) for code in codes[:-1]]
            states = await interpreter.describe(names)
            return done, states, await interpreter.run(codes[-1])

    return asyncio.run(session())


def test_numbers_are_described_where_the_code_lets_numpy_raise_errors():
    code = "import numpy as np\nnp.seterr(all='raise')\nx = np.array([1e-200, 1e200])\ny = [-1e200, 1e200]"
    _, states, _ = ask(code, '', names=['x', 'y'])
    assert (states['x'].kind, states['y'].kind) == ('array', 'array'), (states['x'].why, states['y'].why)


def test_nothing_of_the_session_changes():
    before = 'import gc, sys, os\nx = [1, 2]\nseen = set(globals())\nx'
    after = 'print(_, len(In), len(Out), get_ipython().execution_count, sorted(set(globals()) - seen), os.getcwd())'
    _, states, asked = ask(before, after, names=['x', 'y'])
    assert set(states) == {'x'} and states['x'].shape == [2]

    async def unasked():
        async with Interpreter(SETTINGS) as interpreter:
            await interpreter.run(before)
            return await interpreter.run(after)

    assert asked.stdout == asyncio.run(unasked()).stdout
    assert asked.status == 'ok' and not asked.stderr


def test_no_method_of_the_code_is_called():
    code = """
called = []
def noted(name):
    def noting(*arguments, **more):
        called.append(name)
        raise SystemExit
    return noting
names = ('repr', 'str', 'len', 'iter', 'next', 'getattr', 'getattribute', 'getitem', 'eq', 'hash', 'bool', 'contains',
         'array', 'dict', 'float', 'int', 'index', 'format', 'instancecheck', 'subclasscheck', 'reduce_ex', 'dir')
methods = {f'__{name}__': noted(name) for name in names}
Meta = type('Meta', (type,), {name: noted('class ' + name) for name in methods if 'hash' not in name})
Plain = Meta('Plain', (), {**methods, '__class__': property(noted('class'))})
plain, classed = object.__new__(Plain), Plain
lists = list.__new__(type('Lists', (list,), methods)); list.extend(lists, [1, 2])
dicts = dict.__new__(type('Dicts', (dict,), methods)); dict.update(dicts, {'a': 1})
texts = str.__new__(type('Texts', (str,), methods), 'q')
import pandas as pd
frames = type('Frames', (pd.DataFrame,), {'__len__': noted('len'), 'shape': property(noted('shape'))})({'a': [1]})
from sklearn.linear_model import Ridge
Tree = type('Tree', (), {name: property(noted(name)) for name in ('n_node_samples', 'impurity', 'value')})
fitted = Ridge(); fitted.tree_ = fitted.coef_ = Tree()
def counting():
    called.append('next'); yield 1
generator = counting()
inside = [plain, {1: plain}]
import numpy as np
Number = type('Number', (np.float64,), {f'__{name}__': noted(name) for name in ('repr', 'str', 'format')})
pairs = {(Number(1.5), 'a')}
import sympy
real = object.__new__(type('Real', (sympy.Float,), {'__float__': noted('float')}))
import datetime
Zone = type('Zone', (datetime.tzinfo,), {name: noted(name) for name in ('utcoffset', 'dst', 'tzname', 'fromutc')})
zoned = datetime.datetime(2024, 3, 1, tzinfo=Zone())
masked = np.ma.array([1.5]); vars(masked)['_mask'] = plain
called.clear()
"""
    names = ['plain', 'classed', 'lists', 'dicts', 'texts', 'frames', 'fitted', 'generator', 'inside', 'pairs']
    names += ['real', 'masked', 'zoned']
    done, states, last = ask(code, 'seen = str(called); print(seen, next(generator))', names=names)
    assert done[0].status == 'ok', done[0].error
    assert last.stdout == '[] 1\n', last.error
    kinds = {name: state.kind for name, state in states.items()}
    assert kinds == {
        'plain': 'object',
        'classed': 'class',
        'lists': 'array',
        'dicts': 'table',
        'texts': 'scalar',
        'frames': 'object',
        'fitted': 'model',
        'generator': 'object',
        'inside': 'items',
        'pairs': 'set',
        'real': 'object',
        'masked': 'array',
        'zoned': 'scalar',
    }
    assert states['plain'].type == 'Plain'


HOSTILE = {
    'broadcast': 'import numpy as np; x = np.broadcast_to(np.float64(1), (10**5, 10**6))',
    'strided': 'import numpy as np; x = np.lib.stride_tricks.as_strided(np.zeros(1), (10**12,), (0,))',
    'objects': 'import numpy as np; x = np.full(10**6, None, dtype=object)',
    'long list': 'x = [0] * 10**7',
    'long text': "x = 'a' * 10**8",
    'huge number': 'x = 10**100_000',
    'huge range': 'x = range(10**15)',
    'itself': 'x = []; x.append(x); x += [x] * 100',
    'dict of itself': 'x = {}; x.update({str(n): x for n in range(1000)})',
    'deep': 'x = []\nfor _ in range(100_000): x = [x]',
    'wide frame': 'import pandas as pd; x = pd.DataFrame([[0.5] * 20_000])',
    'no builtins': 'import builtins; x = 5; builtins.sorted = builtins.round = lambda *a, **k: 7; type = len = None',
    'patched numpy': 'import numpy as np, pandas as pd; x = pd.Series([1]); pd.Series.to_numpy = lambda self: 5',
    'raises': 'import pandas as pd; x = pd.Series([1])\ndef f(self): raise SystemExit\npd.Series.to_numpy = f',
    'endless': 'import pandas as pd; x = pd.Series([1])\ndef f(self):\n while True: pass\npd.Series.to_numpy = f',
    'no module': "import sys, pandas as pd; x = pd.Series([1]); sys.modules['pandas'] = 7",
    'lies of its module': "x = type('LinearRegression', (), {'__module__': 'sklearn.linear_model._base'})()",
    'no names': 'x = 1; get_ipython().user_ns = {}',
    'Series of itself': 'import pandas as pd; x = pd.Series([None] * 20, dtype=object)\nfor n in range(20): x[n] = x',
    'own names': 'class D(dict):\n __getitem__ = __contains__ = None\nx = 1; get_ipython().user_ns = D(x=1)',
}


@pytest.mark.parametrize('case', many([*HOSTILE], [name for name in [*HOSTILE][::2] if name != 'dict of itself']))
def test_hostile_variables_are_bounded_and_the_session_goes_on(case):
    done, states, last = ask('y = 1', HOSTILE[case], 'print(y)', names=['x', 'y'])
    assert [one.status for one in done] == ['ok', 'ok'], done[1].error
    assert len(json.dumps(plain_states(states))) <= STATE_SIZE
    assert set(states) <= {'x', 'y'}
    assert last.stdout == '1\n' or case in ('no names', 'own names')


WALKS = {
    'estimators in estimators': 'from sklearn.linear_model import Ridge\nx = Ridge()\nfor _ in range(60):\n'
    ' outer = Ridge(); outer.estimators_ = [x, x]; x = outer',
    'nothing in lists': 'from sklearn.linear_model import Ridge\nx = Ridge(); x.estimators_ = []\n'
    'for _ in range(8): x.estimators_ = [x.estimators_] * 1000',
}


@pytest.mark.soak
@pytest.mark.parametrize('case', many([*WALKS], [*WALKS][:1]))
def test_what_has_no_end_is_walked_until_the_time_is_used_up(case, monkeypatch):
    monkeypatch.setattr('cibench_eval.interpreter.kernel.DESCRIBING', 30)  # it ends by itself, and is not interrupted
    done, states, last = ask('y = 1', WALKS[case], 'print(y)', names=['x'])
    assert done[1].status == 'ok', done[1].error
    assert (states['x'].kind, states['x'].why, last.stdout) == ('unknown', 'LateError', '1\n')


FORGED = {
    'no JSON': "'{'",
    'other names': """'{"z": {"kind": "scalar"}}'""",
    'too large': """'{"x": {"kind": "scalar"}}' + ' ' * 32_000""",
    'deep': '\'{"x":\' * 9_000',
    'not finite': """'{"x": {"kind": "array", "columns": [{"dtype": "number", "values": [NaN]}]}}'""",
    'negative': """'{"x": {"kind": "array", "shape": [-1]}}'""",
    'long lists': """'{"x": {"kind": "array", "columns": [{"dtype": "a", "values": [' + '1,' * 99 + '1]}]}}'""",
    'other type': """'{"x": {"kind": 5}}'""",
    'unknown field': """'{"x": {"kind": "scalar", "more": 1}}'""",
    'no text': 'None',
}


@pytest.mark.parametrize('case', FORGED)
def test_what_is_forged_is_held_to_its_form(case):
    code = f"""
def forged(stream, ident, message):
    kernel.session.send(stream, 'describe_reply', {{'status': 'ok', 'variables': {FORGED[case]}}}, message, ident)
kernel = get_ipython().kernel
kernel.shell_handlers['describe_request'] = forged
x = y = 1
"""
    _, states, last = ask(code, 'print(y)', names=['x'])
    assert all(state.kind == 'unknown' for state in states.values()) and last.stdout == '1\n'


@pytest.mark.soak
def test_a_kernel_that_does_not_answer_is_replaced():
    hangs = 'import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n while True: pass'
    code = f'def f(*_):\n {hangs}\nget_ipython().kernel.shell_handlers["describe_request"] = f'
    _, states, last = ask('y = 1', code, 'print(y)', names=['y'])
    assert states['y'].kind == 'unknown' and last.stdout == '1\n'
