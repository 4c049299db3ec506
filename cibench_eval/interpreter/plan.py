"""What a process reads before it becomes a kernel."""

from __future__ import annotations

from typing import Any, Literal, TypedDict


class Plan(TypedDict):
    """A kernel process to be, as JSON on the standard input of `inside/bootstrap.py` or to the fork server."""

    variables: dict[str, str]
    """All its environment variables."""
    cwd: str
    connection: dict[str, Any]
    """Jupyter's connection information, its sockets as the session names them."""
    connection_file: str
    uid: int | None
    """User id to take; None keeps the one it has."""
    sandbox_pid: int | None
    """Process whose namespaces a forked kernel enters; None where there are none to enter."""
    die_with: int
    """Parent with which it ends; 0 where the sandbox sees to that."""
    cgroup_files: list[str]
    """Files into which a forked kernel writes its pid to enter the session's control group."""
    shared_sockets: bool
    """Whether users of other ids, of whom the harness is one, must be able to connect."""
    threads: int
    limits: dict[str, int]
    """Limits of the process, by the names of `resource` without `RLIMIT_`."""
    output_limit: int
    cut_mark: str
    """What stands where text was left out."""
    figure_size: int
    stdin: Literal['error', 'eof']
    magics: bool
    shell_escapes: bool
