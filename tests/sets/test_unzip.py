"""Archives from outside: what is hostile, broken or too large leaves nothing but one line."""

import stat
import struct
import warnings
import zipfile

import pytest

from cibench_eval.schema import CibenchError
from cibench_eval.sets.archives.unzip import extract


def archive(folder, *entries, name='set.zip', compression=zipfile.ZIP_DEFLATED):
    """A zip of (name or ZipInfo, content)."""
    path = folder / name
    with warnings.catch_warnings(action='ignore'), zipfile.ZipFile(path, 'w', compression) as opened:
        for entry, content in entries:
            opened.writestr(entry, content)
    return path


def unpacked(path, **limits):
    folder = path.parent / 'out'
    extract(path, folder, **limits)
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob('*') if file.is_file()}


def special(name, kind, content='/etc/passwd'):
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, (kind | 0o777) << 16
    return info, content


def patched(path, old, new):
    """Every occurrence replaced by as many bytes: what no writer of archives does."""
    assert len(old) == len(new)
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new))
    return path


@pytest.mark.parametrize('compression', [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_files_come_out_as_they_went_in(tmp_path, compression):
    entries = [('set/', ''), ('set/a.txt', b'a' * 1000), ('set/b/c.bin', bytes(range(256))), ('set/empty', b'')]
    files = unpacked(archive(tmp_path, *entries, compression=compression))
    assert files == {'set/a.txt': b'a' * 1000, 'set/b/c.bin': bytes(range(256)), 'set/empty': b''}


def test_executable_bits_and_owners_are_not_taken_over(tmp_path):
    path = archive(tmp_path, special('run.sh', stat.S_IFREG | stat.S_ISUID, 'rm -rf /'))
    unpacked(path)
    assert (tmp_path / 'out' / 'run.sh').stat().st_mode & 0o7111 == 0


@pytest.mark.parametrize(
    'name',
    [
        *('/etc/passwd', '../up.txt', 'a/../../up.txt', 'a/..', 'C:/windows/x', 'c:x', '//host/share/x'),
        *('\\windows\\x', '..\\up.txt', 'a\\..\\..\\up.txt', '\\\\host\\share'),
    ],
)
def test_paths_out_of_the_folder_are_refused(tmp_path, name):
    inside = tmp_path / 'inside'
    inside.mkdir()
    path = archive(inside, ('good.txt', 'good'), (name, 'bad'))
    with pytest.raises(CibenchError, match='leads out of the folder'):
        unpacked(path)
    assert sorted(file.name for file in tmp_path.rglob('*')) == ['inside', 'set.zip']


@pytest.mark.parametrize('kind', [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO, stat.S_IFSOCK])
def test_links_and_devices_are_refused(tmp_path, kind):
    with pytest.raises(CibenchError, match=r"'set/x' is a link or device"):
        unpacked(archive(tmp_path, ('set/a', 'a'), special('set/x', kind)))
    assert not (tmp_path / 'out').exists()


@pytest.mark.parametrize(
    'names',
    [
        *(
            ('a.txt', 'a.txt'),
            ('a.txt', 'A.TXT'),
            ('Pandas/a', 'pandas/b'),
            ('a', 'a/b'),
            ('a/b', 'a'),
            ('a/b', 'a/./b'),
        ),
        *(('caf\u00e9', 'cafe\u0301'), ('stra\u00dfe', 'STRASSE'), ('a/', 'A/'), ('x/a', 'x//a')),
    ],
)
def test_names_for_one_place_are_refused(tmp_path, names):
    with pytest.raises(CibenchError, match='takes the place of'):
        unpacked(archive(tmp_path, *((name, '') for name in names)))


@pytest.mark.parametrize(
    ('names', 'there'),
    [
        (['a/', 'a/b/', 'a/b/c', 'a/d', 'a/b/e', 'a/'], {'a/b/c', 'a/d', 'a/b/e'}),  # folders are named several times
        (['set\\a\\b.txt'], {'set/a/b.txt'}),  # an old archive of Windows
        (['set/a', '__MACOSX/set/._a', 'set/.DS_Store', 'set/.hidden'], {'set/a', 'set/.hidden'}),  # one of macOS
        (['数据集/表一.csv'], {'数据集/表一.csv'}),
    ],
)
def test_paths_of_files(tmp_path, names, there):
    assert set(unpacked(archive(tmp_path, *((name, '') for name in names)))) == there


@pytest.mark.parametrize('name', ['a\nb', 'a\x1b[2Jb', 'a\x7f'])
def test_control_characters_in_names_are_refused(tmp_path, name):
    with pytest.raises(CibenchError, match='control character') as error:
        unpacked(archive(tmp_path, (name, '')))
    assert name not in str(error.value)


def test_name_with_a_null_byte_is_refused(tmp_path):
    path = patched(archive(tmp_path, ('a.txtXevil', '')), b'a.txtXevil', b'a.txt\0evil')
    with pytest.raises(CibenchError, match='control character'):
        unpacked(path)


@pytest.mark.parametrize(
    ('name', 'encoding'),
    [
        *(('数据集/表一.csv', encoding) for encoding in ('utf-8', 'gb18030', 'gbk')),
        ('誠.csv', 'gbk'),  # which has a backslash inside of the character
    ],
)
def test_chinese_names_without_the_utf8_flag(tmp_path, name, encoding):
    raw = name.encode(encoding)
    path = patched(archive(tmp_path, ('?' * len(raw), 'x')), b'?' * len(raw), raw)
    assert set(unpacked(path)) == {name}


def test_encrypted_is_refused(tmp_path):
    path = archive(tmp_path, ('a.txt', 'secret'))
    data = bytearray(path.read_bytes())
    for signature, place in ((b'PK\x03\x04', 6), (b'PK\x01\x02', 8)):
        data[data.index(signature) + place] |= 1
    path.write_bytes(data)
    with pytest.raises(CibenchError, match=r"'a\.txt' is encrypted"):
        unpacked(path)


def test_bomb_of_zeros_is_stopped_by_its_ratio(tmp_path):
    path = archive(tmp_path, ('zeros', bytes(3_000_000)))
    with pytest.raises(CibenchError, match='more than 200 times its size'):
        unpacked(path, ratio_from=1_000_000)
    assert (tmp_path / 'out' / 'zeros').stat().st_size <= 1_000_000
    again = archive(tmp_path / 'out', ('zeros', bytes(3_000_000)), name='again.zip')
    assert len(unpacked(again)['zeros']) == 3_000_000, 'small files may be packed tightly'


def test_size_counts_all_files_together(tmp_path):
    path = archive(tmp_path, *((f'{number}', bytes(4000)) for number in range(5)))
    with pytest.raises(CibenchError, match='more than 10,000 bytes'):
        unpacked(path, size=10_000)
    assert len(unpacked(archive(tmp_path / 'out', ('a', bytes(10_000))), size=10_000)) == 1


def test_entries_that_share_their_bytes_are_refused(tmp_path):
    path = archive(tmp_path, ('a', bytes(2_000_000)), ('b', b'x'))
    data = path.read_bytes()
    first, second = (index for index in range(len(data)) if data.startswith(b'PK\x01\x02', index))
    end = data.index(b'PK\x05\x06')
    entry = data[first:second]
    copies = b''.join(entry[:46] + name + entry[47:] for name in (b'b', b'c', b'd'))
    directory = entry + copies
    tail = struct.pack('<4s4H2LH', b'PK\x05\x06', 0, 0, 4, 4, len(directory), first, 0)
    assert len(data[end:]) == len(tail)
    path.write_bytes(data[:first] + directory + tail)
    with pytest.raises(CibenchError, match=r'no sound zip archive .*differ'):
        unpacked(path, ratio_from=5_000_000)


def test_lying_size_in_the_header_does_not_help(tmp_path):
    size = struct.pack('<L', 2_000_000)
    path = patched(archive(tmp_path, ('zeros', bytes(2_000_000))), size, struct.pack('<L', 10))
    with pytest.raises(CibenchError, match='Bad CRC-32'):
        unpacked(path, ratio_from=100_000)
    assert (tmp_path / 'out' / 'zeros').stat().st_size <= 100_000


def test_number_of_files_is_limited(tmp_path):
    path = archive(tmp_path, *((str(number), '') for number in range(11)))
    with pytest.raises(CibenchError, match='11 files, over the limit of 10'):
        unpacked(path, files=10)
    assert not (tmp_path / 'out').exists()


@pytest.mark.parametrize('content', [b'', b'<!DOCTYPE html><title>404</title>', b'PK\x03\x04 and nothing'])
def test_what_is_no_zip_is_refused(tmp_path, content):
    path = tmp_path / 'set.zip'
    path.write_bytes(content)
    with pytest.raises(CibenchError, match='no sound zip archive'):
        unpacked(path)


def test_cut_or_flipped_bytes_are_noticed(tmp_path):
    path = archive(tmp_path, ('a', bytes(range(256)) * 100), compression=zipfile.ZIP_STORED)
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    with pytest.raises(CibenchError, match='no sound zip archive'):
        unpacked(path)
    path.write_bytes(whole[:500] + b'!' + whole[501:])
    with pytest.raises(CibenchError, match='Bad CRC-32'):
        unpacked(path)


@pytest.mark.parametrize('compression', [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_compression_whose_reader_has_no_bound_is_refused(tmp_path, compression):
    """Python unpacks a whole piece of these at once: some hundred bytes become a gigabyte in memory."""
    path = archive(tmp_path, ('good', 'good'), ('a', bytes(1000)), compression=compression)
    with pytest.raises(CibenchError, match=r"'good' is neither stored nor deflated"):
        unpacked(path)
    assert not (tmp_path / 'out').exists()


def test_name_longer_than_file_systems_have(tmp_path):
    with pytest.raises(CibenchError, match='cannot be unpacked'):
        unpacked(archive(tmp_path, ('x' * 300, '')))
