"""Fonts and NLTK data of a kernel environment, in its `share/cibench`, so that code does not depend on the machine's.

Missing data is a warning and not an error, because code that does not use it still runs. The next build tries again.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from cibench_eval.environments import Progress, last_line
from cibench_eval.files import write_whole
from cibench_eval.interpreter import nltk_data
from cibench_eval.interpreter.nltk_data import Run
from cibench_eval.packages import fetch_from_wheel
from cibench_eval.schema import CibenchError

FONTS = 'fonts'
FONT_PACKAGE = 'paperang-p2-fonts-cjk==0.1.0'
FONT_FILE = 'wqy-microhei.ttc'
FONT_SHA256 = '2420e8078af796b19a3f6ef13de527a1a91c1e7171eea115926c614ced1009b3'
SYSTEM_FONT = Path('/usr/share/fonts/truetype/wqy') / FONT_FILE
MATPLOTLIBRC = """\
font.family: sans-serif, DejaVu Sans, WenQuanYi Micro Hei
"""
"""Each glyph comes from the first of these fonts that has it, so what matplotlib can draw stays the same to the pixel.

Without DejaVu Sans, matplotlib's own default, code that names a missing sans-serif font (such as `SimHei`) would draw
all text in the Chinese font. There is no other setting, because it would make figures differ from other machines.
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
"""Runs in the environment: removes the machine's fonts from matplotlib's font cache."""


def add_missing(share: Path, packages: Mapping[str, str], run: Run, progress: Progress) -> list[str]:
    """Add fonts and data that the environment's packages can use and `share` lacks.

    `progress` is called with one line for each addition, and one for each thing that is not available.

    Returns:
        Sorted names of everything that is there now.

    Raises:
        CibenchError: the environment's matplotlib does not run.
    """
    if 'matplotlib' in packages:
        if not _has_fonts(share):
            _install_fonts(share, run, progress)
        if not _settings(share).exists() or _settings(share).read_text() != MATPLOTLIBRC:
            write_whole(_settings(share), MATPLOTLIBRC)  # in one piece: kernels may copy it at any moment
    if 'nltk' in packages:
        for source in nltk_data.sources(packages['nltk']):
            if all((nltk_folder(share) / path).exists() for path in source.gives):
                continue
            progress(f'NLTK data: {source.names} from {source.origin}')
            try:
                nltk_data.install(source, nltk_folder(share), run)
            except CibenchError as error:
                progress(f'warning: no NLTK data {source.names}: {error}')
    return sorted(([FONTS] if _has_fonts(share) else []) + nltk_names(share))


def nltk_folder(share: Path) -> Path:
    """The folder for the variable NLTK_DATA, which need not exist."""
    return share / 'nltk_data'


def nltk_names(share: Path) -> list[str]:
    """Sorted NLTK names of the data packages that are there."""
    return sorted(path.stem for path in nltk_folder(share).glob('[!.]*/*'))


def fonts_digest(share: Path) -> str:
    """A digest of the fonts and of matplotlib's settings, 12 hexadecimal digits; `none` without fonts."""
    fonts = sorted((share / 'fonts').glob('*'))
    digest = hashlib.sha256()
    for file in [*fonts, *filter(Path.exists, [_settings(share)])]:
        digest.update(file.name.encode() + b'\0' + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:12] if fonts else 'none'


def _settings(share: Path) -> Path:
    return share / 'matplotlib' / 'matplotlibrc'


def _has_fonts(share: Path) -> bool:
    return (share / 'fonts' / FONT_FILE).exists() and _settings(share).exists()


def _install_fonts(share: Path, run: Run, progress: Progress) -> None:
    """Install a Chinese font in the environment, so that figures are the same on every machine."""
    fonts = share / 'fonts'
    for folder in (share / 'matplotlib', fonts):
        folder.mkdir(parents=True, exist_ok=True)
    if not _fetch_font(fonts / FONT_FILE):
        progress(f'warning: no Chinese font: neither {FONT_PACKAGE} (package index) nor {SYSTEM_FONT} could be had')
    cached = run(_FONT_CACHE, str(fonts))
    if cached.returncode:
        raise CibenchError(f'font cache of {share}: {last_line(cached.stderr)}')


def _fetch_font(target: Path) -> bool:
    """Put the font at `target`, from the package index or else from the system; False if neither has it."""
    try:
        data = fetch_from_wheel(FONT_PACKAGE, {FONT_FILE: FONT_SHA256})[FONT_FILE]
    except CibenchError:
        if not SYSTEM_FONT.is_file():
            return False
        data = SYSTEM_FONT.read_bytes()
    target.write_bytes(data)
    return True
