"""PNGs made by hand: those that no drawing library writes."""

import struct
import zlib

SIGNATURE = b'\x89PNG\r\n\x1a\n'
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Colour type -> values a pixel."""


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))


def header(width: int, height: int, depth: int = 8, colour: int = 2, interlaced: int = 0) -> bytes:
    return chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, depth, colour, 0, 0, interlaced))


def black(width: int, height: int, depth: int = 8, colour: int = 2) -> bytes:
    """The pixels of a black image, compressed; a hundred million of them are 100 KB."""
    packer = zlib.compressobj(9)
    row = b'\0' * (1 + (width * CHANNELS[colour] * depth + 7) // 8)
    return chunk(b'IDAT', b''.join(packer.compress(row) for _ in range(height)) + packer.flush())


def png(*chunks: bytes) -> bytes:
    return SIGNATURE + b''.join(chunks) + chunk(b'IEND', b'')


def squeezed(size: int) -> bytes:
    """So many zero bytes, compressed."""
    return zlib.compress(b'\0' * size, 9)


SMALL = header(40, 30)
HOSTILE = {
    'many pixels': png(header(6000, 6000, colour=6), black(6000, 6000, colour=6)),
    'many pixels of one bit': png(header(20_000, 20_000, 1, 0), black(20_000, 20_000, 1, 0)),
    'many pixels of 16 bits': png(header(4000, 4000, 16, 6), black(4000, 4000, 16, 6)),
    'many pixels, interlaced': png(header(6000, 6000, interlaced=1), black(6000, 6000)),
    'a header alone': png(header(2**31 - 1, 2**31 - 1), black(4, 4)),
    'a second header': png(SMALL, header(6000, 6000), black(6000, 600)),
    'a header after the pixels': png(SMALL, black(40, 30), header(60_000, 60_000), black(600, 600)),
    'more pixels than the header says': png(SMALL, black(6000, 6000)),
    'an animation': png(SMALL, chunk(b'acTL', struct.pack('>II', 2**31 - 1, 0)), black(40, 30)),
    'text that is long': png(SMALL, *[chunk(b'zTXt', b'a\0\0' + squeezed(10**7))] * 50, black(40, 30)),
    'a colour profile that is long': png(SMALL, chunk(b'iCCP', b'a\0\0' + squeezed(10**8)), black(40, 30)),
    'another format': SIGNATURE + b'GIF89a' + b'\xff' * 50,
    'an icon with a large image in it': b'\0\0\1\0\1\0\x10\x10\0\0\1\0\x20\0'
    + struct.pack('<II', 10**6, 22)
    + png(header(6000, 6000), black(6000, 6000)),
    'no size': png(header(0, 0), black(4, 4)),
}
"""Figures that are small files, and are or seem to be much more."""
LARGE = [*(name for name in HOSTILE if name.startswith('many')), 'a second header', 'a header alone']
"""Those of HOSTILE whose pixels are too many."""
