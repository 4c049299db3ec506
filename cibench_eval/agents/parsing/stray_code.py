"""Code in a text that is not in the form that a protocol runs: a program, a fenced block, a call written as text.

A model that writes it meant it to run, where words alone would end the step.
"""

import ast
import re

from cibench_eval.agents.parsing.tool_arguments import OBJECT, read_arguments
from cibench_eval.fences import KEYS, PYTHON, Block, blocks, computes, is_code, json_code, statements
from cibench_eval.schema import INTERPRETER

MARKUP = re.compile(
    r'<[|｜\w:]{0,20}(?:tool|invoke|action|execute)|<function(?:[=_]| name=)|<[|｜]*(?:DSML|plugin|python_|channel)|'
    r'\[TOOL_CALLS\]|functools\[|✿FUNCTION✿|^<(?:code|python)(?:_interpreter)?>|^\[PYTHON\]|'
    r'["\']name["\']\s*:\s*["\'][^"\'\n]*["\']\s*,\s*["\']'
    rf'(?:arguments["\']\s*:|parameters["\']\s*:\s*["\']?\{{\s*\\?["\'](?:{"|".join(KEYS)})\b)|'
    rf'to=[\w.]*{INTERPRETER}|{INTERPRETER}(?:\.\w+|:\d+)?["\']?\s*[({{]|'
    rf'(?:(?:name|action)["\']?\s*[:=]\s*["\']?|["\'](?:function|tool)["\']\s*:\s*["\'])(?:functions\.)?{INTERPRETER}|'
    rf'^{INTERPRETER}$',
    re.IGNORECASE | re.MULTILINE,
)
"""How calls begin in the texts of several models; visible only where the server does not parse them."""
DOES = re.compile(r'^(?:import |from |print\(|%%?[a-z]|![a-z])', re.MULTILINE)
"""A line of a program that is no answer."""
BARE_CALL = re.compile(r'\s*\{\s*"code"\s*:\s*"[^"\n]*"\s*\}\s*')
"""An object with code and nothing else, as prompts ask for it: a call even if the code may be a name, `df`."""


def has_code(text: str) -> bool:
    """Whether a text has code or a call in it; outputs that it shows are none."""
    if MARKUP.search(text) or _is_arguments(text) or _is_program(text):
        return True
    return any(map(_is_meant, blocks(text)))


def _is_arguments(text: str) -> bool:
    """Whether a text is the arguments of a call, whole or faulty; `{'code': 'A1', 'n': 3}` may be an answer."""
    if _is_call(text):
        return True
    return OBJECT.match(text) is not None and is_code(read_arguments(text).code or '')


def _is_call(text: str) -> bool:
    """Whether a text is a JSON object with a program, or with code and nothing else."""
    return BARE_CALL.fullmatch(text) is not None or is_code(json_code(text) or '')


def _is_program(text: str) -> bool:
    """Whether a text is code that imports or prints something, has a block, or takes several steps and computes.

    `accuracy = 0.95`, `np.sqrt(2)` and lines of values may be answers, and `if x: 3` on one line.
    """
    if DOES.search(text):
        return is_code(text)
    body = statements(text)
    compound = [one for one in body if hasattr(one, 'body')]
    if any(len(body) > 1 or one.body[0].lineno > one.lineno or computes(one) for one in compound):
        return True
    steps = [one for one in body if isinstance(one, ast.Assign | ast.AugAssign | ast.Expr)]
    return len(steps) > 1 and any(map(computes, steps))


def _is_meant(block: Block) -> bool:
    """Whether a fenced block is code, or a call, and not an output that is shown."""
    marked = block.language in PYTHON and block.code.strip() != ''
    return marked or (not block.language and is_code(block.code)) or _is_call(block.code)
