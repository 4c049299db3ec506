"""Wheels made on the spot: a folder of them is a package index for uv."""

import zipfile
from pathlib import Path


def publish(index: Path, requirement: str, files: dict[str, bytes], needs: str = '') -> None:
    """Put a wheel of these files into the folder `index`; it says that it needs another package, if one is named."""
    name, version = requirement.replace('-', '_').split('==')
    with zipfile.ZipFile(index / f'{name}-{version}-py3-none-any.whl', 'w') as wheel:
        info = f'{name}-{version}.dist-info'
        requires = f'Requires-Dist: {needs}\n' if needs else ''
        wheel.writestr(f'{info}/METADATA', f'Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{requires}')
        wheel.writestr(f'{info}/WHEEL', 'Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n')
        wheel.writestr(f'{info}/RECORD', '')
        for path, content in files.items():
            wheel.writestr(path, content)
