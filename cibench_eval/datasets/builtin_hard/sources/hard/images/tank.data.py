"""Pictures of a tank that runs dry, the log of their times, and notes on tank and camera."""

import io

import numpy as np
from PIL import Image

WIDTH, HEIGHT = 120, 290
ROOM, WALL, AIR, WATER, FOAM = (190, 186, 180), (48, 50, 55), (222, 226, 229), (70, 130, 200), (250, 250, 250)
BLACK, RED = (28, 28, 30), (200, 30, 30)
COEFFICIENT, GRAVITY = 0.62, 9.81


def make(rng, outer, wall):
    minutes, dry, first = _minutes(rng)
    top = rng.uniform(112, 119)
    levels = top * (1 - minutes / dry) ** 2
    frames = 8
    kept = int(rng.integers(4, 6))  # stored once more
    pairs = [(one, two) for one in range(1, 8) for two in range(one + 2, 8) if kept not in (one, two)]
    early, late = pairs[int(rng.integers(len(pairs)))]
    back = set(rng.choice(frames, 3, replace=False).tolist())
    foam = set(rng.choice(frames, 3, replace=False).tolist())
    turned = set(rng.choice(frames, 2, replace=False).tolist())
    grey = int(rng.choice([one for one in range(frames) if one not in back and one != kept]))

    pictures = []
    for number, level in enumerate(levels):
        picture = _picture(rng, level, number in back, number in foam)
        pictures.append(picture[::-1, ::-1] if number in turned else picture)
    times = minutes.tolist()
    times[early], times[late] = times[late], times[early]
    pictures.append(pictures[kept])
    times.append(int(minutes[kept] + (minutes[kept + 1] - minutes[kept]) // 2))

    names = [f'frame_{letter}' for letter in rng.permutation(list('abcdefghi'))]
    files = {}
    for number, (name, picture) in enumerate(zip(names, pictures)):
        files[f'{name}.png'] = _png(picture, 'P' if number == frames else 'L' if number == grey else 'RGB')
    clocks = {name: (first + time) % 1440 for name, time in zip(names, times)}
    lines = [f'{name},{clocks[name] // 60}:{clocks[name] % 60:02d}' for name in sorted(names)]
    files['times.csv'] = '\n'.join(['file,clock', *lines]) + '\n'
    later = (np.linspace(minutes[-1] + 20, 0.84 * dry, 8) + rng.integers(-3, 4, 8)).astype(int)
    files['later.csv'] = '\n'.join(['minutes', *(str(minute) for minute in later)]) + '\n'
    files['notes.txt'] = NOTES.format(outer=outer, wall=wall, coefficient=COEFFICIENT, gravity=GRAVITY)
    return files, {'levels': [round(float(top * (1 - minute / dry) ** 2), 2) for minute in later]}


NOTES = """Notes on the tank

The tank is an upright cylinder of glass, {outer} mm wide outside; the glass is {wall} mm thick. It stands on three bricks and runs
dry through a small round hole in its flat floor. No water is added.
Beside the tank stands a scale. Its lowest tick is level with the floor inside. The front of the scale has a black tick every
10 mm, its back a red tick every half inch. A half inch is 12.7 mm.
The level is the height of the water's surface above the floor. Foam that floats on the water does not count.

The camera
The camera was moved between pictures, hung head down at times, and has a night mode without colour. When it was in trouble, it
stored the picture before once more; such a file shows nothing of its own moment.
times.csv was written by hand. It has what the clock on the wall said when each file was stored. The series began in the
evening and ended in the same night, less than six hours later.

The hole
By Torricelli's law the outflow is c A sqrt(2 g h): A is the area of the hole, h the level, c = {coefficient}, g = {gravity} m/s^2.
"""


def _minutes(rng):
    """Minutes of the eight moments, of the end, and of the first on the clock; midnight lies between them."""
    gaps = np.array([6, 7, 9, 13, 18, 27, 34]) + rng.integers(-1, 2, 7)
    minutes = np.concatenate([[0], np.cumsum(gaps)])
    dry = int(minutes[-1] / rng.uniform(0.39, 0.44))
    midnight = int(rng.integers(minutes[3] + 1, minutes[5]))
    return minutes, dry, 1440 - midnight


def _picture(rng, level, back, foam):
    zoom = rng.uniform(1.75, 2.05)
    floor = HEIGHT - int(rng.integers(14, 22))
    shift = int(rng.integers(-4, 5))
    left, right = 34 + shift, 100 + shift
    picture = np.empty((HEIGHT, WIDTH, 3), int)
    picture[:] = ROOM
    rim = floor - int(round(128 * zoom))
    picture[rim : floor + 5, left - 3 : right + 3] = WALL
    picture[rim:floor, left:right] = AIR
    surface = floor - int(round(level * zoom))
    picture[surface:floor, left:right] = WATER
    if foam:
        thick = rng.uniform(5, 7.5) * zoom
        for column in range(left, right):
            height = int(round(thick + 1.5 * np.sin(column / 3 + level)))
            picture[max(surface - height, rim) : surface, column] = FOAM
    step, colour = (12.7, RED) if back else (10.0, BLACK)
    for tick in range(int(120 / step) + 1):
        at = floor - int(round(tick * step * zoom))
        picture[at - 1 : at + 1, 9 + shift : 23 + shift] = colour
    noise = rng.integers(-2, 3, (HEIGHT // 2, WIDTH // 2)).repeat(2, 0).repeat(2, 1)
    return np.clip(picture + noise[:, :, None], 0, 255).astype(np.uint8)


def _png(picture, mode):
    if mode == 'P':
        colours, places = np.unique(picture.reshape(-1, 3), axis=0, return_inverse=True)
        image = Image.fromarray(places.reshape(picture.shape[:2]).astype(np.uint8), 'L')
        image = image.convert('P')
        image.putpalette(colours.astype(np.uint8).tobytes())
    else:
        image = Image.fromarray(np.ascontiguousarray(picture)).convert(mode)
    buffer = io.BytesIO()
    image.save(buffer, 'PNG', optimize=False)
    return buffer.getvalue()
