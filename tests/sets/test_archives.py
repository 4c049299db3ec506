"""Sets come into `data/` by `fetch` and `add`, are recorded once, and later have to be what they were."""

import hashlib
import io
import json
import socket
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from cibench_eval.schema import CibenchError
from cibench_eval.sets.archives.published import ARCHIVES
from cibench_eval.sets.archives.store import Store
from tests.support.file_server import FileServer, cut_off
from tests.support.notebooks import experiment

ROOT = Path(__file__).parents[2]
RECORDS = '.archives.json'
NOTEBOOK = json.dumps(experiment('a'))
CIBENCH = {
    'cibench_dataset/cibench_template/pandas/a.ipynb': NOTEBOOK,
    'cibench_dataset/datasources/data/rain.csv': 'mm\n1\n',
}
GSM8K = {'gsm8k/test.jsonl': '{"question": "1 + 1?", "answer": "#### 2"}\n', 'gsm8k/train.jsonl': '{}\n'}
QWEN = {
    'eval_code_interpreter_v1.jsonl': '{"query": "Draw.", "lang": "en", "tags": ["visualization"]}\n',
    'upload_file_clean/a.csv': 'x\n',
}


def packed(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, 'w', zipfile.ZIP_DEFLATED) as opened:
        for name, content in files.items():
            opened.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()


def written(folder, files):
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    return folder


def changed(files, word='other'):
    return {name: content + word for name, content in files.items()}


def tree(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob('*') if path.is_file())


@pytest.fixture
def server(monkeypatch):
    for name in ('HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'):
        monkeypatch.delenv(name, raising=False)
    with FileServer().running() as running:
        running.files['/cibench_dataset.zip'] = packed(CIBENCH)
        yield running


@pytest.fixture
def lines():
    return []


@pytest.fixture
def store(tmp_path, lines, monkeypatch):
    monkeypatch.setattr('cibench_eval.sets.archives.fetching.sleep', lambda seconds: None)
    monkeypatch.setattr('cibench_eval.sets.archives.fetching.TRIES', 2)
    return Store(tmp_path / 'data', lines.append)


def refused(match):
    return pytest.raises(CibenchError, match=match)


def test_fetch_unpacks_records_and_leaves_nothing_else(server, store, lines):
    folder = store.fetch('cibench', mirror=server.url)
    assert folder == store.root / 'cibench_dataset'
    assert tree(folder) == sorted(name.removeprefix('cibench_dataset/') for name in CIBENCH)
    assert sorted(path.name for path in store.root.iterdir()) == ['.archives.json', '.archives.json.lock', folder.name]
    body = server.files['/cibench_dataset.zip']
    record = json.loads((store.root / RECORDS).read_text())['cibench']
    assert record['sha256'] == hashlib.sha256(body).hexdigest()
    assert record['size'] == len(body)
    assert record['url'] == f'{server.url}/cibench_dataset.zip'
    assert record['files']['datasources/data/rain.csv'] == hashlib.sha256(b'mm\n1\n').hexdigest()
    assert any(record['sha256'] in line for line in lines)


def test_fetch_goes_on_after_it_was_cut_off(server, store):
    server.faults = [cut_off(100), 503]
    with refused('the 100 bytes that came are kept'):
        store.fetch('cibench', mirror=server.url)
    assert not (store.root / 'cibench_dataset').exists()
    store.fetch('cibench', mirror=server.url)
    assert server.requests[-1][1]['Range'] == 'bytes=100-'


def test_same_content_from_elsewhere_is_the_same_set(server, store):
    """Another address, and packed another way: what counts is the files."""
    store.fetch('cibench', mirror=server.url)
    before = (store.root / RECORDS).read_text()
    (store.root / 'cibench_dataset').rename(store.root.parent / 'away')
    server.files['/again.zip'] = packed(dict(reversed(CIBENCH.items())))
    store.fetch('cibench', url=f'{server.url}/again.zip')
    assert (store.root / RECORDS).read_text() == before
    assert (store.root / 'cibench_dataset').is_dir()


