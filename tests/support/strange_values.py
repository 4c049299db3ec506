"""Numbers and texts that comparisons may fail on. Part of `strange.py`."""

import random

NUMBERS = (0, 0.0, -0.0, 1, -1, 1e308, -1e308, 5e-324, 1e-12, 0.1, 10**11, 2**53 + 1, 719163, 1e16, 2020)
TEXTS = (
    *('', ' ', 'a', 'x', '0', '1.5', '-1', '1e400', 'nan', 'inf', '2020', '2020-01-01', '0000-00-00', '9999-99-99'),
    *(
        'Jan',
        'Feb',
        '5%',
        '1,000',
        '(',
        '中',
        '$\\mathdefault{10^{3}}$',
        'in thousands',
        '%',
        '\u0000',
        'a' * 200,
        '🙂',
    ),
    *('log', 'linear', 'symlog', 'date', 'polar', '3d', 'rectilinear', '#ff0000', '#12345', 'dashed', 'grey', '_a'),
)


def number(rng: random.Random) -> float | int:
    return rng.choice(NUMBERS) if rng.random() < 0.6 else rng.uniform(-10, 10)
