"""Install cibench-eval without OpenCompass, as the distribution `cibench-core`."""

import os
import sys
import tempfile
from pathlib import Path

from setuptools import find_packages, setup

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from parts import CONFIGS, CORE, DATA, ENTRY_POINTS, EXTRAS, PACKAGE, PARTS, version  # noqa: E402

BUILD = tempfile.TemporaryDirectory()
"""What building leaves: below this folder it would be taken for source, and stale modules would stay in wheels."""

setup(
    name='cibench-core',
    version=version(),
    description='Measure how well a language model works with a Python code interpreter, without OpenCompass',
    long_description=(HERE / 'README.md').read_text(encoding='utf-8'),
    long_description_content_type='text/markdown',
    license='Apache-2.0',
    python_requires='>=3.11',
    packages=[
        *find_packages(str(PACKAGE.parent), include=['cibench_eval', 'cibench_eval.*']),
        'cibench_eval.configs',
    ],
    package_dir={
        'cibench_eval': os.path.relpath(PACKAGE, HERE),
        'cibench_eval.configs': os.path.relpath(CONFIGS, HERE),
    },
    package_data=DATA,
    entry_points=ENTRY_POINTS,
    install_requires=[*CORE],
    extras_require={**PARTS, **EXTRAS, 'verifiers': ['verifiers>=0.4,<0.5']},  # needs numpy 2
    options={'build': {'build_base': BUILD.name}, 'egg_info': {'egg_base': BUILD.name}},
)
