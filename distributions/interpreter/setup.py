"""Install the interpreter of cibench-eval alone, as the distribution `cibench-interpreter`."""

import os
import sys
import tempfile
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from parts import INTERPRETER, PACKAGE, version  # noqa: E402

CHOSEN = {
    'cibench_eval': [
        '__init__',
        'cache',
        'cli',
        'environments',
        'files',
        'notebook_libraries',
        'packages',
        'plots',
        'png',
        'registry',
        'schema',
        'start',
        'states',
        'syntax',
        'terminal',
        'uv_install',
    ],
    'cibench_eval.commands': ['__init__', '_kernel_options', 'exec', 'kernel'],
}
"""Package -> its modules that the interpreter needs. Of its own packages, which are not named here, it is all."""
BUILD = tempfile.TemporaryDirectory()
"""What building leaves: below this folder it would be taken for source, and stale modules would stay in wheels."""


class BuildChosen(build_py):
    """Takes the chosen modules of a package."""

    def find_package_modules(self, package: str, package_dir: str) -> list[tuple[str, str, str]]:
        found = super().find_package_modules(package, package_dir)
        return [module for module in found if module[1] in CHOSEN.get(package, [module[1]])]


setup(
    name='cibench-interpreter',
    version=version(),
    description='A sandboxed IPython interpreter for code that language models write',
    long_description=(HERE / 'README.md').read_text(encoding='utf-8'),
    long_description_content_type='text/markdown',
    license='Apache-2.0',
    python_requires='>=3.11',
    packages=[*CHOSEN, *find_packages(str(PACKAGE.parent), include=['cibench_eval.interpreter*'])],
    package_dir={'cibench_eval': os.path.relpath(PACKAGE, HERE)},
    package_data={'cibench_eval.interpreter': ['inside/*.py', 'inside/*.txt', 'lexnames.txt', 'locks/*.txt']},
    entry_points={'console_scripts': ['cibench = cibench_eval.start:main']},
    install_requires=[*INTERPRETER],
    cmdclass={'build_py': BuildChosen},
    options={'build': {'build_base': BUILD.name}, 'egg_info': {'egg_base': BUILD.name}},
)
