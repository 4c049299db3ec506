"""A download against a real server: what is cut off is gone on with, and nothing wrong is taken for the file."""

import pytest

from cibench_eval.schema import CibenchError
from cibench_eval.sets.archives.fetching import fetch
from tests.support.file_server import FileServer, cut_off, redirect, says

BODY = bytes(range(256)) * 400


@pytest.fixture
def server(monkeypatch):
    for name in ('HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'):
        monkeypatch.delenv(name, raising=False)
    with FileServer().running() as running:
        running.files['/set.zip'] = BODY
        yield running


class Client:
    """One call of `fetch` after the other into one folder; remembers waits, lines and what it was told of progress."""

    def __init__(self, server, folder, monkeypatch):
        self.server, self.target, self.monkeypatch = server, folder / 'set.zip', monkeypatch
        self.waits, self.lines, self.seen = [], [], []
        monkeypatch.setattr('cibench_eval.sets.archives.fetching.sleep', self.waits.append)

    def fetch(self, path='/set.zip', proxy=None, tries=5):
        url = path if '://' in path else self.server.url + path
        with self.monkeypatch.context() as patch:
            patch.setattr('cibench_eval.sets.archives.fetching.TRIES', tries)
            fetch(url, self.target, proxy, lambda *seen: self.seen.append(seen), self.lines.append)
        return self.target.read_bytes()

    def ranges(self):
        return [headers.get('Range') for _, headers in self.server.requests]

    def left(self):
        return sorted(path.name for path in self.target.parent.iterdir())


@pytest.fixture
def client(server, tmp_path, monkeypatch):
    return Client(server, tmp_path, monkeypatch)


def test_whole_file_with_progress_and_nothing_left_over(client):
    assert client.fetch() == BODY
    assert client.seen[-1] == (len(BODY), len(BODY))
    assert [done for done, _ in client.seen] == sorted({done for done, _ in client.seen})
    assert client.left() == ['set.zip']
    assert client.waits == client.lines == []


DATE = 'Sat, 01 Jun 2024 10:00:00 GMT'
REST = f'bytes 1000-{len(BODY) - 1}/{len(BODY)}'
PLACES = ('bytes 999-102399/102400', 'bytes 1001-102399/102400', 'rubbish', '')
FAULTS = {
    'cut off': ([cut_off(1000)], {}, ['bytes=1000-']),
    'no strong validator': ([cut_off(1000)], {'tag': 'W/"one"'}, [None]),
    'no validator': ([cut_off(1000)], {'tag': ''}, [None]),
    'a server without ranges': ([cut_off(1000)], {'ranges': False}, ['bytes=1000-']),
    'If-Range ignored': (
        [cut_off(1000), says(206, BODY[1000:], ETag='"two"', Content_Range=REST)],
        {},
        ['bytes=1000-', None],
    ),
    **{
        f'another range: {place}': (
            [cut_off(1000), says(206, BODY[1000:], Content_Range=place)],
            {},
            ['bytes=1000-', None],
        )
        for place in PLACES
    },
    'Last-Modified': (
        [
            says(200, BODY[:1000], ETag='', Last_Modified=DATE, Content_Length=len(BODY)),
            says(206, BODY[1000:], ETag='', Last_Modified=DATE, Content_Range=REST),
        ],
        {},
        ['bytes=1000-'],
    ),
    # The connection closes at the file's end, and the next answer is 416.
    'too long a Content-Length': ([says(200, BODY, Content_Length=len(BODY) + 10)], {}, [f'bytes={len(BODY)}-']),
}
"""Faults of a server, its other properties, and the ranges that are asked for after the first request."""


@pytest.mark.parametrize('case', FAULTS)
def test_the_file_is_whole_after_a_fault(server, client, case):
    server.faults, options, ranges = FAULTS[case]
    server.faults = list(server.faults)
    for name, value in options.items():
        setattr(server, name, value)
    assert client.fetch() == BODY
    assert client.ranges() == [None, *ranges]
    assert len(client.lines) == len(ranges) and 'try 2 of 5' in client.lines[0]
    validator = server.requests[1][1].get('If-Range')
    assert validator == (None if ranges == [None] else DATE if case == 'Last-Modified' else '"one"')


def test_changed_file_is_fetched_from_its_beginning(server, client):
    server.faults = [cut_off(1000)]
    with pytest.raises(CibenchError, match='1 tries'):
        client.fetch(tries=1)
    server.files['/set.zip'], server.tag = BODY[::-1], '"two"'
    assert client.fetch() == BODY[::-1]
    assert client.ranges() == [None, 'bytes=1000-']


@pytest.mark.parametrize(
    ('path', 'damage', 'body', 'ranges'),
    [
        ('/set.zip', None, BODY[:900], [None, 'bytes=1000-', None]),  # it has become shorter
        ('/mirror.zip', None, BODY[::-1], [None, None]),
        ('/set.zip?file=b', None, BODY[::-1], [None, None]),
        ('/set.zip', '[1', BODY, [None, None]),  # the notes are damaged
    ],
)
def test_a_part_of_another_file_is_not_gone_on_with(server, client, path, damage, body, ranges):
    server.faults = [cut_off(1000)]
    with pytest.raises(CibenchError):
        client.fetch(tries=1)
    if damage:
        client.target.with_name('set.zip.part.json').write_text(damage)
    server.files[path] = body
    assert client.fetch(path) == body
    assert client.ranges() == ranges


