"""The plan of a kernel: what its process reads before it becomes one."""

from typing import Any, TypedDict


class KernelPlan(TypedDict):
    """JSON on the standard input of `inside/bootstrap.py`, or sent to the fork server."""

    variables: dict[str, str]
    """All environment variables of the kernel."""
    cwd: str
    connection: dict[str, Any]
    """Jupyter's connection information, with the paths of the sockets inside the session."""
    connection_file: str
    uid: int | None
    """User id that the process takes; None keeps its own."""
    sandbox_pid: int | None
    """Process whose namespaces a forked kernel enters; None without namespaces."""
    die_with: int
    """Parent whose end ends the kernel; 0 where the sandbox sees to that."""
    cgroup_files: list[str]
    """Files into which a forked kernel writes its pid to enter the session's control group."""
    shared_sockets: bool
    """Whether other users must be able to connect: the harness is one of them."""
    threads: int
    limits: dict[str, int]
    """The limits of each process (`ResourceLimits.of_process`)."""
    output_limit: int
    cut_mark: str
    """What stands where text was left out."""
    figure_size: int
