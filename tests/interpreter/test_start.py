"""A forked kernel and a spawned one: the same outcome from all ten modules, and the same surroundings."""

import asyncio

import pytest

from cibench_eval.interpreter import Interpreter, KernelSettings, forkserver
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.schema import HarnessError
from tests.interpreter.programs import FORK, run

pytestmark = pytest.mark.kernel

WORK = {
    'pandas': """
import pandas as pd
d = pd.DataFrame({'g': list('abab'), 'x': [1.5, 2, 3, 4]})
print(d.groupby('g').x.describe())
d.x.rolling(2).mean()
""",
    'matplotlib': """
import matplotlib, matplotlib.pyplot as plt
plt.plot([1, 3, 2], label='线')
plt.title('每月')
plt.legend()
plt.show()
print(matplotlib.get_backend())
""",
    'seaborn': """
import seaborn as sns, pandas as pd
sns.set_theme()
sns.barplot(pd.DataFrame({'a': [1, 2, 3], 'b': list('xyz')}), x='b', y='a')
""",
    'scipy': """
import numpy as np
from scipy import linalg, optimize, signal, stats
print(optimize.minimize(lambda x: ((x - [1, 2]) ** 2).sum(), [0, 0]).x.round(6))
print(stats.ttest_ind([1, 2, 3, 4], [2, 3, 4, 6]))
print(linalg.svdvals(np.vander(np.arange(1, 9.0))))
signal.savgol_filter(np.sin(np.arange(20.0)), 5, 2)
""",
    'sklearn': """
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
X, y = make_blobs(300, centers=4, random_state=0)
print(KMeans(4, n_init=3, random_state=0).fit(X).inertia_)
print(cross_val_score(RandomForestClassifier(20, random_state=0, n_jobs=-1), X, y))
LogisticRegression(max_iter=500).fit(X, y).coef_
""",
    'lightgbm': """
import lightgbm as lgb, numpy as np
X = np.random.RandomState(0).rand(400, 5)
lgb.LGBMRegressor(n_estimators=20, verbose=-1).fit(X, X @ [1, 2, 0, 0, 3]).predict(X[:5])
""",
    'pytorch': """
import torch
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1))
x = torch.randn(64, 8)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(30):
    optimizer.zero_grad()
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    loss.backward()
    optimizer.step()
print(loss.item(), torch.get_num_threads())
sum(len(batch[0]) for batch in DataLoader(TensorDataset(x), batch_size=10, num_workers=1))
""",
    'tensorflow': """
import tensorflow as tf
tf.keras.utils.set_random_seed(0)
layers = [tf.keras.Input((4,)), tf.keras.layers.Dense(8, activation='relu'), tf.keras.layers.Dense(1)]
model = tf.keras.Sequential(layers)
model.compile('adam', 'mse')
x = tf.random.normal((64, 4), seed=1)
model.fit(x, tf.reduce_sum(x, 1), epochs=3, verbose=0).history
""",
    'nltk': """
import nltk
from nltk.stem import PorterStemmer
print([PorterStemmer().stem(word) for word in ['running', 'flies', 'happily']])
print(nltk.pos_tag(nltk.word_tokenize('The quick brown fox jumps over the lazy dog.')))
nltk.FreqDist('abracadabra').most_common(2)
""",
    'opencv': """
import cv2, numpy as np
image = np.zeros((80, 80, 3), np.uint8)
cv2.circle(image, (40, 40), 20, (0, 255, 0), -1)
gray = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (5, 5), 0)
print(cv2.getNumThreads(), cv2.Canny(gray, 50, 150).sum())
len(cv2.findContours(gray, 0, 2)[0])
""",
}
"""One cell a module, each with a first use of what starts threads: BLAS, OpenMP, worker processes."""

