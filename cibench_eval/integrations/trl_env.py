"""Our notebooks as the environment of TRL's trainers (github.com/huggingface/trl), over `cibench env`.

    factory = partial(TRLNotebookEnv, 'http://127.0.0.1:8000', token)
    rows = [{'prompt': [{'role': 'user', 'content': ''}], 'experiment': name} for name in experiments_of(url, token)]
    GRPOTrainer(model, environment_factory=factory, train_dataset=Dataset.from_list(rows), …)

A rollout is a session of the server. Its public methods are the tools of the policy, which reads their docstrings.
"""

import json
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from weakref import finalize

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.sync.client import ClientConnection, connect

from cibench_eval.schema import CibenchError

INSTRUCTIONS = """\
Answer data science questions by running Python code with the tool run_code, in one session: variables stay, and the \
data files are in the working directory. What your code prints, returns or draws is the answer. The next question \
follows when code has run without error, or when you call answer.

"""
PING_TIMEOUT_SECONDS = 120
"""How long a silent server is waited for, as it waits for its clients: a machine under load is not gone."""
LAST = 'That was the last question.'
LOST = 'The session is lost; there are no more questions.'
NO_CODE = 'There was no code; call run_code with some.'
"""Said in place of the server's sentence, which names a tool that the policy does not have."""


class TRLNotebookEnv:
    """A session at a time, for `environment_factory` (trl 1.16); the server prints its URL and its token."""

    def __init__(self, url: str, token: str) -> None:
        self._url, self._token = url, token
        self._connection: ClientConnection | None = None
        self._over = True
        self.right: float | None = None
        """The share of right steps, once it is known."""
        self.invalid = ''
        """Why the rollout is no result."""

    def reset(self, experiment: str | None = None, seed: int | None = None, **_: Any) -> str:
        """Begin a session; both are columns of the data set, of which one chooses the notebook.

        Raises:
            CibenchError: there is neither, or the server is not reached, or refuses, as when all its places are taken.
        """
        self.right, self.invalid = None, ''
        chosen = {'experiment': experiment, 'seed': seed}
        wanted = {name: value for name, value in chosen.items() if value is not None}
        if not wanted:  # the rollouts of a group would get different ones
            raise CibenchError('the data set has no column `experiment`, and no `seed`, to choose a notebook by')
        try:
            data = self._asked('reset', wanted)
        except ConnectionClosed:  # the server was started again since
            self._connection = None
            data = self._asked('reset', wanted)
        self._take(data)
        return INSTRUCTIONS + _text(data['observation']['messages'][-1:])

    def run_code(self, code: str) -> str:
        """Run Python code in the session of the question that is due.

        Args:
            code: The Python code to run.

        Returns:
            What it printed or returned, or its error; then the question that is due.
        """
        return self._act('' if code.strip() else NO_CODE, code=code)

    def answer(self, text: str) -> str:
        """End the question that is due without more code.

        Args:
            text: A few words on the answer.

        Returns:
            The next question.
        """
        return self._act(text=text or '…')

    def get_reward(self) -> float | None:
        """The share of right steps; None where the session is no result, so that the trainer leaves it out."""
        if not self._over:
            self._act(end=True)
        return self.right

    def _act(self, instead: str = '', **action: Any) -> str:
        """What the server says to an action; `instead` takes the place of its answer to the code."""
        if self._over:
            return LOST if self.invalid else LAST
        try:
            data = self._asked('step', action)
        except ConnectionClosed as error:
            self._over, self.invalid, self._connection = True, f'the server is gone: {error}', None
            return LOST
        self._take(data)
        answer, *more = data['observation']['messages'] or [{'content': ''}]
        shown = _text([{'content': instead} if instead and not self._over else answer, *more])
        return '\n\n'.join(filter(None, [shown, (LOST if self.invalid else LAST) if self._over else '']))

    def _take(self, data: dict[str, Any]) -> None:
        self._over, self.invalid = data['done'], data['observation']['invalid']
        self.right = data['observation']['score'].get('right')

    def _asked(self, kind: str, data: dict[str, Any]) -> dict[str, Any]:
        """The data of the answer to a message."""
        if self._connection is None:
            headers = {'Authorization': f'Bearer {self._token}'}
            address = self._url.rstrip('/').replace('http', 'ws', 1) + '/ws'
            try:
                self._connection = connect(
                    address,
                    additional_headers=headers,
                    max_size=None,
                    ping_timeout=PING_TIMEOUT_SECONDS,
                    close_timeout=1,
                )
                finalize(self, self._connection.close)  # a public method would be a tool of the policy
            except (OSError, InvalidHandshake, InvalidURI) as error:
                raise _not_reached(self._url, error) from error
        self._connection.send(json.dumps({'type': kind, 'data': data}))
        answer = json.loads(self._connection.recv())
        if answer['type'] == 'error':
            raise CibenchError(f'{self._url}: {answer["data"]["message"]}')
        found: dict[str, Any] = answer['data']
        return found


def experiments_of(url: str, token: str) -> list[str]:
    """The ids of a server's notebooks, in order; a `CibenchError` where the server or the token is another one."""
    try:
        request = Request(f'{url.rstrip("/")}/experiments', headers={'Authorization': f'Bearer {token}'})
        with urlopen(request) as answer:
            found: list[str] = json.load(answer)
    except (OSError, ValueError) as error:
        raise _not_reached(url, error) from error
    return found


def _not_reached(url: str, error: Exception) -> CibenchError:
    if isinstance(error, InvalidURI) or not url.startswith(('http://', 'https://')):
        return CibenchError(f'{url}: no address; write it as the server prints it, http://HOST:PORT')
    if isinstance(error, OSError) and not isinstance(error, HTTPError):
        reason = getattr(error, 'reason', error)
        return CibenchError(f'{url}: no server there ({reason}); start it with cibench env SET --http PORT')
    return CibenchError(f'{url}: no `cibench env` that takes this token ({error}); it prints both when it starts')


def _text(messages: list[dict[str, Any]]) -> str:
    """The texts of messages, without images."""
    contents = [[one['content']] if isinstance(one['content'], str) else one['content'] for one in messages]
    texts = [part if isinstance(part, str) else part.get('text', '') for content in contents for part in content]
    return '\n\n'.join(text.strip() for text in texts if text.strip())
