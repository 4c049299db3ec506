"""A set with one planted fault of each kind, sound notebooks beside it, and what a check has to find in it."""

import base64
import json
from dataclasses import dataclass

import numpy as np
from PIL import Image

from cibench_eval.evaluators import notebook_profiles
from cibench_eval.sets.checking import CheckSettings, check_set
from tests.support.notebooks import write_beside
from tests.support.pngs import stored

SLOW = 3
"""Seconds that a step of this set may take."""
LARGE = 0.2
"""Megabytes that a data file of this set may have."""
SHOW = "from IPython.display import Image, display\ndisplay(Image(filename='data/{}.png'))"
TABLE = 'name,size\nalpha,20.25\nbeta,1.5\ngamma,9.75\n'
BACKWARDS = "print(' '.join(r.split(',')[0][::-1] for r in rows[1:]))"
RANDOM = 'import os\nprint(int.from_bytes(os.urandom(6)) + 10**15)'
WARNING = "import sys\nprint('UserWarning: old', file=sys.stderr)\nprint('weeping willow')"
ROUND_TRIP = "open('data/mine.txt', 'w').write('x')\nopen('data/mine.txt').read();"
COLOURS = 'the words red green blue'
UNREACHABLE = """\
import socket, subprocess
for address in (('127.0.0.1', 9), ('192.0.2.1', 80)):
    try:
        socket.create_connection(address, timeout=0.1)
    except OSError:
        pass
try:
    subprocess.run(['wget', '--version'], capture_output=True)
except OSError:
    pass
"""


def png(pixels):
    return stored(Image.fromarray(pixels))


PICTURE = png(np.random.default_rng(0).integers(0, 255, (40, 60, 3), dtype=np.uint8))
BLANK = png(np.full((40, 60, 3), 255, dtype=np.uint8))


@dataclass(frozen=True)
class Cell:
    """A step as it is written into a notebook; `stored` is text, or the bytes of a PNG."""

    kind: str
    question: str
    code: str
    stored: str | bytes = ''
    modules: str = 'os'

    @property
    def outputs(self):
        if isinstance(self.stored, bytes):
            data = {'image/png': base64.b64encode(self.stored).decode(), 'text/plain': '<Image>'}
            return [{'output_type': 'display_data', 'metadata': {}, 'data': data}]
        return [{'output_type': 'stream', 'name': 'stdout', 'text': self.stored}] if self.stored else []


SOUND = [
    Cell('exec', 'Read `data/table.csv` into `rows`.', "rows = open('data/table.csv').read().split()"),
    Cell('num', 'Print the sum of the 3 sizes.', 'print(sum(float(r.split(",")[1]) for r in rows[1:]))', '31.5\n'),
    Cell('text', 'Print the names backwards.', BACKWARDS, 'ahpla ateb ammag\n'),
    Cell('vis', 'Show the file `data/picture.png`.', SHOW.format('picture'), PICTURE),
]  # fmt: skip
SOUND_CN = [
    Cell('exec', '把 `data/table.csv` 读入 `rows`。', SOUND[0].code),
    Cell('num', '打印三个大小之和。', SOUND[1].code, '31.5\n'),
    Cell('text', '把名字倒过来打印。', SOUND[2].code, 'ahpla ateb ammag\n'),
    Cell('vis', '显示文件 `data/picture.png`。', SHOW.format('picture'), PICTURE),
]
ALONE = [Cell('num', 'Print seven eighths.', 'print(7 / 8)', '0.875\n')]