def test_other_content_is_refused_with_both_hashes_and_leaves_nothing(server, store):
    store.fetch('cibench', mirror=server.url)
    (store.root / 'cibench_dataset').rename(store.root.parent / 'away')
    old, new = server.files['/cibench_dataset.zip'], packed(changed(CIBENCH))
    server.files['/cibench_dataset.zip'], server.tag = new, '"two"'
    with pytest.raises(CibenchError) as error:
        store.fetch('cibench', mirror=server.url)
    assert hashlib.sha256(old).hexdigest() in str(error.value)
    assert hashlib.sha256(new).hexdigest() in str(error.value)
    assert '--accept-new' in str(error.value)
    assert tree(store.root) == [RECORDS, f'{RECORDS}.lock']


def test_other_content_is_taken_if_asked_for_and_the_old_is_kept(server, store, lines):
    store.fetch('cibench', mirror=server.url)
    (store.root / 'cibench_dataset' / 'mine.txt').write_text('mine')
    server.files['/cibench_dataset.zip'] = packed(changed(CIBENCH))
    store.accept_new = True
    folder = store.fetch('cibench', mirror=server.url)
    assert (folder / 'datasources/data/rain.csv').read_text() == 'mm\n1\nother'
    assert (store.root / 'cibench_dataset.old1' / 'mine.txt').read_text() == 'mine'
    assert any('cibench_dataset.old1' in line for line in lines)
    store.accept_new = False
    server.requests.clear()
    store.fetch('cibench', mirror=server.url)
    assert server.requests == []


@pytest.mark.parametrize('spoil', [lambda path: path.unlink(), lambda path: path.write_text('9')])
def test_damage_is_noticed_and_mended(server, store, lines, spoil):
    folder = store.fetch('cibench', mirror=server.url)
    (folder / 'notes.txt').write_text('a file of my own is no damage')
    rain = folder / 'datasources' / 'data' / 'rain.csv'
    spoil(rain)
    assert store.damage(store.records()['cibench']) == ['datasources/data/rain.csv']
    store.fetch('cibench', mirror=server.url)
    assert rain.read_text() == 'mm\n1\n'
    assert any('1 of 2 files changed or missing, as datasources/data/rain.csv' in line for line in lines)
    assert (store.root / 'cibench_dataset.old1' / 'notes.txt').exists()


def test_folder_that_is_not_recorded_is_not_touched(server, store):
    mine = written(store.root, {'cibench_dataset/mine.txt': 'mine'}) / 'cibench_dataset'
    with refused('cibench data add'):
        store.fetch('cibench', mirror=server.url)
    assert server.requests == []
    assert tree(mine) == ['mine.txt']


def test_no_archive_no_set(server, store):
    server.files['/cibench_dataset.zip'] = b'<!DOCTYPE html>'
    with refused('no sound zip archive'):
        store.fetch('cibench', mirror=server.url)
    server.files['/cibench_dataset.zip'] = packed({'README.md': 'hello'})
    with refused(r'not the layout of cibench: cibench_generation/'):
        store.fetch('cibench', mirror=server.url)
    assert tree(store.root) == ['.archives.json.lock']
    server.files['/cibench_dataset.zip'] = packed(CIBENCH)
    store.fetch('cibench', mirror=server.url)


def test_what_cannot_be_fetched_names_the_other_ways(server, store):
    del server.files['/cibench_dataset.zip']
    with refused(r'cibench_dataset\.zip: .*404.*; no way to it from here\? cibench data add FILE, or --mirror'):
        store.fetch('cibench', mirror=server.url)


def test_published_digests_hold_for_mirrors_and_further_sources_are_tried(server, store, lines):
    server.files['/gsm8k.zip'] = packed(GSM8K)
    server.files['/test.jsonl'] = GSM8K['gsm8k/test.jsonl'].encode()
    with refused(r'test\.jsonl: sha256 \w+, but 3730d312\w+ is published'):
        store.fetch('gsm8k', mirror=server.url)
    assert [path for path, _ in server.requests] == ['/gsm8k.zip', '/test.jsonl']
    assert any('md5' in line and '901e5dc93a2889789a469da9850cdca8' in line for line in lines)
    assert not (store.root / 'gsm8k').exists()


