"""A download against a real server: what is cut off is gone on with, and nothing wrong is taken for the file."""

import pytest

from cibench_eval.schema import CibenchError
from cibench_eval.sets.archives.fetching import Connection, fetch
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

    def __init__(self, server, folder):
        self.server, self.target = server, folder / 'set.zip'
        self.waits, self.lines, self.seen = [], [], []

    def fetch(self, path='/set.zip', **options):
        connection = Connection(sleep=self.waits.append, **options)
        url = path if '://' in path else self.server.url + path
        fetch(url, self.target, connection, lambda *seen: self.seen.append(seen), self.lines.append)
        return self.target.read_bytes()

    def ranges(self):
        return [headers.get('Range') for _, headers in self.server.requests]

    def left(self):
        return sorted(path.name for path in self.target.parent.iterdir())


@pytest.fixture
def client(server, tmp_path):
    return Client(server, tmp_path)


def test_whole_file_with_progress_and_nothing_left_over(client):
    assert client.fetch() == BODY
    assert client.seen[-1] == (len(BODY), len(BODY))
    assert [done for done, _ in client.seen] == sorted({done for done, _ in client.seen})
    assert client.left() == ['set.zip']
    assert client.waits == client.lines == []


def test_cut_off_answer_is_gone_on_with_in_the_same_call(server, client):
    server.faults = [cut_off(1000)]
    assert client.fetch() == BODY
    assert client.ranges() == [None, 'bytes=1000-']
    assert server.requests[1][1]['If-Range'] == '"one"'
    assert len(client.lines) == 1
    assert 'try 2 of 5' in client.lines[0]


def test_next_call_goes_on_where_the_last_one_gave_up(server, client):
    server.faults = [cut_off(1000), 503, 503]
    with pytest.raises(CibenchError, match=r'503 .*3 tries; the 1,000 bytes that came are kept'):
        client.fetch(tries=3)
    assert client.fetch() == BODY
    assert client.ranges()[-1] == 'bytes=1000-'
    assert client.left() == ['set.zip']


def test_changed_file_is_fetched_from_its_beginning(server, client):
    server.faults = [cut_off(1000)]
    with pytest.raises(CibenchError, match='1 tries'):
        client.fetch(tries=1)
    server.files['/set.zip'], server.tag = BODY[::-1], '"two"'
    assert client.fetch() == BODY[::-1]
    assert client.ranges() == [None, 'bytes=1000-']


def test_range_of_a_changed_file_is_not_taken(server, client):
    """A server that ignores If-Range: its ETag gives it away."""
    rest = says(206, BODY[1000:], ETag='"two"', Content_Range=f'bytes 1000-{len(BODY) - 1}/{len(BODY)}')
    server.faults = [cut_off(1000), rest]
    assert client.fetch() == BODY
    assert client.ranges() == [None, 'bytes=1000-', None]


@pytest.mark.parametrize('place', ['bytes 999-102399/102400', 'bytes 1001-102399/102400', 'rubbish', ''])
def test_another_range_than_asked_for_is_not_taken(server, client, place):
    server.faults = [cut_off(1000), says(206, BODY[1000:], Content_Range=place)]
    assert client.fetch() == BODY
    assert client.ranges() == [None, 'bytes=1000-', None]


@pytest.mark.parametrize('tag', ['', 'W/"one"'])
def test_without_a_strong_validator_nothing_is_gone_on_with(server, client, tag):
    server.tag, server.faults = tag, [cut_off(1000)]
    assert client.fetch() == BODY
    assert client.ranges() == [None, None]


def test_server_without_ranges_is_asked_for_the_whole_again(server, client):
    server.ranges, server.faults = False, [cut_off(1000)]
    assert client.fetch() == BODY
    assert client.ranges() == [None, 'bytes=1000-']


def test_last_modified_serves_where_there_is_no_etag(server, client):
    date = 'Sat, 01 Jun 2024 10:00:00 GMT'
    first = says(200, BODY[:1000], ETag='', Last_Modified=date, Content_Length=len(BODY))
    place = f'bytes 1000-{len(BODY) - 1}/{len(BODY)}'
    server.faults = [first, says(206, BODY[1000:], ETag='', Last_Modified=date, Content_Range=place)]
    assert client.fetch() == BODY
    assert server.requests[1][1]['If-Range'] == date


def test_whole_part_is_taken_when_nothing_is_left_to_fetch(server, client):
    """Too long a Content-Length: the connection closes at the file's end, and the next answer is 416."""
    server.faults = [says(200, BODY, Content_Length=len(BODY) + 10)]
    assert client.fetch() == BODY
    assert client.ranges() == [None, f'bytes={len(BODY)}-']


def test_part_longer_than_the_file_is_forgotten(server, client):
    server.faults = [cut_off(5000)]
    with pytest.raises(CibenchError):
        client.fetch(tries=1)
    server.files['/set.zip'] = BODY[:4000]
    assert client.fetch() == BODY[:4000]
    assert client.ranges() == [None, 'bytes=5000-', None]


