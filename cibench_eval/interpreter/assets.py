"""What a kernel environment has beside its packages, so that no code depends on the machine: fonts and NLTK data.

Everything stands in the environment's `share/cibench`. What cannot be had is a warning, never an error: all code
that does not use it still runs. The next build asks for it again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

from cibench_eval.files import write_whole
from cibench_eval.interpreter import nltk_data
from cibench_eval.interpreter.nltk_data import Run
from cibench_eval.packages import fetch_from_wheel
from cibench_eval.schema import CibenchError

Progress = Callable[[str], None]

FONTS = 'fonts'
FONT_PACKAGE = 'paperang-p2-fonts-cjk==0.1.0'
FONT_FILE = 'wqy-microhei.ttc'
FONT_SHA256 = '2420e8078af796b19a3f6ef13de527a1a91c1e7171eea115926c614ced1009b3'
SYSTEM_FONT = Path('/usr/share/fonts/truetype/wqy') / FONT_FILE
MATPLOTLIBRC = """\
font.family: sans-serif, DejaVu Sans, WenQuanYi Micro Hei
"""
"""Of each glyph, the first of these fonts that has it: what matplotlib would draw stays as it is, to the pixel.

Without DejaVu Sans, which is what it draws anyway, code that names a sans-serif font that is not there (as `SimHei`)
would have all its text in the Chinese font. No other setting: each would draw what other machines do not.
"""

_FONT_CACHE = """\
import os, sys
from pathlib import Path
import matplotlib
from matplotlib import font_manager
manager = font_manager.FontManager()
allowed = (Path(matplotlib.get_data_path()).resolve(), Path(sys.argv[1]).resolve())
def ours(entry):
    path = Path(matplotlib.get_data_path(), entry.fname).resolve()
    return any(folder in path.parents for folder in allowed)
manager.ttflist = list(filter(ours, manager.ttflist))
manager.afmlist = list(filter(ours, manager.afmlist))
for cache in Path(os.environ['MPLCONFIGDIR']).glob('fontlist-*.json'):
    font_manager.json_dump(manager, cache)
"""
"""Run in the environment: keep matplotlib's own fonts and ours, so that the machine's change no figure."""


def add_missing(share: Path, packages: Mapping[str, str], run: Run, progress: Progress) -> list[str]:
    """Add what the environment's packages have a use for and `share` lacks.

    Args:
        share: the environment's `share/cibench`.
        packages: its packages and their versions.
        run: runs code by its python.
        progress: called with one line for what is added, and one for what cannot be had.

    Returns:
        Names of all that is there now, sorted.

    Raises:
        CibenchError: the environment's matplotlib does not run.
    """
    if 'matplotlib' in packages:
        if not _has_fonts(share):
            _install_fonts(share, run, progress)
        _write_settings(share)
    if 'nltk' in packages:
        _install_nltk_data(nltk_folder(share), packages['nltk'], run, progress)
    return sorted(([FONTS] if _has_fonts(share) else []) + nltk_names(share))


def nltk_folder(share: Path) -> Path:
    """The folder for the variable NLTK_DATA, there or not."""
    return share / 'nltk_data'


def nltk_names(share: Path) -> list[str]:
    """NLTK's names of the data packages that are there, sorted."""
    return sorted(nltk_data.name_of(path.name) for path in nltk_folder(share).glob('[!.]*/*'))


def fonts_digest(share: Path) -> str:
    """12 hexadecimal digits of the fonts and of matplotlib's settings, `none` where there are no fonts."""
    fonts = sorted((share / 'fonts').glob('*'))
    digest = hashlib.sha256()
    for file in [*fonts, *filter(Path.exists, [_settings(share)])]:
        digest.update(file.name.encode() + b'\0' + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:12] if fonts else 'none'


def _install_nltk_data(folder: Path, version: str, run: Run, progress: Progress) -> None:
    for source in nltk_data.sources(version):
        if source.is_in(folder):
            continue
        progress(f'NLTK data: {source.names} from {source.origin}')
        try:
            nltk_data.install(source, folder, run)
        except CibenchError as error:
            progress(f'warning: no NLTK data {source.names}: {error}')


def _settings(share: Path) -> Path:
    return share / 'matplotlib' / 'matplotlibrc'


def _has_fonts(share: Path) -> bool:
    return (share / 'fonts' / FONT_FILE).exists() and _settings(share).exists()


def _write_settings(share: Path) -> None:
    """Have matplotlib's settings as they are now: those of an environment that was built before may be others.

    In one piece, for kernels copy them at any moment. Their being there says that the font cache is whole.
    """
    if not _settings(share).exists() or _settings(share).read_text() != MATPLOTLIBRC:
        write_whole(_settings(share), MATPLOTLIBRC)


def _install_fonts(share: Path, run: Run, progress: Progress) -> None:
    """Give the environment a Chinese font of its own, so that figures are the same on every machine."""
    fonts = share / 'fonts'
    for folder in (share / 'matplotlib', fonts):
        folder.mkdir(parents=True, exist_ok=True)
    if not _fetch_font(fonts / FONT_FILE):
        progress(f'warning: no Chinese font: neither {FONT_PACKAGE} (package index) nor {SYSTEM_FONT} could be had')
    cached = run(_FONT_CACHE, str(fonts))
    if cached.returncode:
        raise CibenchError(f'font cache of {share}: {(cached.stderr.splitlines() or ["no message"])[-1]}')


def _fetch_font(target: Path) -> bool:
    """Put the font at `target`, from the package index or else from the system; True where it is there."""
    try:
        data = fetch_from_wheel(FONT_PACKAGE, {FONT_FILE: FONT_SHA256})[FONT_FILE]
    except CibenchError:
        if not SYSTEM_FONT.is_file():
            return False
        data = SYSTEM_FONT.read_bytes()
    target.write_bytes(data)
    return True