@pytest.fixture
def two_hosts(server, monkeypatch):
    """GSM8K's two addresses, on loopback, with the digests of what is there."""
    rows = GSM8K['gsm8k/test.jsonl'].encode()
    server.files |= {'/gsm8k.zip': packed(GSM8K), '/test.jsonl': rows}
    whole = hashlib.md5(server.files['/gsm8k.zip']).hexdigest()
    digests = (f'md5:{whole}', f'sha256:{hashlib.sha256(rows).hexdigest()}')
    archive = ARCHIVES['gsm8k']
    sources = [
        replace(source, url=f'{server.url}/{source.file}', digest=digest)
        for source, digest in zip(archive.sources, digests, strict=True)
    ]
    monkeypatch.setitem(ARCHIVES, 'gsm8k', replace(archive, sources=tuple(sources)))
    return server


def test_second_host_mends_what_the_first_has_brought(two_hosts, store):
    """The second has one file of the archive: what both have must be the same, and what is there is recorded."""
    folder = store.fetch('gsm8k')
    (folder / 'test.jsonl').write_text('damaged')
    whole = two_hosts.files.pop('/gsm8k.zip')
    assert tree(store.fetch('gsm8k')) == ['test.jsonl']
    assert (folder / 'test.jsonl').read_text() == GSM8K['gsm8k/test.jsonl']
    assert store.damage(store.records()['gsm8k']) == []
    (folder / 'test.jsonl').write_text('damaged')
    two_hosts.files['/gsm8k.zip'] = whole
    assert tree(store.fetch('gsm8k')) == ['test.jsonl', 'train.jsonl']


def test_second_host_with_other_rows_is_refused(two_hosts, store):
    folder = store.fetch('gsm8k')
    (folder / 'test.jsonl').write_text('damaged')
    other = GSM8K['gsm8k/test.jsonl'].replace('2', '3')
    two_hosts.files |= {'/other.jsonl': other.encode()}
    with refused('--accept-new'):
        store.fetch('gsm8k', url=f'{two_hosts.url}/other.jsonl')


def test_part_of_what_is_there_changes_nothing(tmp_path, two_hosts, store, lines):
    folder = store.fetch('gsm8k')
    before = (store.root / RECORDS).read_text()
    assert store.add(written(tmp_path / 'given', {'test.jsonl': GSM8K['gsm8k/test.jsonl']})) == folder
    assert 'is there and intact' in lines[-1]
    assert tree(folder) == ['test.jsonl', 'train.jsonl']
    assert (store.root / RECORDS).read_text() == before


def test_other_sets_may_not_lose_a_file(tmp_path, store):
    files = {'hard/pandas/a.ipynb': NOTEBOOK, 'hard/pandas/b.ipynb': NOTEBOOK}
    store.add(written(tmp_path / 'given', files), 'mine')
    (tmp_path / 'given' / 'hard/pandas/b.ipynb').unlink()
    with refused('--accept-new'):
        store.add(tmp_path / 'given', 'mine')


def test_no_other_host_is_asked_after_a_fault_of_this_machine(two_hosts, store):
    (store.root / '.downloads' / 'gsm8k-gsm8k.zip.part').mkdir(parents=True)
    with refused('cannot be written'):
        store.fetch('gsm8k')
    assert [path for path, _ in two_hosts.requests] == ['/gsm8k.zip']


def test_credentials_are_neither_said_nor_recorded(server, store, lines):
    address = server.url.replace('http://', 'http://me:password@')
    for path in ('/gone.zip?key=secret', '/gsm8k.zip?key=secret'):
        server.files['/gsm8k.zip?key=secret'] = packed(GSM8K)
        with pytest.raises(CibenchError) as error:
            store.fetch('gsm8k', mirror=address + path.replace('?', '/{url}?') if 'gone' in path else address + path)
        lines.append(str(error.value))
    server.files['/cibench_dataset.zip?key=secret'] = packed(CIBENCH)
    store.fetch('cibench', url=f'{address}/cibench_dataset.zip?key=secret')
    assert store.records()['cibench'].url == f'{server.url}/cibench_dataset.zip'
    assert len(lines) > 4
    assert [line for line in lines if 'password' in line or 'secret' in line] == []


