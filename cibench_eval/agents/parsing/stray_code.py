"""Code in a text that is not in the form that a protocol runs: a program, a fenced block, a call written as text.

A model that writes it meant it to run, where words alone would end the step.
"""

import ast
import re

from cibench_eval.agents.parsing.tool_arguments import OBJECT, read_arguments
from cibench_eval.fences import PYTHON, Block, blocks, is_code, json_code, statements
from cibench_eval.schema import INTERPRETER

MARKUP = re.compile(
    r'<[|｜\w:]{0,20}(?:tool|invoke|action|execute)|<function(?:[=_]| name=)|<[|｜]*(?:DSML|plugin|python_|channel)|'
    r'\[TOOL_CALLS\]|functools\[|✿FUNCTION✿|^<(?:code|python)\w*>|^\[PYTHON\]|'
    r'["\']name["\']\s*:\s*["\'][^"\'\n]*["\']\s*,\s*["\'](?:arguments|parameters)["\']\s*:|'
    rf'to=[\w.]*{INTERPRETER}|{INTERPRETER}(?:\.\w+|:\d+)?["\']?\s*[({{]|'
    rf'(?:(?:name|action)["\']?\s*[:=]\s*["\']?|["\'](?:function|tool)["\']\s*:\s*["\'])(?:functions\.)?{INTERPRETER}|'
    rf'^{INTERPRETER}$',
    re.IGNORECASE | re.MULTILINE,
)
"""How calls begin in the texts of several models; visible only where the server does not parse them."""
DOES = re.compile(r'^(?:import |from |print\(|[%!])', re.MULTILINE)
"""A line of a program that is no answer."""


def has_code(text: str) -> bool:
    """Whether a text has code or a call in it; outputs that it shows are none."""
    if MARKUP.search(text) or _is_arguments(text) or _is_program(text):
        return True
    return any(map(_is_meant, blocks(text)))


def _is_arguments(text: str) -> bool:
    """Whether a text is the arguments of a call, whole or faulty; `{'code': 'A1', 'n': 3}` may be an answer."""
    if json_code(text) is not None:
        return True
    return OBJECT.match(text) is not None and is_code(read_arguments(text).code or '')


def _is_program(text: str) -> bool:
    """Whether a text is code that imports or prints something, has a block, or takes several steps, one of them a call.

    `accuracy = 0.95` and `np.sqrt(2)` may be answers.
    """
    if DOES.search(text):
        return is_code(text)
    body = statements(text)
    if any(hasattr(one, 'body') for one in body):
        return True
    steps = [one for one in body if isinstance(one, ast.Assign | ast.AugAssign | ast.Expr)]
    return len(steps) > 1 and any(isinstance(node, ast.Call | ast.Subscript) for one in steps for node in ast.walk(one))


def _is_meant(block: Block) -> bool:
    """Whether a fenced block is code, or a call, and not an output that is shown."""
    return block.language in PYTHON or (not block.language and is_code(block.code)) or json_code(block.code) is not None
