"""Install the package `cibench-eval` and its console script `cibench`."""

import re
from pathlib import Path

from setuptools import find_packages, setup

ROOT = Path(__file__).parent


def version() -> str:
    text = (ROOT / 'cibench_eval' / '__init__.py').read_text(encoding='utf-8')
    return re.search(r"^__version__ = '(.+)'$", text, re.MULTILINE).group(1)


def readme() -> str:
    path = ROOT / 'README.md'
    return path.read_text(encoding='utf-8') if path.exists() else ''


setup(
    name='cibench-eval',
    version=version(),
    description='Measure how well a language model works with a Python code interpreter',
    long_description=readme(),
    long_description_content_type='text/markdown',
    license='Apache-2.0',
    python_requires='>=3.11',
    packages=find_packages(include=['cibench_eval', 'cibench_eval.*']),
    package_data={
        'cibench_eval': [
            'agents/prompts/*.yaml',
            'construction/prompts/*',
            'construction/pages/*',
            'reports/published/*.csv',
            'interpreter/inside/*.py',
            'interpreter/inside/*.txt',
            'evaluators/judges/*.yaml',
            'interpreter/lexnames.txt',
            'interpreter/locks/*.txt',
            'models/locks/*.txt',
            'datasets/builtin/**/*',
            'datasets/builtin_hard/**/*',
            'datasets/builtin_qwen_ci/**/*',
            'datasets/formats/*.txt',
            'sets/*.txt',
            'viewer/assets/*',
            'viewer/templates/*.html',
        ]
    },
    entry_points={
        'console_scripts': ['cibench = cibench_eval.cli:main'],
        'inspect_ai': ['cibench_eval = cibench_eval.integrations.inspect_task'],  # `inspect eval cibench_eval/builtin`
    },
    install_requires=[
        'gguf',  # `cibench model export`
        'httpx',
        'imageio',
        'jinja2',
        'json-repair',
        'mmengine-lite',
        'jupytext',
        'lagent==0.2.4',
        'markupsafe',
        'matplotlib',  # figures of `cibench analyse`
        'nbformat>=5.10',
        'openai>=1',
        'opencompass==0.5.4',
        'pillow',
        'psutil',
        'pydantic>=2',
        'pyyaml',
        'rich',
        'rouge-score',
        'scikit-image',
        'scipy',
        'tenacity',
        'torch>=2,<=2.13.0',
        'typer>=0.29',
        'uv>=0.13',
        'xllamacpp==2026.10.11549',
        'typing_extensions',
        'transformers<5',  # OpenCompass's Hugging Face classes call what 5 has removed
        # Without these OpenCompass and lagent install but do not import.
        'cachetools',
        'numpy<2',
        'pandas<2.3',
        'pyarrow<21',
    ],
    extras_require={
        'faker': ['faker'],  # columns of names, addresses, … in made tables (`cibench construct data`)
        'inspect': ['inspect-ai>=0.3.200'],  # `inspect eval cibench_eval/builtin`
        'verifiers': ['verifiers>=0.2,<0.3'],  # 0.3 needs numpy 2, 0.4 has other environments
        'litellm': ['litellm>=1.83'],  # the backend `LiteLLM`
        'wandb': ['wandb>=0.31'],  # `cibench export RUN --to wandb-offline`
        'mcp': ['mcp>=2'],  # `cibench serve`
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