@pytest.mark.parametrize(
    ('mirror', 'path'),
    [
        ('/data', '/data/cibench_dataset.zip'),
        ('/data/', '/data/cibench_dataset.zip'),
        ('/copy/cibench_dataset.zip', '/copy/cibench_dataset.zip'),
        ('/{url}', f'/{ARCHIVES["cibench"].sources[0].url}'),
    ],
)
def test_mirrors(server, store, mirror, path):
    server.files[path] = server.files.pop('/cibench_dataset.zip')
    assert store.fetch('cibench', mirror=server.url + mirror) == store.root / 'cibench_dataset'
    assert [asked for asked, _ in server.requests] == [path]


@pytest.mark.parametrize(
    ('files', 'name'),
    [
        (CIBENCH, 'cibench'),
        ({name.removeprefix('cibench_dataset/'): content for name, content in CIBENCH.items()}, 'cibench'),
        (GSM8K, 'gsm8k'),
        (QWEN, 'qwen_ci'),
        ({f'a/b/{name}': content for name, content in QWEN.items()}, 'qwen_ci'),
    ],
)
@pytest.mark.parametrize('as_folder', [False, True])
def test_add_recognises_what_it_is(tmp_path, store, files, name, as_folder):
    path = written(tmp_path / 'given', files) if as_folder else tmp_path / 'anything.zip'
    if not as_folder:
        path.write_bytes(packed(files))
    folder = store.add(path)
    assert folder == store.root / ARCHIVES[name].folder
    assert len(tree(folder)) == len(files)
    assert list(store.records()) == [name]
    assert store.records()[name].url == str(path.absolute())


def test_the_same_files_added_again_change_nothing(tmp_path, store, lines):
    """Whether from a zip or a folder."""
    path = tmp_path / 'cibench.zip'
    path.write_bytes(packed(CIBENCH))
    folder = store.add(path)
    before = (folder.stat().st_ino, (store.root / RECORDS).read_text())
    for again in (path, written(tmp_path / 'given', CIBENCH)):
        assert store.add(again) == folder
        assert (folder.stat().st_ino, (store.root / RECORDS).read_text()) == before
        assert 'is there and intact' in lines[-1]
    with refused('--accept-new'):
        store.add(written(tmp_path / 'given', changed(CIBENCH)))


def test_folder_in_its_place_is_recorded_where_it_is(store):
    folder = written(store.root, CIBENCH) / 'cibench_dataset'
    before = folder.stat().st_ino
    assert store.add(folder) == folder
    assert folder.stat().st_ino == before
    record = store.records()['cibench']
    assert record.sha256 == record.content
    assert store.damage(record) == []


def test_folder_on_shared_storage_may_be_a_link(tmp_path, store):
    shared = written(tmp_path / 'shared', CIBENCH) / 'cibench_dataset'
    store.root.mkdir()
    (store.root / 'cibench_dataset').symlink_to(shared)
    store.add(store.root / 'cibench_dataset')
    assert store.damage(store.records()['cibench']) == []
    assert (store.root / 'cibench_dataset').is_symlink()


def test_links_to_nothing_and_a_folder_of_any_name_are_no_hindrance(tmp_path, store):
    given = written(tmp_path / '__MACOSX', CIBENCH)
    (given / 'cibench_dataset' / 'gone').symlink_to('nowhere')
    assert tree(store.add(given)) == ['cibench_template/pandas/a.ipynb', 'datasources/data/rain.csv']
    assert list(store.records()['cibench'].files) == ['cibench_template/pandas/a.ipynb', 'datasources/data/rain.csv']


def test_links_out_of_a_folder_are_refused(tmp_path, store):
    (tmp_path / 'secret').write_text('a key')
    given = written(tmp_path / 'given', CIBENCH) / 'cibench_dataset'
    (given / 'datasources/data/more.csv').symlink_to(tmp_path / 'secret')
    with refused(r'more\.csv: leads out of the set'):
        store.add(given)