SURROUNDINGS = """\
import decimal, locale, logging, os, random, resource, signal, sys, threading, warnings
import cv2, lightgbm, matplotlib.pyplot, nltk, numpy, pandas, scipy, seaborn, sklearn, tensorflow, torch
found = dict(
    variables=dict(sorted(os.environ.items())), argv=sys.argv, path=sys.path, cwd=os.getcwd(), files=os.listdir(),
    umask=os.umask(0o22), locale=locale.setlocale(locale.LC_ALL), recursion=sys.getrecursionlimit(),
    limits=[resource.getrlimit(getattr(resource, name)) for name in dir(resource) if name.startswith('RLIMIT_')],
    signals=[str(signal.getsignal(s)).split(' at ')[0] for s in sorted(signal.valid_signals())],
    threads=sorted(t.name.rstrip('0123456789') for t in threading.enumerate()), flags=str(sys.flags),
    precision=decimal.getcontext().prec, printing=str(numpy.get_printoptions()),
    width=pandas.get_option('display.width'), rc=dict(matplotlib.rcParams),
    backend=matplotlib.get_backend(), handlers=str([type(h) for h in logging.getLogger().handlers]),
    torch=torch.get_num_threads(), names=sorted(n for n in globals() if n[0] != '_'),
)
for name, value in found.items():
    print(name, value)
"""


def shown(execution):
    """All that an execution shows, figures by their hash."""
    texts = [(output.type, output.text) for output in execution.outputs if output.type != 'stderr']
    return execution.status, execution.error, texts, [figure.sha256 for figure in execution.figures]


OPTIMIZER = """\
import sys, torch
before = set(sys.modules)
torch.optim.Adam([torch.zeros(1, requires_grad=True)])
set(sys.modules) - before
"""
"""What it imports behind TensorFlow would end the process where torch is the build for CUDA, and takes seconds."""


@pytest.mark.soak
def test_modules_do_the_same_in_the_same_surroundings():
    surroundings, optimizer, *forked = run(SURROUNDINGS, OPTIMIZER, *WORK.values(), start='fork', preload=None)
    others, *spawned = run(SURROUNDINGS, *WORK.values(), start='spawn', preload=None)
    assert surroundings.stdout.splitlines() == others.stdout.splitlines()
    assert optimizer.outputs[-1].text == 'set()', 'an optimizer of torch finds all that it imports'
    for name, one, other in zip(WORK, forked, spawned, strict=True):
        assert one.status == 'ok', (name, one.error)
        assert shown(one) == shown(other), name


@pytest.mark.soak
def test_forks_do_not_share_their_random_states():
    code = (
        'import random, numpy, ssl, tempfile, tensorflow, torch, uuid\n'
        'print(random.random())\nprint(numpy.random.rand())\n'
        'print(torch.rand(1).item())\nprint(tensorflow.random.normal([1]).numpy())\nprint(uuid.uuid4())\n'
        'print(next(tempfile._get_candidate_names()))\nprint(ssl.RAND_bytes(8))'
    )
    results = [run(code, preload=None)[0].stdout.splitlines() for _ in range(3)]
    assert [len(set(column)) for column in zip(*results, strict=True)] == [3] * 7


def test_a_process_with_threads_is_not_forked(tmp_path, monkeypatch):
    """A module that starts a thread when it is imported."""
    (tmp_path / 'restless.py').write_text(
        'import threading, time\nthreading.Thread(target=time.sleep, args=(99,)).start()'
    )
    usual = forkserver.environ_of
    monkeypatch.setattr(forkserver, 'environ_of', lambda *given: usual(*given) | {'PYTHONPATH': str(tmp_path)})
    environment = KernelEnvironment.find('modern')
    with pytest.raises(HarnessError, match=r"start 1 threads when .* set start='spawn'"):
        forkserver.ForkServer(environment, 1, ('restless',))


def test_a_python_in_a_linked_folder_is_run_in_a_sandbox(tmp_path, caplog):
    link = tmp_path / 'link'
    link.symlink_to(KernelEnvironment.find('modern').root)
    own = str(link / 'bin/python')
    (shown,) = run('1 + 1', sandbox=FORK.sandbox, environment=own, preload=('json', 'nowhere'))
    assert shown.result == '2'
    assert [line.partition(' cannot import ')[2] for line in caplog.messages] == ['nowhere; skipped']


@pytest.mark.parametrize('start', ['fork', 'spawn'])
def test_a_python_that_is_gone_is_one_line(tmp_path, start):
    own = tmp_path / 'bin' / 'python'
    own.parent.mkdir()
    own.write_text(f'#!/bin/sh\nexec {KernelEnvironment.find("modern").python} "$@"\n')
    own.chmod(0o755)

    async def session():
        async with Interpreter(KernelSettings(sandbox='none', start=start, preload=(), environment=str(own))) as one:
            own.unlink()
            await one.run('1')

    with pytest.raises(HarnessError, match=rf'{own} d(oes|id) not start: .*(No such file|not found)'):
        asyncio.run(session())