def test_redirects_are_followed_with_the_range(server, client):
    server.files['/moved.zip'] = server.files.pop('/set.zip')
    go_on = redirect(f'{server.url}/moved.zip')
    server.files['/set.zip'] = BODY
    server.faults = [go_on, cut_off(1000), go_on]
    assert client.fetch() == BODY
    assert [path for path, _ in server.requests] == ['/set.zip', '/moved.zip', '/set.zip', '/moved.zip']
    assert client.ranges()[-1] == 'bytes=1000-'


def test_passing_faults_are_waited_for_longer_and_longer(server, client):
    server.faults = [500, 502, 503, 429]
    assert client.fetch() == BODY
    assert client.waits == [1, 2, 4, 8]


def test_server_says_how_long_to_wait(server, client):
    server.faults = [says(429, b'', Retry_After=7), says(503, b'', Retry_After=3600)]
    assert client.fetch() == BODY
    assert client.waits == [7, 30]


@pytest.mark.parametrize(
    ('fault', 'match', 'requests'),
    [
        (503, r'set\.zip: the server answers 503 Service Unavailable, 5 tries$', 5),
        *((status, f'answers {status} ', 1) for status in (401, 403, 404, 410)),
        (says(200, BODY, Content_Encoding='gzip', Content_Length=len(BODY)), 'compressed', 1),
        (lambda handler: redirect(f'{handler.files.url}/set.zip')(handler), r'redirect.*correct the address', 21),
    ],
)
def test_tries_are_bounded(server, client, fault, match, requests):
    server.faults = [fault] * 100
    with pytest.raises(CibenchError, match=match):
        client.fetch()
    assert len(server.requests) == requests and len(client.waits) == (4 if requests == 5 else 0)


def test_too_large_a_file_is_refused_before_and_while_it_comes(server, client, monkeypatch):
    monkeypatch.setattr('cibench_eval.sets.archives.fetching.LARGEST', 50_000)
    with pytest.raises(CibenchError, match='102,400 bytes, over the limit of 50,000'):
        client.fetch()
    server.faults = [says(200, BODY)]
    with pytest.raises(CibenchError, match='more than 50,000 bytes'):
        client.fetch()
    assert client.left() == []


@pytest.mark.parametrize(
    ('url', 'options', 'match'),
    [
        ('http://127.0.0.1:1/set.zip', {'tries': 2}, r'2 tries$'),
        ('http://nothing.invalid/set.zip', {}, r'nothing\.invalid/set\.zip: the name does not resolve$'),
        *((url, {}, 'cibench data add') for url in ('ftp://host/set.zip', '://home/set.zip', 'file:///set.zip')),
        ('/set.zip', {'proxy': 'nonsense'}, 'proxy nonsense: cannot be used'),
    ],
)
def test_what_cannot_be_asked_is_said(client, url, options, match):
    with pytest.raises(CibenchError, match=match):
        client.fetch(url, **options)
    assert len(client.waits) == options.get('tries', 1) - 1


SECRETS = ('name', 'password', 'signature')


def test_secrets_in_addresses_are_neither_said_nor_kept(server, client):
    path = '/set.zip?key=signature'
    server.files[path] = BODY
    address = server.url.replace('http://', 'http://name:password@') + path
    server.faults = [cut_off(1000), 503]
    with pytest.raises(CibenchError, match=r'set\.zip: the server answers 503') as error:
        client.fetch(address, tries=2)
    notes = client.target.with_name('set.zip.part.json').read_text()
    said = [str(error.value), *client.lines, notes]
    assert [(word, text) for text in said for word in SECRETS if word in text] == []
    assert client.fetch(address) == BODY
    assert client.ranges()[-1] == 'bytes=1000-'


@pytest.mark.parametrize(
    'url', ['http://name:password@host:x/?signature', 'http://[name:password/', 'ftp://name:password@host/']
)
def test_secrets_in_addresses_that_are_none_are_not_said(client, url):
    with pytest.raises(CibenchError) as error:
        client.fetch(url)
    assert [word for word in SECRETS if word in str(error.value)] == []


@pytest.mark.parametrize('proxy', ['x://name:password@host', 'http://name:password@host:x'])
def test_secrets_in_proxies_are_not_said(client, proxy):
    with pytest.raises(CibenchError, match='cannot be used') as error:
        client.fetch(proxy=proxy)
    assert [word for word in SECRETS if word in str(error.value)] == []


def test_proxy_given_and_from_the_environment(server, client, monkeypatch):
    """A proxy is asked for the whole address: the file server stands in for one."""
    address = 'http://cibench.invalid/set.zip'
    server.files[address] = BODY
    assert client.fetch(address, proxy=server.url) == BODY
    monkeypatch.setenv('HTTP_PROXY', server.url)
    assert client.fetch(address) == BODY
    assert [path for path, _ in server.requests] == [address, address]


def test_target_that_cannot_be_written(server, client):
    client.target.with_name('set.zip.part').mkdir()
    with pytest.raises(CibenchError, match='cannot be written'):
        client.fetch()
    assert client.left() == ['set.zip.part']
