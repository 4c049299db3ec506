"""Ways to damage a file of a run folder, held against the commands that read one.

What comes of it is either what comes of the undamaged run, or a line that says what is wrong and an exit code that is
not 0; scores of sessions that are whole never change.
"""

import contextlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

from cibench_eval import cli
from cibench_eval.run.main import main
from cibench_eval.sealed import sealed, unsealed
from tests.support.notebooks import add_examples, config_folder
from tests.support.runs import in_process
from tests.support.viewer_runs import CHOSEN, LIBRARIES

FILES = ('traces', 'predictions', 'results', 'figure', 'description', 'judge', 'replay', 'summary')
COMMANDS: dict[str, list[str]] = {
    'score': ['score'],
    'score official': ['score', '--profile', 'official'],
    'show': ['show'],
    'view': ['view', '--no-open'],
    'status': ['status'],
    'export': ['export', '--to', 'csv'],
    'leaderboard': ['leaderboard'],
    'analyse': ['analyse'],
    'compare': ['compare'],
    'agreement': ['agreement'],
    '-r': [],
}
"""By the words of `cibench`; `-r` is of `run.py`."""
MODEL, DATASET = 'gold-replay', 'examples'


def _middle(content: bytes, put: bytes) -> bytes:
    """The content with something in its middle in the place of what is there."""
    at = len(content) // 2
    return content[:at] + put + content[at + len(put) :]


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    'empty': lambda content: b'',
    'truncated': lambda content: content[: len(content) // 2],
    'zeros': lambda content: _middle(content, bytes(64)),
    'not UTF-8': lambda content: _middle(content, b'\xff'),
    'brackets': lambda content: b'[' * 200_000 + b']' * 200_000 + b'\n',
    'a byte': lambda content: _middle(content, bytes([content[len(content) // 2] ^ 1])),
}
DAMAGE = (*CHANGES, 'a folder', 'gone')


def damage(path: Path, kind: str) -> None:
    """Damage a file."""
    content = path.read_bytes()
    path.unlink()
    if kind == 'a folder':
        path.mkdir()
    elif kind != 'gone':
        path.write_bytes(CHANGES[kind](content))


class Runs:
    """Copies of one scored run of the gold replay, with a verdict of a judge and a finding of a replay.

    Args:
        folder: where it is made.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._number = folder, 0
        configs = config_folder(folder, folder, LIBRARIES)
        add_examples(configs, CHOSEN)
        self.words = ['--models', 'gold_replay', '--datasets', 'examples', '--config-dir', str(configs)]
        assert main([*self.words, '-w', str(folder / 'out')]) == 0
        (self._run,) = (folder / 'out').iterdir()
        assert cli.main(['score', str(self._run), '--profile', 'official']) == 0
        self._judged()
        self._undamaged: dict[str, SimpleNamespace] = {}
        self.scores = scores_in(self._run)

    def _judged(self) -> None:
        results = self._run / 'results' / MODEL
        drawn = next(step for step in _steps(results / f'{DATASET}.json') if step['kind'] == 'vis')
        place = {'experiment': drawn['experiment'], 'index': drawn['index'], 'asked': '0'}
        verdict = {'judge': 'j', 'metric': 'vis_sim', 'score': 1.0, 'detail': '', 'replies': [{'text': '10'}], **place}
        finding = {'verdict': 'open', 'evidence': '', **place}
        for kind, record in (('judge', verdict), ('replay', finding)):
            (results / f'{DATASET}.{kind}.jsonl').write_text(sealed(json.dumps(record)) + '\n')

    def copy(self) -> Path:
        """A run folder that may be damaged."""
        self._number += 1
        return shutil.copytree(self._run, self._folder / f'copy{self._number}' / self._run.name)

    def said(self, command: str, run: Path, *more: str) -> SimpleNamespace:
        """What a command says of a run, by the same name of it and its time; `more` is for `-r` alone."""
        if command == '-r':
            return in_process(lambda: main([*self.words, '-w', str(run.parent), '-r', run.name, *more]))
        first, *others = COMMANDS[command]
        runs = [str(run), *([str(self._run)] if command == 'compare' else [])]
        found = in_process(lambda: cli.main([first, *runs, *others]))
        found.stdout = found.stdout.replace(str(run), 'RUN')
        return found

    def undamaged(self, command: str) -> SimpleNamespace:
        """What it says where nothing is damaged."""
        if command not in self._undamaged:
            self._undamaged[command] = self.said(command, self.copy())
        return self._undamaged[command]

    def cell(self, file: str, kind: str, command: str) -> None:
        """What a command makes of a damaged file is right, or a line."""
        whole, run = self.undamaged(command), self.copy()
        damage(file_of(run, file), kind)
        said = self.said(command, run)
        assert 'Traceback' not in said.stdout + said.stderr, said
        for path, known in scores_in(run).items():
            found = self.scores[path]
            assert all(found[place] == values for place, values in known.items()), (path, said)
        if said.returncode:
            assert said.stderr.strip(), said
        elif command == '-r':
            assert scores_in(run) == self.scores, said
        elif command != 'status':  # which counts sessions, and knows no scores
            unknown = 'not scored' in said.stdout or (file, kind) == ('judge', 'gone')  # as if it had never been judged
            assert unknown or _figures(said.stdout) == _figures(whole.stdout), said
        shutil.rmtree(run.parent)


def file_of(run: Path, file: str) -> Path:
    """A file of a run; of figures the first that the scores of a step are of."""
    predictions, results = run / 'predictions' / MODEL, run / 'results' / MODEL
    if file in ('figure', 'description'):
        plot = min((predictions / 'figures').glob('*.plot.json'))
        return plot if file == 'description' else plot.parent / plot.name.replace('.plot.json', '.png')
    if file == 'config':
        return max((run / 'configs').glob('*.json'))
    if file == 'summary':
        return max((run / 'summary').glob('*.csv'))
    ends = {'predictions': 'json', 'traces': 'traces.jsonl', 'results': 'json'}
    folder = predictions if file in ('predictions', 'traces') else results
    return folder / f'{DATASET}.{ends.get(file, f"{file}.jsonl")}'


def scores_in(run: Path) -> dict[str, dict[tuple[str, int], object]]:
    """The results of a run that can be read: step -> what it is worth."""
    found = {}
    for path in sorted([*run.glob('results/*/*.json'), *run.glob('rescored/*/results/*/*.json')]):
        with contextlib.suppress(ValueError, OSError, RecursionError):
            unsealed(path.read_bytes())
            found[str(path.relative_to(run))] = {
                (step['experiment'], step['index']): (step['outcome'], step['values']) for step in _steps(path)
            }
    return found


def _steps(path: Path) -> list[dict]:
    return json.loads(path.read_text(encoding='utf-8'))['steps']


def _figures(said: str) -> list[str]:
    """What a command says, without what the clock says."""
    return [line for line in said.splitlines() if 'summary_' not in line]