def test_what_cannot_be_read_is_named(tmp_path, store, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as unreadable:
        unreadable.bind('set.zip')
        with refused(r'^set\.zip: '):
            store.add(Path('set.zip'))


def test_own_set_needs_a_name(tmp_path, store):
    path = tmp_path / 'mine.zip'
    path.write_bytes(packed({'mine/hard/pandas/a.ipynb': NOTEBOOK, 'mine/datasources/data/x.csv': 'x'}))
    with pytest.raises(CibenchError) as error:
        store.add(path)
    for word in ('cibench: ', 'gsm8k: ', 'qwen_ci: ', 'SPLIT/LIBRARY/*.ipynb', 'datasources/data/', '--name'):
        assert word in str(error.value)
    assert tree(store.add(path, 'mine')) == ['datasources/data/x.csv', 'hard/pandas/a.ipynb']


@pytest.mark.parametrize(
    ('files', 'name', 'match'),
    [
        *(
            ({'hard/pandas/a.ipynb': NOTEBOOK}, name, '--name')
            for name in ('../up', '/tmp/x', '.hidden', '', 'a b', 'cibench_dataset', '集')
        ),
        ({'hard/a.txt': 'a'}, 'mine', 'no notebook in it'),
        (CIBENCH, 'gsm8k', r'not the layout of gsm8k: test\.jsonl'),
        (CIBENCH | {'../../evil.txt': 'x'}, None, 'leads out of the folder'),
    ],
)
def test_what_is_no_such_set_is_refused_and_leaves_nothing(tmp_path, store, files, name, match):
    path = tmp_path / 'given.zip'
    path.write_bytes(packed(files))
    with refused(match):
        store.add(path, name)
    assert tree(store.root) == ['.archives.json.lock'] and not list(tmp_path.rglob('evil.txt'))


def test_folder_that_holds_the_data_folder_is_not_copied_into_it(tmp_path, store):
    with refused('into which it would be copied'):
        store.add(written(tmp_path, {'hard/pandas/a.ipynb': NOTEBOOK}), 'mine')


def test_missing_data_are_said(tmp_path, store, lines):
    """The published archive comes with a script that collects its data."""
    files = {'cibench_dataset/cibench_template/pandas/a.ipynb': NOTEBOOK, 'cibench_dataset/collect_datasources.sh': ''}
    store.add(written(tmp_path / 'given', files))
    assert 'collect_datasources.sh' in lines[-1]


@pytest.mark.parametrize('content', ['', '[]', '{"cibench": 1}', '{"cibench": {"url": "x"}}', '\xff'])
def test_broken_record_is_named(store, content):
    store.root.mkdir()
    (store.root / RECORDS).write_text(content, encoding='latin-1')
    with refused(r'\.archives\.json: broken'):
        store.fetch('cibench')


def test_folder_of_sets_that_cannot_be_made(tmp_path, lines):
    (tmp_path / 'file').write_text('')
    with pytest.raises(CibenchError, match='--to'):
        Store(tmp_path / 'file', lines.append).fetch('cibench')


def cibench(*arguments, cwd):
    command = [sys.executable, '-m', 'cibench_eval.cli', 'data', *map(str, arguments)]
    environment = {'PATH': '/usr/bin:/bin', 'PYTHONPATH': str(ROOT), 'COLUMNS': '100', 'NO_PROXY': '*'}
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=environment)


def test_command_line(tmp_path, server):
    """Fetch, damage, list, refuse: exit codes, one-line errors, results on stdout and the rest on stderr."""
    done = cibench('fetch', 'cibench', '--mirror', server.url, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, 'data/cibench_dataset\n')
    assert 'MB' in done.stderr
    path = tmp_path / 'other.zip'
    path.write_bytes(packed(changed(CIBENCH)))
    done = cibench('add', path, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, '')
    assert done.stderr.startswith('cibench: error: cibench: ')
    assert done.stderr.count('\n') == 1
    (tmp_path / 'data/cibench_dataset/datasources/data/rain.csv').unlink()
    done = cibench('list', 'data', cwd=tmp_path)
    assert done.returncode == 1
    assert 'damaged' in done.stdout
    assert 'cibench data fetch cibench' in done.stdout
