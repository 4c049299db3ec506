"""PNGs: made by hand, as no drawing library writes them, and pictures of noise in every mode."""

import io
import struct
import zlib

import numpy as np
from PIL import Image

SIGNATURE = b'\x89PNG\r\n\x1a\n'
MODES = ('1', 'L', 'LA', 'P', 'RGB', 'RGBA', 'I;16')
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Colour type -> values a pixel."""


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))


def header(width: int, height: int, depth: int = 8, colour: int = 2, interlaced: int = 0) -> bytes:
    return chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, depth, colour, 0, 0, interlaced))


def black(width: int, height: int, depth: int = 8, colour: int = 2) -> bytes:
    """The pixels of a black image, compressed; a hundred million of them are 300 KB."""
    return chunk(b'IDAT', squeezed(height * (1 + (width * CHANNELS[colour] * depth + 7) // 8)))


def png(*chunks: bytes) -> bytes:
    return SIGNATURE + b''.join(chunks) + chunk(b'IEND', b'')


def squeezed(size: int) -> bytes:
    """So many zero bytes, compressed: whole megabytes, which are alike, then the rest and the checksum (RFC 1950)."""
    packer, rest = zlib.compressobj(9, wbits=-15), zlib.compressobj(9, wbits=-15)
    megabyte = packer.compress(bytes(2**20)) + packer.flush(zlib.Z_FULL_FLUSH)
    last = rest.compress(bytes(size % 2**20)) + rest.flush()
    return b'\x78\xda' + megabyte * (size // 2**20) + last + struct.pack('>HH', size % 65521, 1)


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


def noise(seed=0, size=(40, 30), mode='RGB', form='PNG'):
    """A picture of smooth noise as a file; one seed is one picture in every mode, size and format."""
    return stored(noise_image(seed, size), mode, form)


def noise_image(seed=0, size=(40, 30)):
    pixels = np.random.default_rng(seed).integers(0, 256, (6, 8, 3), dtype=np.uint8)
    return Image.fromarray(pixels).resize(size)


def stored(image, mode=None, form='PNG', **options):
    """An image in a mode, as a file."""
    if mode == 'I;16':
        image = Image.fromarray(np.asarray(image.convert('L')).astype(np.uint16) * 257)
    elif mode:
        image = image.convert(mode)
    file = io.BytesIO()
    image.save(file, form, **options)
    return file.getvalue()


def damaged(data, rng):
    """A file with some bytes changed, and cut off."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 3, 20))):
        changed[rng.randrange(rng.choice((60, len(changed))))] = rng.randrange(256)
    return bytes(changed[: rng.randrange(8, len(changed))])
