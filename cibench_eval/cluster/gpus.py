"""The GPUs of this machine, by the names that CUDA_VISIBLE_DEVICES takes."""

import os
import re
import subprocess
from collections.abc import Mapping, Sequence

from cibench_eval.schema import CibenchError

VARIABLE = 'CUDA_VISIBLE_DEVICES'
LINE = re.compile(r'GPU (\d+):')


def visible_gpus() -> list[str]:
    """The GPUs that this process may use: CUDA_VISIBLE_DEVICES, else what `nvidia-smi` lists, else none."""
    if (said := os.environ.get(VARIABLE)) is not None:
        names = [name.strip() for name in said.split(',')]
        return names[: names.index('-1')] if '-1' in names else [name for name in names if name]
    try:
        done = subprocess.run(['nvidia-smi', '-L'], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    return LINE.findall(done.stdout) if done.returncode == 0 else []


def workers_for(needs: Mapping[str, int], gpus: Sequence[str], most: int | None) -> int:
    """How many shares models should be cut into on this machine's GPUs; 1 where one place is all there is.

    Args:
        needs: GPUs that each model needs, by its name.
        most: shares at once, at most; None for no limit.

    Raises:
        CibenchError: a model needs more GPUs than there are.
    """
    largest = max(needs.values(), default=0)
    if largest > len(gpus):
        name = next(name for name, need in needs.items() if need == largest)
        raise CibenchError(
            f'model {name} needs {largest} GPUs (num_gpus), and this process may use {len(gpus)}: correct num_gpus, or '
            f'{VARIABLE}'
        )
    if not largest or most == 1:
        return 1
    places = len(gpus) // largest
    return 1 if places < 2 else min(places, most or places) + sum(not need for need in needs.values())
