"""Declarations of answers: which variables hold the answer of a step, and what kind of value is in each.

A declaration is written as annotations of Python are: `rows: count; mean: real(2)`. A type without a name is the
type of `answer`. The types are the kinds of `schema.Answer`:

    count   real   real(3)   real(unit='km', absolute=0.5)   probability   date   text   model
    [count, real(2)]          a list of these values
    list[text]   set[text]    values of one kind, in their order or in any
    table[real(2)]            values by name: a dictionary, a Series
    table                     a DataFrame, with rows in any order
    array[real]               numbers in a shape
"""

import ast
from typing import Any, get_args

from pydantic import ValidationError

from cibench_eval.schema import Answer, AnswerKind, Language, problem

NAME = 'answer'
"""The variable of a declaration that names none."""
EXAMPLE = 'such as "[count, real(2)]" or "rows: count; names: list[text]"'
KINDS: tuple[str, ...] = get_args(AnswerKind)
CONTAINERS = ('list', 'set', 'table', 'array')


def read_declaration(text: str) -> dict[str, Answer]:
    """The variables of a declaration, each with what it holds.

    Raises:
        ValueError: it is no declaration; the message says what is wrong with it.
    """
    found: dict[str, Answer] = {}
    for part in filter(None, map(str.strip, text.split(';'))):
        name, colon, form = part.partition(':')
        name, form = (name.strip(), form) if colon else (NAME, part)
        if not name.isidentifier() or name in found:
            raise ValueError(f'{name!r} is no name of a variable, or stands twice')
        try:
            found[name] = _read(ast.parse(form.strip(), mode='eval').body)
        except SyntaxError as error:
            raise ValueError(f'{form.strip()!r} is no type') from error
        except ValidationError as error:
            raise ValueError(f'{form.strip()!r}: {problem(error)}') from error
    if not found:
        raise ValueError('it names no variable')
    return found


def _read(node: ast.expr) -> Answer:
    if isinstance(node, ast.List):
        return Answer(kind='list', of=[_read(part) for part in node.elts])
    if isinstance(node, ast.Subscript):
        outer = _read(node.value)
        if outer.kind not in CONTAINERS:
            raise ValueError(f'{ast.unparse(node)}: {outer.kind} holds no other values')
        return outer.model_copy(update={'of': [_read(node.slice)]})
    if isinstance(node, ast.Call):
        return _with_options(_read(node.func), node)
    if isinstance(node, ast.Name) and node.id in KINDS:
        return Answer.model_validate({'kind': node.id})
    raise ValueError(f'{ast.unparse(node)!r} is no kind; there is {", ".join(KINDS)}')


def _with_options(answer: Answer, node: ast.Call) -> Answer:
    """A type with what stands in parentheses after it: decimals, or options by name."""
    try:
        given: list[Any] = [ast.literal_eval(part) for part in node.args]
        options = {word.arg: ast.literal_eval(word.value) for word in node.keywords}
    except ValueError as error:
        raise ValueError(f'{ast.unparse(node)}: options are plain numbers and strings') from error
    if given and (answer.kind != 'real' or len(given) > 1):
        raise ValueError(f'{ast.unparse(node)}: {answer.kind} has no such option')
    if given:
        options['decimals'] = given[0]
    return Answer.model_validate({**answer.model_dump(), **options})


def write_declaration(answers: dict[str, Answer]) -> str:
    """The text of a declaration, which `read_declaration` reads."""
    return '; '.join(f'{name}: {_written(answer)}' for name, answer in answers.items())


def _written(answer: Answer) -> str:
    if answer.kind == 'list' and len(answer.of) > 1:
        return f'[{", ".join(map(_written, answer.of))}]'
    named = {'relative': answer.relative, 'absolute': answer.absolute, 'unit': answer.unit or None}
    options = [] if answer.decimals is None else [str(answer.decimals)]
    options += [f'{name}={value!r}' for name, value in named.items() if value is not None]
    given = f'({", ".join(options)})' if options else ''
    return f'{answer.kind}{given}' + (f'[{_written(answer.of[0])}]' if answer.of else '')


FORMS: dict[str, dict[Language, str]] = {
    'count': {'en': 'a whole number', 'cn': '整数'},
    'real': {'en': 'a number', 'cn': '数'},
    'probability': {'en': 'a number from 0 to 1', 'cn': '0 到 1 之间的数'},
    'date': {'en': 'a date', 'cn': '日期'},
    'text': {'en': 'a text', 'cn': '文本'},
    'model': {'en': 'a model', 'cn': '模型'},
    'row': {'en': 'a list of these {count} values in this order', 'cn': '由这 {count} 个值按此顺序组成的列表'},
    'rows': {'en': 'a list with one list for each line', 'cn': '列表，每行为其中一个列表'},
    'list': {'en': 'a list in this order', 'cn': '按此顺序排列的列表'},
    'set': {'en': 'a set or a list in any order', 'cn': '集合或列表，顺序不限'},
    'table': {'en': 'a dictionary from names to values', 'cn': '由名称到值的字典'},
    'frame': {'en': 'a DataFrame', 'cn': 'DataFrame'},
    'array': {'en': 'an array', 'cn': '数组'},
}
if missing := {*KINDS} - FORMS.keys():
    raise TypeError(f'FORMS lacks the kinds {sorted(missing)}')


def sentence(answers: dict[str, Answer], language: Language) -> str:
    """The sentence of a question that says in which variables its answer is wanted, and in which form."""
    parts = [(f'`{name}`', _form(answer, language)) for name, answer in answers.items()]
    if language == 'cn':
        return f'将答案存入{"、".join(f"变量 {name}（{form}）" for name, form in parts)}。'
    said = [f'{name} ({form})' for name, form in parts]
    places = ' and '.join(filter(None, [', '.join(said[:-1]), said[-1]]))
    return f'Leave the answer in the variable{"s" if len(said) > 1 else ""} {places}.'


def _form(answer: Answer, language: Language) -> str:
    form: str = answer.kind
    if form == 'list' and len(answer.of) > 1:
        form = 'row'
    elif form == 'list' and answer.of and answer.of[0].kind == 'list':
        form = 'rows'
    elif form == 'table' and not answer.of:
        form = 'frame'
    words = FORMS[form][language].format(count=len(answer.of))
    comma, exact = ('，', '四舍五入与否均可') if language == 'cn' else (', ', 'rounded or not')
    return comma.join(filter(None, [words, answer.unit, exact if _rounded(answer) else '']))


def _rounded(answer: Answer) -> bool:
    """Whether it has numbers of which the question asks for some decimals, or digits."""
    return answer.decimals is not None or answer.relative is not None or any(map(_rounded, answer.of))
