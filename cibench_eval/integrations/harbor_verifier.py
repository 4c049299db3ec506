"""The verifier of tasks that `harbor` writes: `python -m cibench_eval.integrations.harbor_verifier TESTS ANSWERS LOGS`.

An agent's files are the replies of a session, one for each step; interpreter and scorers are the same as in `run.py`.
Where no sandbox hides the gold from them, it is in this process's memory alone while they run.
`reward.json` has the share of right steps as `reward`, and `scores.json` every step with its reason. Where the harness
fails, nothing is written, so that Harbor reports an error and no score.
"""

import asyncio
import ctypes
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

from cibench_eval.agents.protocols.base import AgentProtocol
from cibench_eval.agents.session import Session
from cibench_eval.datasets.held_out import FOLDER
from cibench_eval.files import read_at_most, write_whole
from cibench_eval.integrations.sessions import scores_of, sessions_of
from cibench_eval.interpreter.sandboxes import FALLBACK
from cibench_eval.models.base import Stateless, Tools, Turn
from cibench_eval.reports.comparison import RIGHT
from cibench_eval.reports.sessions import values_of
from cibench_eval.schema import CibenchError, Experiment, Message, Reply, StepScore

LARGEST = 1_000_000
"""Most bytes of a file of code; a larger one counts as missing."""
SET = 'set'
"""Folder of the notebook with the gold, and of its descriptions."""
PR_SET_DUMPABLE = 4


def file_of(index: int) -> str:
    """Name of the file with the code of a step, counted from 0."""
    return f'step_{index + 1:02}.py'


class AnswerFiles(Stateless):
    """A model whose replies are files of code. Where one is missing, no file or a link, the reply is empty.

    A link would be read as whoever follows it: it could lead to the gold.
    """

    def __init__(self, folder: Path, experiment: Experiment, protocol: AgentProtocol) -> None:
        self._folder, self._experiment, self._protocol = folder, experiment, protocol

    async def chat(self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Tools = ()) -> Reply:
        if self._folder.is_symlink():
            return Reply(text='')
        try:
            code = read_at_most(self._folder / file_of(turn.step), LARGEST, links=False).decode('utf-8-sig', 'replace')
        except OSError:
            return Reply(text='')
        return self._protocol.gold(self._experiment.steps[turn.step].model_copy(update={'code': code, 'thought': ''}))


@contextmanager
def gold_away(tests: Path) -> Iterator[None]:
    """Keep the gold in `tests` off the disk, and this process's memory from other processes of its user.

    Raises:
        CibenchError: a file cannot be removed.
    """
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    files = [path for name in (SET, FOLDER) for path in (tests / name).rglob('*') if path.is_file()]
    gold = {path: path.read_bytes() for path in files}
    try:
        for path in gold:
            _remove(path, tests)
        yield
    finally:
        for path, content in gold.items():
            if not path.exists():
                write_whole(path, content)


def _remove(path: Path, tests: Path) -> None:
    try:
        path.unlink()
    except OSError as error:
        raise CibenchError(
            f'{path}: cannot be removed ({error.strerror}), and the answers could read the gold in it; mount {tests} '
            'writable, or let bubblewrap work here'
        ) from error


def verify(tests: Path, answers: Path) -> list[StepScore]:
    """Score the files in `answers` by the gold in `tests`.

    Raises:
        CibenchError: a file of the task is damaged, or the code could read the gold.
        HarnessError: the harness or the machine failed.
    """
    settings = json.loads((tests / 'settings.json').read_text())  # environment, profile, language
    sessions = sessions_of(tests / SET, max_attempts=1, sandbox='auto', **settings)
    (experiment,) = sessions.experiments.values()
    model = AnswerFiles(answers, experiment, sessions.settings.agent.protocol)
    bare = sessions.settings.kernels.chosen_sandbox().name == FALLBACK
    with gold_away(tests) if bare else nullcontext():
        trace = asyncio.run(Session(experiment, model, sessions.settings).run())
    return scores_of(trace, experiment, sessions.profile)


def main(arguments: Sequence[str]) -> int:
    """Verify, write the scores, and return the exit code: 2 where there is no score."""
    tests, answers, logs = map(Path, arguments)
    try:
        scores = verify(tests, answers)
    except CibenchError as error:
        print(f'harbor_verifier: error: {error}', file=sys.stderr)
        return 2
    values = values_of(scores)
    logs.mkdir(parents=True, exist_ok=True)
    steps = [one.model_dump(mode='json') for one in scores]
    write_whole(logs / 'scores.json', json.dumps(steps, ensure_ascii=False, indent=1))
    write_whole(logs / 'reward.json', json.dumps({'reward': values[RIGHT], **values}, indent=1))
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
