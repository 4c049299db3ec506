"""Values that the gold code fixes and no question gives: they make a step ambiguous.

The paper's rule (arXiv 2407.10499, figure 3) is that a step has "exact parameter names and values to instruct".
"""

import ast
import re
from collections.abc import Iterator, Sequence

from cibench_eval.evaluators.failures.code_facts import called, parse
from cibench_eval.schema import StepKind

LOOKS = re.compile(
    'alpha|aspect|axis|borderaxespad|capsize|cols|dpi|edgewidth|fontsize|height|hspace|indent|labelpad|labelsize|'
    'linewidths?|lw|markersize|ms|n_jobs|ncols?|nrows|pad|padding|rotation|rows|s|shade|size|top|verbose|verbosity|'
    'width|wspace|zorder'
)
"""Keywords that change looks or speed, and no value that is compared."""
COUNTED = re.compile(
    'default_rng|head|manual_seed|nlargest|nsmallest|percentile|quantile|rolling|sample|seed|set_seed|shift|tail'
)
"""Functions whose first argument, if it is a number, changes the result."""
ROUNDED = re.compile(
    'round|decimal|digit|place|precision|significant|whole number|integer|小数|保留|四舍五入|取整', re.IGNORECASE
)
FIXED_POINT = re.compile(r'\.\d+[fe%]')
NUMBER = re.compile(r'(?<![\w.])-?\d+(?:,\d{3})+(?:\.\d+)?|(?<![A-Za-z_\d.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?')
WORDS = {
    0: 'zero|零', 1: 'one|first|single|once|daily|一|首', 2: 'two|second|both|twice|pairs?|二|两', 3: 'three|third|三',
    4: 'four|fourth|quarterly|四', 5: 'five|fifth|五', 6: 'six|六', 7: 'seven|weekly|week|七|周', 8: 'eight|八',
    9: 'nine|九', 10: 'ten|十', 12: 'twelve|yearly|十二', 0.5: 'half|median|半|中位', 0.25: 'quarter|first quartile',
    0.75: 'third quartile',
}  # fmt: skip


def underspecified(steps: Sequence[tuple[StepKind, str, str]]) -> Iterator[tuple[int, str]]:
    """Index of a step, and a value in its gold code that no question up to this step gives.

    Args:
        steps: kind, question and gold code of each step. Code that is no Python decides nothing.
    """
    said = ''
    for index, (kind, question, code) in enumerate(steps):
        said += f'\n{question}'
        if (tree := parse(code)) is None:
            continue
        for name, value in _decided(tree):
            if not _is_said(value, said):
                yield index, f'the code has `{name}`, and no question so far says {value:g}'
        if kind == 'num' and _rounds(tree) and not ROUNDED.search(question):
            yield index, 'the code rounds what it prints, and the question does not say how'


def _decided(tree: ast.AST) -> Iterator[tuple[str, float]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        for keyword in node.keywords:
            value = _number(keyword.value)
            if keyword.arg and value is not None and not LOOKS.fullmatch(keyword.arg):
                yield f'{keyword.arg}={value:g}', value
        if COUNTED.fullmatch(name := called(node)) and node.args and (value := _number(node.args[0])) is not None:
            yield f'{name}({value:g})', value


def _number(node: ast.AST) -> float | None:
    sign = 1
    while isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        sign, node = -sign, node.operand
    given = node.value if isinstance(node, ast.Constant) else None
    if isinstance(given, int | float) and not isinstance(given, bool) and given < 1e300:
        return sign * float(given)
    return None


def _is_said(value: float, said: str) -> bool:
    numbers = {float(found.replace(',', '')) for found in NUMBER.findall(said)}
    wanted = {value, abs(value), value * 100}
    if any(abs(number - one) <= 1e-9 * max(1, abs(one)) for number in numbers for one in wanted):
        return True
    word = WORDS.get(abs(value))
    return word is not None and bool(re.search(rf'(?<![a-z])(?:{word})(?![a-z])', said, re.IGNORECASE))


def _rounds(tree: ast.AST) -> bool:
    nodes = list(ast.walk(tree))
    formats = (node.format_spec for node in nodes if isinstance(node, ast.FormattedValue) and node.format_spec)
    texts = (part.value for one in formats for part in ast.walk(one) if isinstance(part, ast.Constant))
    return any(isinstance(node, ast.Call) and called(node) in ('round', 'around') for node in nodes) or any(
        FIXED_POINT.search(str(text)) for text in texts
    )
