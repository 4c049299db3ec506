"""A kernel that draws plots, and what is described of them."""

import asyncio

import pytest

from cibench_eval.interpreter import Interpreter, KernelSettings
from cibench_eval.plots import Plot
from tests.support.scoring import LIBRARIES

DESCRIBE = """
import matplotlib.pyplot as plt, numpy as np, pandas as pd, seaborn as sns

def describe():
    bundle, _ = get_ipython().display_formatter.mimebundle_formatter(plt.gcf())
    print(*bundle.values())
    plt.close('all')

noise = np.random.default_rng(0).normal(size=(3, 90))
names = np.repeat(['a', 'b', 'c'], 30)
frame = pd.DataFrame({'x': noise[0], 'y': noise[1], 'name': names})
dates = pd.date_range('2020', periods=8, freq='QS')
values = pd.Series([1, 3, 2, 5, 7, 4, 6, 8], index=dates)
"""
"""What happens to a figure that is shown, without the time that drawing takes."""


@pytest.fixture(scope='package')
def run():
    """Runs a code block in the kernel that all tests of this folder share."""

    def executed(code):
        execution = runner.run(interpreter.run(code))
        assert execution.error is None
        return execution

    with asyncio.Runner() as runner:
        interpreter = runner.run(Interpreter(KernelSettings(sandbox='auto', preload=LIBRARIES)).__aenter__())
        try:
            executed(DESCRIBE)
            yield executed
        finally:
            runner.run(interpreter.__aexit__(None, None, None))


@pytest.fixture(scope='package')
def plots_of(run):
    """The descriptions of what code blocks draw."""

    def described(*codes):
        done = run('\n'.join(f'{code}\ndescribe()' for code in codes))
        return [Plot.read(line) for line in done.stdout.splitlines()]

    return described
