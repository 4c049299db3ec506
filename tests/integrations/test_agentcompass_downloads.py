"""AgentCompass's files: what a hostile kernel sends as a folder writes nothing outside of it, and no more than it may.

The functions are taken out of their module alone, as kernels get them: no package of AgentCompass's is needed.
"""

import ast
import base64
import gzip
import io
import shutil
import tarfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

MODULE = Path(find_spec('cibench_eval').submodule_search_locations[0], 'integrations/agentcompass_environment.py')
MOST = 2**20


FOUND = {'Iterator': Iterator}
for one in ast.parse(MODULE.read_text()).body:
    if isinstance(one, ast.FunctionDef) and one.name in ('pack', 'unpack'):
        exec(compile(f'from __future__ import annotations\n{ast.unparse(one)}', str(MODULE), 'exec'), FOUND)
pack, unpack = FOUND['pack'], FOUND['unpack']


def packed(*members, form=tarfile.PAX_FORMAT):
    """An archive with members: each a name and its content, a link's target in a list, or more fields."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode='w:gz', format=form) as archive:
        for name, what in members:
            one = tarfile.TarInfo(f'content/{name}'.rstrip('/'))
            one.mode = 0o755
            if isinstance(what, bytes):
                one.size = len(what)
            else:
                for field, value in what.items():
                    setattr(one, field, value)
            archive.addfile(one, io.BytesIO(what) if isinstance(what, bytes) else None)
    return base64.b64encode(content.getvalue()).decode()


def link(to, kind=tarfile.SYMTYPE):
    return {'type': kind, 'linkname': to}


FOLDER = {'type': tarfile.DIRTYPE}


def test_folders_come_as_they_are(tmp_path):
    (tmp_path / 'up/empty').mkdir(parents=True)
    (tmp_path / 'up/data.bin').write_bytes(bytes(range(256)) * 1000)
    (tmp_path / 'up/same.bin').hardlink_to(tmp_path / 'up/data.bin')
    for most in (None, MOST):
        unpack(pack(str(tmp_path / 'up')), str(tmp_path / f'down-{most}'), most)
        assert (tmp_path / f'down-{most}/data.bin').read_bytes() == (tmp_path / 'up/data.bin').read_bytes()
        assert (tmp_path / f'down-{most}/empty').is_dir()
        assert (tmp_path / f'down-{most}/same.bin').stat().st_size == 256_000
    unpack(pack(str(tmp_path / 'up/data.bin')), str(tmp_path / 'deep/er.bin'), MOST)
    assert (tmp_path / 'deep/er.bin').stat().st_size == 256_000


def test_links_of_ones_own_are_kept(tmp_path):
    (tmp_path / 'up').mkdir()
    (tmp_path / 'up/a.txt').write_text('a')
    (tmp_path / 'up/b.txt').symlink_to('a.txt')
    unpack(pack(str(tmp_path / 'up')), str(tmp_path / 'down'))
    assert (tmp_path / 'down/b.txt').readlink() == Path('a.txt')


REFUSED = {
    'a link beside the folder': [('', FOLDER), ('x', link('../gold'))],
    'a link inside': [('', FOLDER), ('a', b'a'), ('x', link('a'))],
    'a hard link': [('', FOLDER), ('a', b'a'), ('x', link('content/a', tarfile.LNKTYPE))],
    'a link in place of the folder': [('', link('../gold/answer.txt'))],
    'a pipe': [('', FOLDER), ('x', {'type': tarfile.FIFOTYPE})],
    'a device': [('', FOLDER), ('x', {'type': tarfile.CHRTYPE, 'devmajor': 1, 'devminor': 3})],
    'a name that leads out': [('', FOLDER), ('../../x', b'x')],
    'another kind': [('', FOLDER), ('x', {'type': b'Z', 'size': 0})],
    'holes': [('', FOLDER), ('x', {'pax_headers': {'GNU.sparse.map': '0,0', 'GNU.sparse.size': str(2**40)}})],
    'a file that is too large': [('', bytes(2 * MOST))],
    'files that are too large together': [('', FOLDER), *((f'{number}', bytes(MOST // 8)) for number in range(9))],
    'folders that only a name has': [('', FOLDER), (f'{"a/" * 100}x', b'')],
    'too many files': [('', FOLDER), *((f'{number}', b'') for number in range(MOST // 4096))],
    'a header that is too large': [('', {'pax_headers': {'comment': 'x' * 2 * MOST}})],
}


@pytest.mark.parametrize('members', REFUSED.values(), ids=REFUSED)
def test_what_is_no_file_or_folder_or_too_much_is_refused(tmp_path, members):
    (tmp_path / 'gold').mkdir()
    (tmp_path / 'gold/answer.txt').write_text('gold')
    with pytest.raises(tarfile.TarError):
        unpack(packed(*members), str(tmp_path / 'down'), MOST)
    assert [path.name for path in tmp_path.iterdir()] == ['gold']


def test_a_bomb_is_not_unpacked(tmp_path, monkeypatch):
    """No more is written, even for a while, than is allowed."""
    monkeypatch.setattr('tempfile.tempdir', str(tmp_path))
    written, removed = [], shutil.rmtree

    def remove(folder, *args, **options):
        written.append(sum(one.stat().st_size for one in Path(folder).rglob('*') if one.is_file()))
        removed(folder, *args, **options)

    monkeypatch.setattr('shutil.rmtree', remove)
    with pytest.raises(tarfile.TarError, match='more than'):
        unpack(packed(('', bytes(100 * MOST))), str(tmp_path / 'down'), MOST)
    assert written and max(written) <= MOST


@pytest.mark.parametrize(
    'content',
    [b'', b'no archive', gzip.compress(b'x' * 600), gzip.compress(b'x' * 600)[:-9]],
    ids=['nothing', 'words', 'no files', 'cut off'],  # gzip writes down the time
)
def test_what_is_no_archive_is_refused(tmp_path, content):
    with pytest.raises((tarfile.TarError, OSError, EOFError)):
        unpack(base64.b64encode(content).decode(), str(tmp_path / 'down'), MOST)
