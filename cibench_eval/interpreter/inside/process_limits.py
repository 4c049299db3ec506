"""Resource limits of processes, for the harness and for code inside. It imports nothing of the package."""

import resource


def set_limits(limits: dict[str, int], process: int = 0) -> None:
    """Set soft and hard limits of a process (0: this one), by names without `RLIMIT_`; existing lower limits stay."""
    for name, value in limits.items():
        limit = getattr(resource, f'RLIMIT_{name}')
        ceiling = resource.prlimit(process, limit)[1]
        allowed = value if ceiling == resource.RLIM_INFINITY else min(value, ceiling)
        resource.prlimit(process, limit, (allowed, allowed))


def raise_open_files() -> None:
    """Raise the limit on open files as far as possible.

    Linux sends no descriptor while more than this number of the user's are in transit, and the sessions of an ordinary
    user, whose own limits are lower, count together.
    """
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