def test_part_of_another_address_is_not_gone_on_with(server, client):
    server.faults = [cut_off(1000)]
    with pytest.raises(CibenchError):
        client.fetch(tries=1)
    server.files['/mirror.zip'] = BODY[::-1]
    assert client.fetch('/mirror.zip') == BODY[::-1]
    assert client.ranges() == [None, None]


def test_damaged_notes_are_as_good_as_none(server, client):
    server.faults = [cut_off(1000)]
    with pytest.raises(CibenchError):
        client.fetch(tries=1)
    client.target.with_name('set.zip.part.json').write_text('[1')
    assert client.fetch() == BODY
    assert client.ranges() == [None, None]


def test_redirects_are_followed_with_the_range(server, client):
    server.files['/moved.zip'] = server.files.pop('/set.zip')
    go_on = redirect(f'{server.url}/moved.zip')
    server.files['/set.zip'] = BODY
    server.faults = [go_on, cut_off(1000), go_on]
    assert client.fetch() == BODY
    assert [path for path, _ in server.requests] == ['/set.zip', '/moved.zip', '/set.zip', '/moved.zip']
    assert client.ranges()[-1] == 'bytes=1000-'


def test_endless_redirects_end(server, client):
    server.faults = [redirect(f'{server.url}/set.zip')] * 50
    with pytest.raises(CibenchError, match=r'redirect.*correct the address'):
        client.fetch()


def test_passing_faults_are_waited_for_longer_and_longer(server, client):
    server.faults = [500, 502, 503, 429]
    assert client.fetch() == BODY
    assert client.waits == [1, 2, 4, 8]


def test_server_says_how_long_to_wait(server, client):
    server.faults = [says(429, b'', Retry_After=7), says(503, b'', Retry_After=3600)]
    assert client.fetch() == BODY
    assert client.waits == [7, 30]


def test_tries_are_bounded(server, client):
    server.faults = [503] * 100
    with pytest.raises(CibenchError, match=r'set\.zip: the server answers 503 Service Unavailable, 5 tries$'):
        client.fetch()
    assert len(server.requests) == 5
    assert len(client.waits) == 4


@pytest.mark.parametrize('status', [401, 403, 404, 410])
def test_refusal_is_not_asked_again(server, client, status):
    server.faults = [status] * 9
    with pytest.raises(CibenchError, match=f'answers {status} '):
        client.fetch()
    assert len(server.requests) == 1


def test_compressed_answer_is_refused(server, client):
    server.faults = [says(200, BODY, Content_Encoding='gzip', Content_Length=len(BODY))]
    with pytest.raises(CibenchError, match='compressed'):
        client.fetch()


def test_too_large_a_file_is_refused_before_and_while_it_comes(server, client, monkeypatch):
    monkeypatch.setattr('cibench_eval.sets.archives.fetching.LARGEST', 50_000)
    with pytest.raises(CibenchError, match='102,400 bytes, over the limit of 50,000'):
        client.fetch()
    server.faults = [says(200, BODY)]
    with pytest.raises(CibenchError, match='more than 50,000 bytes'):
        client.fetch()
    assert client.left() == []


def test_nobody_there(client):
    with pytest.raises(CibenchError, match=r'2 tries$'):
        client.fetch('http://127.0.0.1:1/set.zip', tries=2)


SECRETS = ('name', 'password', 'signature')


def test_a_name_that_does_not_resolve_is_not_asked_again(client):
    with pytest.raises(CibenchError, match=r'nothing\.invalid/set\.zip: the name does not resolve$'):
        client.fetch('http://nothing.invalid/set.zip')
    assert client.waits == []


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


def test_another_query_is_another_file(server, client):
    server.files.update({'/get?file=a': BODY, '/get?file=b': BODY[::-1]})
    server.faults = [cut_off(1000)]
    with pytest.raises(CibenchError):
        client.fetch('/get?file=a', tries=1)
    assert client.fetch('/get?file=b') == BODY[::-1]
    assert client.ranges() == [None, None]


@pytest.mark.parametrize('url', ['ftp://host/set.zip', '/home/set.zip', 'file:///set.zip'])
def test_only_http(tmp_path, url):
    with pytest.raises(CibenchError, match='cibench data add'):
        fetch(url, tmp_path / 'set.zip', Connection(), lambda *_: None, print)


def test_proxy_given_and_from_the_environment(server, client, monkeypatch):
    """A proxy is asked for the whole address: the file server stands in for one."""
    address = 'http://cibench.invalid/set.zip'
    server.files[address] = BODY
    assert client.fetch(address, proxy=server.url) == BODY
    monkeypatch.setenv('HTTP_PROXY', server.url)
    assert client.fetch(address) == BODY
    assert [path for path, _ in server.requests] == [address, address]


def test_unusable_proxy(client):
    with pytest.raises(CibenchError, match='proxy nonsense: cannot be used'):
        client.fetch(proxy='nonsense')


def test_target_that_cannot_be_written(server, client):
    client.target.with_name('set.zip.part').mkdir()
    with pytest.raises(CibenchError, match='cannot be written'):
        client.fetch()
    assert client.left() == ['set.zip.part']
