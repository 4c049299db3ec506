"""Install the package `cibench-eval` and its console script `cibench`."""

import sys
from pathlib import Path

from setuptools import find_packages, setup

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / 'distributions'))

from parts import CORE, DATA, ENTRY_POINTS, EXTRAS, PARTS, version  # noqa: E402

setup(
    name='cibench-eval',
    version=version(),
    description='Measure how well a language model works with a Python code interpreter',
    long_description=(ROOT / 'README.md').read_text(encoding='utf-8'),
    long_description_content_type='text/markdown',
    license='Apache-2.0',
    python_requires='>=3.11',
    packages=[*find_packages(include=['cibench_eval', 'cibench_eval.*']), 'cibench_eval.configs'],
    package_dir={'cibench_eval.configs': 'configs'},
    package_data=DATA,
    entry_points=ENTRY_POINTS,
    install_requires=[
        *CORE,
        *(requirement for part in PARTS.values() for requirement in part),
        'gguf',  # `cibench model export`
        'lagent==0.2.4',
        'mmengine-lite',
        'opencompass==0.5.4',
        'torch>=2,<=2.13.0',
        'transformers<5',  # OpenCompass's Hugging Face classes call what 5 has removed
        # Without these OpenCompass and lagent install but do not import.
        'cachetools',
        'numpy<2',
        'pandas<2.3',
        'pyarrow<21',
    ],
    extras_require={
        **EXTRAS,
        'dev': [
            'faker',
            'hypothesis',
            'jupyter_client>=8.6',
            'griffe<1',  # lagent's; mkdocstrings 2 needs another package of that name
            'litellm>=1.83',
            'mcp>=2',
            'mkdocs-material',  # `make docs`
            'mkdocstrings-python<2',
            'mypy',
            'nbclient',
            'openai',  # its types say what requests of its API are
            'playwright',  # the pages of `cibench view` in Chromium
            'pre-commit',
            'pytest',
            'pytest-xdist',
            'pyzmq',
            'ruff',
            'types-psutil',
            'types-PyYAML',
        ],
    },
)