NOTEBOOKS = {
    'broken/lib/asks': [
        Cell('num', 'Print eleven eighths.', 'print(11 / 8)', '1.375\n'),
        Cell('num', 'Print  eleven eighths.', 'print(11 / 8)', '1.375\n'),
    ],
    'broken/lib/empty': [
        Cell('num', 'Compute a third.', 'x = 1 / 3'),
        Cell('text', 'Say hello.', 'pass'),
        Cell('vis', 'Draw a circle.', 'pass'),
        Cell('num', 'How many are left?', "print('none at all')", 'none at all\n'),
    ],
    'broken/lib/files': [
        Cell('exec', 'Read what is gone.', "try:\n    open('data/gone.csv')\nexcept OSError:\n    pass"),
        Cell('exec', 'Read what is large.', "len(open('data/large.bin', 'rb').read()) and None"),
        Cell('exec', 'Write, and read it again.', ROUND_TRIP),
    ],
    'broken/lib/margins': [
        Cell('num', 'Print two shares.', 'print(0.848, 0.852)', '0.848 0.852\n'),
        Cell('text', 'Print four trees.', "print('oak, elm, ash, fir')", 'oak, elm, ash, fir\n'),
    ],
    'broken/lib/naive': [
        Cell('exec', 'Make `rows` of the lines of `data/table.csv`.', "rows = open('data/table.csv').read().split()"),
        Cell(
            'num',
            'Print half of the largest size.',
            "print(max(float(r.split(',')[1]) for r in rows[1:]) / 2)",
            '10.125\n',
        ),
    ],
    'broken/lib/paper': [Cell('num', 'Print nine eighths.', 'print(9 / 8)', '1.125\n')],
    'broken/lib/running': [
        Cell('num', 'Print a random number.', RANDOM, '1000000000000001\n'),
        Cell('num', 'Print three eighths.', 'print(3 / 8)', '0.365\n'),
        Cell('text', 'Name a tree.', WARNING, 'weeping willow\n'),
        Cell('text', 'Reach out.', f"{UNREACHABLE}print('no answer')", 'no answer\n'),  # what it reaches is no output
        Cell('exec', 'Divide by 0.', '1 / 0'),
    ],
    'broken/lib/slow': [Cell('exec', 'Wait.', 'import time\ntime.sleep(3.2)')],
    'broken/lib/slower': [Cell('exec', 'Wait.', 'pass')],
    'broken/lib/speaks': [Cell('exec', '把 `x` 设为一。', 'x = 1')],
    'broken/lib/trivial': [
        Cell('num', 'Print nothing much.', 'print(0)', '0\n'),
        Cell('text', f'Print {COLOURS}.', f'print({COLOURS!r})', f'{COLOURS}\n'),
        Cell('vis', 'Show `data/blank.png`.', SHOW.format('blank'), BLANK),
        Cell('text', 'Print `data/table.csv`.', "print(open('data/table.csv').read())", TABLE + '\n'),
    ],
    'pairs/lib/alone': ALONE,
    'pairs/lib/other': [
        Cell('exec', 'Make `frame` of 4 rows.', 'pass'),
        Cell('num', 'Print a quarter of 9.', 'print(9 / 4)', '2.25\n'),
        Cell('text', 'Print a bird.', "print('sparrowhawk')", 'sparrowhawk\n'),
    ],
    'pairs/lib/short': [Cell('exec', 'Set `a` to 1.', 'a = 1'), Cell('exec', 'Set `b` to 2.', 'b = 2')],
    'pairs/lib/sound': SOUND,
    'pairs_cn/lib/other': [
        Cell('exec', '建立有 5 行的 `table`。', 'pass', modules='sys'),
        Cell('num', '打印 9 的四分之一。', 'print(9 / 4 + 1)', '3.25\n'),
        Cell('num', '打印一只鸟。', "print('17.5 sparrowhawks')", '17.5 sparrowhawks\n'),
    ],
    'pairs_cn/lib/short': [Cell('exec', '令 `a` 为 1。', 'a = 1')],
    'pairs_cn/lib/sound': SOUND_CN,
    'words_cn/lib/latin': [Cell('exec', 'Set `c` to 3.', 'c = 3')],
    'words_cn/lib/stated': [Cell('exec', 'Set `d` to 4.', 'd = 4')],
}  # fmt: skip
STATED = {
    'broken/lib/margins': {'tolerances': [0.01, None]},
    'broken/lib/paper': {'kernel_environment': 'paper'},
    'words_cn/lib/latin': {'language': 'cn'},
}

NAIVE = [
    dict(step=1, trap='the last one is not the largest', sessions=['careless'], code='print(4.875)'),
    dict(step=1, trap='there is none', sessions=['literal'], code="print(float(rows[1].split(',')[1]) / 2)"),
]
"""Naive answers of `broken/lib/naive`, the second of which is right."""

