"""The language of configs: what a program means, and what it is told when it means nothing."""

import pytest

from cibench_eval.config.config_files import read
from cibench_eval.schema import CibenchError

BASE = """
from opencompass.models import OpenAI
from math import pi
import os

def made(abbr):
    return dict(type=OpenAI, abbr=abbr)

models = [made('a'), dict(made('b'), gen=dict(t=1))]
width = 2 * pi
_private = 1
"""


@pytest.fixture
def config(tmp_path):
    """Write files, and read the first."""

    def reading(**files):
        for name, text in files.items():
            (tmp_path / f'{name}.py').write_bytes(text if isinstance(text, bytes) else text.encode())
        return read(tmp_path / f'{next(iter(files))}.py')

    return reading


HEAD = 'from mmengine.config import read_base\nwith read_base():\n    '
OPENAI = 'opencompass.models.OpenAI'


@pytest.mark.parametrize(
    ('program', 'means'),
    [
        ('', {}),
        ('a = 1\n__b = 2\n_c = 3', {'a': 1, '_c': 3}),
        (b'\xef\xbb\xbfa = 1\r\nb = 2\r\n', {'a': 1, 'b': 2}),
        ('import os, json\nfrom math import pi\nx = json.loads(os.fspath("[1]"))', {'x': [1]}),
        ('from math import pi\npi = 3', {'pi': 3}),
        ('from a.b import C\nmodels = [dict(type=C)]', {'models': [{'type': 'a.b.C'}]}),
        ('import a.b as c\nimport d.e\nx, y = c.D, (d.e.F,)', {'x': 'a.b.D', 'y': ('d.e.F',)}),
        ('from a import B\nB = 1', {'B': 1}),
        ('def f():\n    from a import B\n    return B\nx = f()', {'x': 'a.B'}),
        ('class A:\n    from b import C\nx = A.C', {'x': 'b.C'}),
        ('import dataclasses\n@dataclasses.dataclass\nclass D:\n    a: int = 1\nx = D().a', {'x': 1}),
        ('from mmengine.config import read_base, ConfigDict\nx = ConfigDict', {'x': 'mmengine.config.ConfigDict'}),
        ('x = lambda: 1\ny = 2', {'y': 2}),
        (f'{HEAD}from .base import width', {'width': pytest.approx(6.283185)}),
        (f'{HEAD}from .base import width as w\nw = w > 6', {'w': True}),
        (f'{HEAD}from .base import made\nx = made("c")', {'x': {'type': OPENAI, 'abbr': 'c'}}),
        (
            f'{HEAD}from .base import models\nm = models[0].copy()\nm.abbr = "x"\nmodels = [m]',
            {'m': {'type': OPENAI, 'abbr': 'x'}, 'models': [{'type': OPENAI, 'abbr': 'x'}]},
        ),
        (
            f'{HEAD}from .base import models\nmodels[1].gen.t = 2\nmodels[1].of = dict(k=1)\nmodels[1].of.k = 2\n'
            'models = models[1:]',
            {'models': [{'type': OPENAI, 'abbr': 'b', 'gen': {'t': 2}, 'of': {'k': 2}}]},
        ),
        (
            'from mmengine.config import read_base as base\nwith base():\n    from .base import _private',
            {'_private': 1},
        ),
    ],
)
def test_a_program_means_its_variables(config, program, means):
    assert config(main=program, base=BASE) == means


def test_all_names_of_a_base_are_taken_but_its_imports(config):
    found = config(main=f'{HEAD}from .base import *', base=BASE)
    assert set(found) == {'models', 'width', '_private'}


def test_what_one_config_changes_of_a_base_no_other_sees(config):
    first = f'{HEAD}from .base import models\nmodels[0].abbr = "x"'
    second = f'{HEAD}from .first import models as one\n    from .base import models'
    found = config(second=second, first=first, base=BASE)
    assert [found[name][0]['abbr'] for name in ('one', 'models')] == ['x', 'a']


def test_a_base_is_read_once_however_many_read_it(config, tmp_path):
    levels = {f'level{n}': f'{HEAD}from .level{n + 1} import a\n    from .level{n + 1} import b' for n in range(30)}
    count = f'open({str(tmp_path / "times")!r}, "a").write("x")'
    assert config(**levels, level30=f'{count}\na, b = 1, 2') == {'a': 1, 'b': 2}
    assert (tmp_path / 'times').read_text() == 'x'


@pytest.mark.parametrize(
    ('program', 'says'),
    [
        ('a = (', "line 1: '(' was never closed"),
        ('a = "\0"', 'source code string cannot contain null bytes'),
        ('\n\n1 / 0', 'line 3: ZeroDivisionError: division by zero'),
        ('from a import B\n\nB()', 'line 3: it calls a.B; a config names classes'),
        ('import a\n\na.b.c()', 'line 3: it calls a.b.c; a config names'),
        ('\nfrom .base import width', 'line 2: other configs are read in `with read_base():`'),
        ('from base import *', 'line 1: other configs are read in `with read_base():`'),
        (f'{HEAD}import os', 'line 3: in `with read_base():` stands only `from .other_config import name`'),
        (f'\n\n{HEAD}from .nowhere import x', 'line 5: it reads '),
        (f'{HEAD}from .base import widht', 'base.py sets no widht; it sets OpenAI, pi, os, made, models, width'),
        (f'{HEAD}from no_such_package.a import x', 'line 3: it reads no_such_package.a, and there is no package'),
        (f'{HEAD}from .broken import x', 'broken.py, line 2: ZeroDivisionError'),
        (f'{HEAD}from .main import x', 'main.py, which reads it'),
        (f'{HEAD}from .circle import x', 'main.py, which reads it'),
        ('a = []\na.append(a)', 'RecursionError'),
    ],
)
def test_what_it_cannot_mean_is_told_with_its_line(config, program, says):
    circle = f'{HEAD}from .main import x'
    with pytest.raises(CibenchError) as raised:
        config(main=program, base=BASE, broken='\n1 / 0', circle=circle)
    assert 'main.py: cannot be read as a config: ' in str(raised.value)
    assert says in str(raised.value)
    assert str(raised.value).count('main.py') <= 2
