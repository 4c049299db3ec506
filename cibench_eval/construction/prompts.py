"""The texts of requests to models: Jinja2 files, which a user can replace one by one."""

import shutil
import traceback
from pathlib import Path
from typing import Any

import jinja2

from cibench_eval.schema import CibenchError

OWN = Path(__file__).with_name('prompts')


class Prompts:
    """The prompts of a folder, and our own for names that the folder lacks.

    The first line of a prompt lists its variables. A misspelt variable is an error, never an empty text.

    Raises:
        CibenchError: the folder is missing, or has a file that is no prompt.
    """

    def __init__(self, folder: Path | None = None) -> None:
        if folder is not None:
            _check_folder(folder)
        self._jinja = jinja2.Environment(
            loader=jinja2.FileSystemLoader([*([folder] if folder else []), OWN]),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,
        )

    def render(self, prompt: str, /, **values: Any) -> str:
        """A prompt with its variables filled in.

        Raises:
            CibenchError: the prompt is malformed, or has an unknown variable.
        """
        try:
            return self._jinja.get_template(f'{prompt}.j2').render(values).strip() + '\n'
        except jinja2.TemplateError as error:
            python = str(Path(jinja2.__file__).parent), __file__
            frames = [one for one in traceback.extract_tb(error.__traceback__) if not one.filename.startswith(python)]
            file = frames[-1].filename
            if isinstance(error, jinja2.TemplateSyntaxError):
                file = error.filename or error.name or file  # Jinja2's lexer gives the file as the name
            raise CibenchError(f'{file}, line {frames[-1].lineno}: {error}; correct the prompt') from error


def _check_folder(folder: Path) -> None:
    if not folder.is_dir():
        raise CibenchError(f'{folder}: no such folder; make one by: cibench construct prompts {folder}')
    known = {path.name for path in OWN.iterdir()}
    for path in folder.glob('*.j2'):
        if path.name not in known:
            raise CibenchError(f'{path}: no prompt has this name; there is {", ".join(sorted(known))}')


def copy_prompts(folder: Path) -> list[Path]:
    """Copy our own prompts into a folder, where a user can edit them.

    Raises:
        CibenchError: the folder has one of these files.
    """
    files = sorted(path for path in OWN.iterdir() if path.is_file())
    if there := [folder / file.name for file in files if (folder / file.name).exists()]:
        raise CibenchError(f'{there[0]}: there already; give another folder')
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        shutil.copyfile(file, folder / file.name)
    return [folder / file.name for file in files]
