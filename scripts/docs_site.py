"""What `mkdocs` adds to the pages in `docs/`: README, CONTRIBUTING and CHANGELOG, the help of every command, the API.

mkdocs calls the functions by their names (https://www.mkdocs.org/user-guide/configuration/#hooks).
"""

from __future__ import annotations

import ast
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from mkdocs.structure.files import File, Files

from cibench_eval.cli import COMMANDS
from cibench_eval.cli import app as cibench

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / 'cibench_eval'
PAGES = {'index.md': 'README.md', 'contributing.md': 'CONTRIBUTING.md', 'changelog.md': 'CHANGELOG.md'}
"""Pages that stand outside of `docs/`, and their files."""
ROOMS = ('interpreter', 'agents', 'models', 'datasets', 'evaluators', 'analysis', 'reports', 'sets', 'opencompass')
LINK = re.compile(r'\]\((?!\w+:|#)([^)\s]+)\)')


def on_pre_build(config: Any) -> None:
    """Leave out what griffe says of records: it looks for the types of their fields in an `__init__` of their own."""
    for handler in logging.getLogger('mkdocs').handlers:
        handler.addFilter(lambda record: 'No type or annotation for parameter' not in record.getMessage())


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are made of other files."""
    pages = {page: (ROOT / file).read_text(encoding='utf-8') for page, file in PAGES.items()}
    pages['commands.md'] = '\n'.join(_commands())
    pages |= {f'api/{room}.md': '\n'.join(_reference(room)) for room in (*ROOMS, 'schema')}
    pages['api/index.md'] = '# API\n\n' + '\n'.join(f'- [{room}]({room}.md)' for room in ('schema', *ROOMS)) + '\n'
    for page, text in pages.items():
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Let links lead to pages of the site. What is none there stays as text."""
    source = PAGES.get(page.file.src_uri, f'docs/{page.file.src_uri}')

    def linked(found: re.Match[str]) -> str:
        target, _, anchor = found[1].partition('#')
        place = (ROOT / source).parent / target
        name = place.resolve().relative_to(ROOT).as_posix() if target else ''
        known = {file: page for page, file in PAGES.items()}
        uri = known.get(name, name.removeprefix('docs/') if name.startswith('docs/') else '')
        if name.startswith('cibench_eval/') and name.endswith('.py'):
            parts = Path(name).with_suffix('').parts
            uri, anchor = f'api/{parts[1]}.md', '.'.join(parts)
        if uri and files.get_file_from_path(uri):
            return f']({uri}{"#" if anchor else ""}{anchor})'
        return ']()'

    text = markdown if page.file.src_uri.startswith('api/') else LINK.sub(linked, markdown)
    return re.sub(r'\[([^\]]*)\]\(\)', r'\1', text)


def _commands() -> Iterator[str]:
    """The help of every command, as `--help` prints it."""
    yield '# Commands\n\n`cibench` is what is around running experiments; `run.py` runs them ([running](running.md)).\n'
    group = typer.main.get_command(cibench)
    for name in COMMANDS:
        yield from _help(group, ['cibench'], name)


def _help(group: Any, path: list[str], name: str) -> Iterator[str]:
    context = typer.Context(group, info_name=path[-1])
    command = group.get_command(context, name)
    words = [*path, name]
    own = typer.Context(command, info_name=' '.join(words))
    yield f'{"#" * len(words)} {" ".join(words)}\n\n```\n{command.get_help(own).strip()}\n```\n'
    for inner in command.list_commands(own) if hasattr(command, 'list_commands') else ():
        yield from _help(command, words, inner)


def _reference(room: str) -> Iterator[str]:
    """A directive of mkdocstrings for each module of a room that has a public name with a docstring."""
    yield f'# {room}\n'
    files = sorted((PACKAGE / room).rglob('*.py')) if (PACKAGE / room).is_dir() else [PACKAGE / f'{room}.py']
    for file in files:
        in_package = all(
            (above / '__init__.py').exists() for above in file.parents if PACKAGE in (above, *above.parents)
        )
        if in_package and 'inside' not in file.parts and file.name != '__init__.py' and _is_public(file):
            yield f'::: {".".join(file.relative_to(ROOT).with_suffix("").parts)}\n'


def _is_public(file: Path) -> bool:
    nodes = ast.parse(file.read_text(encoding='utf-8')).body
    return any(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not node.name.startswith('_')
        and ast.get_docstring(node)
        for node in nodes
    )
