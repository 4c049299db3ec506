"""The floors of `docs/architecture.md`: every import goes down, and no module is in a circle of imports."""

import ast
import re
from collections import Counter
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

import cibench_eval

PACKAGE = Path(cibench_eval.__file__).parent
FLOORS = (
    'commands',
    'viewer',
    'opencompass',
    'qwen_ci',
    'run',
    'config',
    'integrations',
    'cluster',
    'reports',
    'construction',
    'sets',
    'analysis',
    'evaluators',
    'agents',
    'models',
    'interpreter',
    'datasets',
    'ground',
)
"""From the top; a floor imports what stands below it. The ground is what stands in no folder."""
TOP = ('cli',)


def modules():
    for path in sorted(PACKAGE.rglob('*.py')):
        parts = path.relative_to(PACKAGE).parts
        if not {'sources', 'inside'} & set(parts):
            yield path


def name_of(path):
    parts = path.relative_to(PACKAGE).with_suffix('').parts
    return '.'.join(parts[:-1] if parts[-1] == '__init__' else parts)


NAMES = {name_of(path) for path in modules()}


class Import(NamedTuple):
    """An import statement: the names that it may bring in, where it stands, and whether it is for types alone."""

    modules: list[str]
    at_top: bool
    for_types: bool


@cache
def read(path):
    """The imports of a file, and the names of its classes."""
    tree = ast.parse(path.read_text(encoding='utf-8'))
    typed = [one for one in tree.body if isinstance(one, ast.If) and getattr(one.test, 'id', '') == 'TYPE_CHECKING']
    for_types = {id(node) for block in typed for node in ast.walk(block)}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = [node.module or '', *(f'{node.module}.{alias.name}' for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found.append(Import(names, node in tree.body, id(node) in for_types))
    return found, [node.name for node in tree.body if isinstance(node, ast.ClassDef)]


def imports_of(path, *, whole=True):
    """Modules of the package that a file imports; with `whole` also inside functions, never for types alone."""
    for modules, at_top, for_types in read(path)[0]:
        if not for_types and (whole or at_top) and modules[0].startswith('cibench_eval'):
            module, *inner = (name.removeprefix('cibench_eval').lstrip('.') for name in modules)
            yield from (name if name in NAMES else module for name in inner or [module])


def floor_of(module):
    first = module.partition('.')[0]
    return first if first in FLOORS else 'ground'


def test_imports_go_down():
    wrong = [
        f'{own} imports {module}'
        for path in modules()
        if (own := name_of(path)) and own not in TOP
        for module in imports_of(path)
        if module and FLOORS.index(floor_of(own)) > FLOORS.index(floor_of(module))
    ]
    assert wrong == []


def test_each_class_has_a_name_of_its_own():
    found = [name for path in modules() for name in read(path)[1]]
    assert len(found) > 300 and [name for name, times in Counter(found).items() if times > 1] == []


def test_evaluators_know_nothing_of_agents_and_models_are_for_judges():
    for path in modules():
        own = name_of(path)
        for module in imports_of(path):
            if floor_of(own) == 'evaluators':
                assert floor_of(module) != 'agents', own
                assert floor_of(module) != 'models' or own.startswith('evaluators.judges'), own


ALLOWED = {'opencompass': ('opencompass', 'mmengine')}
"""Floors, and what they import that no other floor does."""


def test_opencompass_is_imported_in_its_own_floor_alone():
    for path in modules():
        for names, *_ in read(path)[0]:
            foreign = {name.split('.')[0] for name in names} & {'opencompass', 'mmengine'}
            allowed = ALLOWED.get(floor_of(name_of(path)), ())
            assert foreign <= {*allowed}, f'{name_of(path)} imports {foreign}'


def test_no_module_is_in_a_circle():
    graph = {name_of(path): set(imports_of(path, whole=False)) - {name_of(path)} for path in modules()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(' -> '.join(error.args[1]))


def test_the_documentation_names_every_room_in_the_order_of_the_floors():
    text = (PACKAGE.parent / 'docs' / 'architecture.md').read_text(encoding='utf-8')
    rooms = [name for name in re.findall(r'^\| `([a-z_]+)/` \|', text, re.MULTILINE) if name in FLOORS]
    assert rooms == [floor for floor in FLOORS if floor != 'ground']
