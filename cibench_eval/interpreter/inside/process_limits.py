"""Resource limits of processes. Used inside and by the harness; imports nothing of the package."""

import resource


def set_limits(limits: dict[str, int], process: int = 0) -> None:
    """Set resource limits of a process, soft and hard; a lower one that is there already stays.

    Args:
        limits: values by the names of `resource` without `RLIMIT_`.
        process: its pid; 0 is this one.
    """
    for name, value in limits.items():
        limit = getattr(resource, f'RLIMIT_{name}')
        ceiling = resource.prlimit(process, limit)[1]
        allowed = value if ceiling == resource.RLIM_INFINITY else min(value, ceiling)
        resource.prlimit(process, limit, (allowed, allowed))


def raise_open_files() -> None:
    """Raise the limit on open files: Linux refuses to send descriptors to a user of whom more are on their way.

    All sessions of an ordinary user count together, and theirs is lower.
    """
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