FOUND = {
    ('broken/', None): ['undescribed'],
    ('pairs/', None): ['undescribed'],
    ('pairs_cn/', None): ['undescribed'],
    ('words_cn/', None): ['undescribed'],
    ('broken/lib/asks', 2): ['duplicate_question'],
    ('broken/lib/empty', 1): ['empty'],
    ('broken/lib/empty', 2): ['empty'],
    ('broken/lib/empty', 3): ['empty'],
    ('broken/lib/empty', 4): ['empty'],
    ('broken/lib/files', 1): ['missing_file'],
    ('broken/lib/files', 2): ['large_file'],
    ('broken/lib/format', None): ['format'],
    ('broken/lib/margins', 1): ['close_values'],
    ('broken/lib/running', 1): ['non_deterministic'],
    ('broken/lib/running', 2): ['differs'],
    ('broken/lib/running', 3): ['warning'],
    ('broken/lib/running', 4): ['network', 'network'],
    ('broken/lib/running', 5): ['fails'],
    ('broken/lib/slow', 1): ['slow'],
    ('broken/lib/slower', None): ['duplicate_question'],
    ('broken/lib/speaks', 1): ['language'],
    ('broken/lib/trivial', 1): ['trivial'] * len(notebook_profiles()),
    ('broken/lib/trivial', 2): ['trivial'],
    ('broken/lib/trivial', 3): ['trivial'] * len(notebook_profiles()),
    ('broken/lib/trivial', 4): ['trivial'] * len(notebook_profiles()),
    ('broken/lib/naive', None): ['few_naive'],
    ('broken/lib/naive', 2): ['naive'],
    ('broken/lib/paper', None): ['environment'],
    ('pairs/lib/alone', None): ['twin'],
    ('pairs_cn/lib/other', 1): ['twin'] * 5,
    ('pairs_cn/lib/other', 2): ['twin'],
    ('pairs_cn/lib/other', 3): ['twin'],
    ('pairs_cn/lib/short', None): ['twin'],
    ('words_cn/lib/latin', 1): ['language'],
    ('words_cn/lib/stated', None): ['language'],
}
"""(notebook, step) -> the codes of what is wrong there: all that a check may find."""
NOTES = {('broken/lib/margins', 1), ('broken/lib/paper', None), ('pairs/lib/alone', None)}
"""Where all findings are notes."""


def notebook(cells, **stated):
    """A notebook of the official format."""
    written = []
    for cell in cells:
        written.append({'cell_type': 'markdown', 'metadata': {}, 'source': f'{cell.question}\n\nThought: I do it.'})
        code = {'cell_type': 'code', 'metadata': {}, 'execution_count': 1, 'source': cell.code, 'outputs': cell.outputs}
        written.append(code)
    metadata = {'step_types': [cell.kind for cell in cells], 'modules': [cell.modules for cell in cells], **stated}
    return {'cells': written, 'metadata': metadata, 'nbformat': 4, 'nbformat_minor': 5}


def write_data(folder):
    data = folder / 'datasources' / 'data'
    data.mkdir(parents=True)
    (data / 'table.csv').write_text(TABLE)
    (data / 'picture.png').write_bytes(PICTURE)
    (data / 'blank.png').write_bytes(BLANK)
    (data / 'large.bin').write_bytes(bytes(round(LARGE * 1e6) + 1))


def write_notebook(folder, name, cells, **stated):
    path = folder / f'{name}.ipynb'
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook(cells, **stated)))
    return path


def write_set(folder):
    """The whole broken set; its folder."""
    write_data(folder)
    for name, cells in NOTEBOOKS.items():
        chinese = {'language': 'cn'} if name.startswith('pairs_cn') else {'language': 'en'}
        write_notebook(folder, name, cells, **(chinese | STATED.get(name, {})))
    codes = [cell.code for cell in NOTEBOOKS['broken/lib/naive']]
    write_beside(folder / 'broken/lib/naive.ipynb', '.naive.json', codes, answers=NAIVE)
    two = notebook(ALONE)
    two['cells'].append(two['cells'][1])
    (folder / 'broken' / 'lib' / 'format.ipynb').write_text(json.dumps(two))
    return folder


class Fields(dict):
    """An object of a file of JSON, with its fields as attributes."""

    __getattr__ = dict.__getitem__


def read_report(path):
    """What `cibench data check --json` has written."""
    return json.loads(path.read_text(), object_hook=Fields)


def defects(report):
    """The findings of a report that are no notes."""
    return [finding for finding in report.findings if finding.severity == 'defect']


def read_findings(path, **settings):
    """What a check finds in the files of a set, of which it runs no code; notes on descriptions are left out."""
    report = check_set(str(path), CheckSettings(repeats=0, sandbox='none', **settings))
    return [finding for finding in report.findings if finding.code != 'undescribed']
