"""The tokens of the servers that commands open: taken from a variable or made, and looked for in requests."""

from __future__ import annotations

import base64
import binascii
import hmac
import os
import secrets

from cibench_eval.schema import CibenchError


def token_of(variable: str | None, command: str) -> str:
    """The token that clients have to send: that of an environment variable, or a new one.

    Raises:
        CibenchError: the variable is not set.
    """
    if variable is None:
        return secrets.token_urlsafe(32)
    if not os.environ.get(variable):
        raise CibenchError(f'{command}: --token: the environment variable {variable} is not set')
    return os.environ[variable]


def admits(authorization: str, token: str) -> bool:
    """Whether a request's `Authorization` has the token: as a bearer token, or as the password of an address
    (`http://any:TOKEN@host`), for clients that send no headers of their own."""
    scheme, _, given = authorization.partition(' ')
    if scheme.lower() == 'basic':
        try:
            given = base64.b64decode(given, validate=True).decode().partition(':')[2]
        except (binascii.Error, UnicodeDecodeError):
            return False
    elif scheme.lower() != 'bearer':
        return False
    return hmac.compare_digest(given.encode(), token.encode())
