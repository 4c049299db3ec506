"""The token of a server that a command opens: taken from a variable or made, and looked for in requests."""

from __future__ import annotations

import base64
import hmac
import os
import secrets
from dataclasses import dataclass, field

from cibench_eval.schema import CibenchError


@dataclass(frozen=True)
class Token:
    """What every client of a server has to send."""

    value: str = field(repr=False)
    variable: str | None = None
    """The environment variable that it is of; None if it was made."""

    @classmethod
    def of(cls, variable: str | None, command: str) -> Token:
        """The token of an environment variable, or a new one; a `CibenchError` where the variable is not set."""
        if variable is None:
            return cls(secrets.token_urlsafe(32))
        if not os.environ.get(variable):
            raise CibenchError(f'{command}: --token: the environment variable {variable} is not set')
        return cls(os.environ[variable], variable)

    @property
    def said(self) -> str:
        """How clients send it, for people to read; one of a variable is not shown."""
        return f'Authorization: Bearer {self.value if self.variable is None else f"${self.variable}"}'

    def admits(self, authorization: str) -> bool:
        """Whether a request's `Authorization` has it: as a bearer token, or as the password of an address
        (`http://any:TOKEN@host`), for clients that send no headers of their own. What is not ASCII in it is escaped
        (`surrogateescape`)."""
        scheme, _, given = authorization.partition(' ')
        if scheme.lower() == 'basic':
            try:
                given = base64.b64decode(given, validate=True).decode().partition(':')[2]
            except ValueError:
                return False
        elif scheme.lower() != 'bearer':
            return False
        return hmac.compare_digest(given.encode(errors='surrogateescape'), self.value.encode())
