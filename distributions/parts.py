"""What the distributions of this repository share. All contain the package `cibench_eval`: install one of them.

- `cibench-eval`, the repository itself: all of it, as an extension of OpenCompass;
- `cibench-core`: all but OpenCompass and what only it needs, for any Python from 3.11 on;
- `cibench-interpreter`: the interpreter alone.
"""

import re
from pathlib import Path

REPO = Path(__file__).resolve().parents[1]
PACKAGE = REPO / 'cibench_eval'
CONFIGS = REPO / 'configs'

INTERPRETER = (
    'jupytext',
    'nbformat>=5.10',
    'psutil',
    'pydantic>=2.10',  # before, it warned of fields named `model_…`
    'rich',
    'typer>=0.29',
    'typing_extensions',
    'uv>=0.13',
)
CORE = (
    *INTERPRETER,
    'httpx>=0.27',
    'jinja2',
    'json-repair',
    'markdown-it-py',
    'markupsafe',
    'numpy',
    'pillow',
    'pyyaml',
    'scipy',
)
PARTS = {
    'embedded': ['xllamacpp==2026.10.11549'],  # models in GGUF files, the demo's among them
    'figures': ['matplotlib'],  # figures of `cibench analyse`
    'official': ['imageio', 'scikit-image'],  # the scoring profile `official`
    'tables': ['pandas', 'pyarrow'],  # `cibench export`, `cibench construct`
}
"""Extras of `cibench-core`, all of which `cibench-eval` has."""
EXTRAS = {
    'env': ['websockets>=15'],  # `cibench env`, and TRL's environment over it
    'faker': ['faker'],  # columns of names, addresses, … in made tables (`cibench construct data`)
    'inspect': ['inspect-ai>=0.3.252'],  # before, it left out `-T`; `inspect eval cibench_eval/builtin`
    'litellm': ['litellm>=1.83'],  # the backend `LiteLLM`
    'mcp': ['mcp>=2'],  # `cibench serve`
    'wandb': ['pyarrow', 'wandb>=0.31'],  # `cibench export RUN --to wandb-offline`
}
"""Extras of both."""
ENTRY_POINTS = {
    'console_scripts': ['cibench = cibench_eval.start:main'],
    'inspect_ai': ['cibench_eval = cibench_eval.integrations.inspect_task'],  # `inspect eval cibench_eval/builtin`
}
DATA = {
    'cibench_eval': [
        'agents/prompts/*.yaml',
        'construction/*.txt',
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
        'datasets/builtin_claims/**/*',
        'datasets/builtin_rules/**/*',
        'datasets/builtin_long/**/*',
        'datasets/builtin_qwen_ci/**/*',
        'datasets/formats/*.txt',
        'sets/**/*.csv',
        'sets/**/*.txt',
        'sets/**/*.yaml',
        'viewer/assets/*',
        'viewer/templates/*.html',
    ],
    'cibench_eval.configs': ['**/*.py'],
}
"""Package -> its files that are no modules. Configs are no package in a clone: they stand beside it."""


def version() -> str:
    text = (PACKAGE / '__init__.py').read_text(encoding='utf-8')
    return re.search(r"^__version__ = '(.+)'$", text, re.MULTILINE).group(1)
