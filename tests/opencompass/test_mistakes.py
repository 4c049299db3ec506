"""Mistakes in configs: each is one line, before anything is written or asked."""

import shlex
import sys
from types import SimpleNamespace

import pytest

from cibench_eval.config import config_files
from cibench_eval.run.main import main
from tests.support.notebooks import config_folder, small_set

CONFIG = """
from mmengine.config import read_base

from cibench_eval.models import OpenAICompatible

with read_base():
    from .agents.react import agents
    from .datasets.small import small_datasets as datasets
    from .runtimes.local import eval, infer, kernels
    from .summarizers.cibench import summarizer

models = [dict(type=OpenAICompatible, abbr='m', path='any', base_url='http://127.0.0.1:9/v1')]
work_dir = 'out'
"""
MODEL, DATASET = 'models: m: ', 'datasets: small: '
BOTH = 'datasets: small and 1 more: '
INFERENCER, INFER = "datasets[0]['infer_cfg']['inferencer']", f'{DATASET}inferencer: '
EVALUATOR = "datasets[0]['eval_cfg']['evaluator']"
AGENT = 'agents: react: '
PROTOCOL = "agents[0]['protocol']"
RUNNER = "infer['runner']"
THEIR_RUNNER = f"{RUNNER} = dict(type='opencompass.runners.SlurmRunner', task={RUNNER}['task'], {{}})"
SAMPLING, READER = "models[0]['generation_kwargs'] = dict({})", "datasets[0]['reader_cfg']"
THEIRS = "models[0] = dict(type='opencompass.models.{}', abbr='m', {})"
LLAMA = "models[0] = dict(type='cibench_eval.models.LlamaCpp', abbr='m', {})"
VLLM = "models[0] = dict(type='cibench_eval.models.VLLM', abbr='m', path='a/b', {})"
SUMMARIZER = 'summarizer = dict(type=summarizer["type"], {})'
GROUP, IN_GROUP = SUMMARIZER.format('summary_groups=[dict({})]'), 'summarizer: summary_groups[0]: '
OWN = 'configs/eval_mistake.py'
PAIRS, IN_PAIR = 'model_dataset_combinations = {}', 'model_dataset_combinations[0]: '
PAIR = PAIRS.format('[dict({})]')

SECRET = 'sk-proj-aB3dE5fG7hI9jK1l'

MISTAKES = [
    # Secrets, which no line shows.
    (f"models[0]['key'] = '{SECRET}'", f'{MODEL}key must be the NAME of the environment variable with the API key'),
    (f"models[0]['base_url'] = 'http://me:{SECRET}@127.0.0.1:9/v1'", f'{MODEL}base_url has an @: leave user and'),
    (f"models[0]['base_url'] += '?api-key={SECRET}'", f'{MODEL}base_url has a ? or #: leave out what follows'),
    (
        SAMPLING.format(f"extra_body=dict(api_key='{SECRET}')"),
        f'{MODEL}api_key may be a secret, and the run folder would hold it; write',
    ),
    (SAMPLING.format("extra_body=dict(api_keys=['hunter2', 'hunter3'])"), f'{MODEL}api_keys may be a secret, and'),
    *(
        (THEIRS.format('OpenAI', f"path='gpt-4', {given}"), f'{MODEL}{line}')
        for given, line in (
            (f"key='{SECRET}'", "key may be a secret, and the run folder would hold it; write 'ENV' if the"),
            (f"key=['ENV', '{SECRET}']", 'key may be a secret, and'),
            ("key='hunter2'", 'key may be a secret, and'),
            (f"openai_proxy_url='http://u:{SECRET}@h/'", 'openai_proxy_url has an @: leave user'),
            (f"openai_api_base='http://h/v1?key={SECRET}'", 'openai_api_base has a ? or #: leave out'),
        )
    ),
    # The top of a config.
    ('limit = dict(run_cost=1)', 'limit: unknown; did you mean limits?'),
    ('summary_groups = []', 'summary_groups: unknown; set it in `summarizer`'),
    ("sandbox = 'none'", 'sandbox: unknown; set it in `kernels`'),
    ('runner = {}', 'runner: unknown; set it in `infer`: infer = dict(partitioner=dict(…), runner=dict(…))'),
    ('run_cost = 3', 'run_cost: unknown; set it in `limits`'),
    ('helper = 3', 'helper: unknown; nothing uses it; take it out'),
    (
        'with read_base():\n    from .datasets._base import oracle',
        'oracle: unknown; nothing in this file uses it; take it out of the import',
    ),
    ('epochs = 0', 'epochs is 0; it must be greater than or equal to 1'),
    ('epochs = 10**30', 'epochs is 1000000000000000000000000000000; it must be less than or equal to 1000'),
    ('epochs = True', 'epochs is True; it must be a whole number'),
    ('max_sessions = 0', 'max_sessions is 0; it must be greater than 0'),
    ('reply_cache = 1', "reply_cache is 1; it must be True or False or 'sampled'"),
    ('work_dir = 3', 'work_dir is 3; it must be a text'),
    ("work_dir = ''", "work_dir is ''; it must be the name of a folder"),
    (r"work_dir = 'a\0b'", r"work_dir is 'a\x00b'; it must be the name of a folder"),
    ("from pathlib import Path\nwork_dir = Path('out')", "work_dir is PosixPath('out'); a config holds texts, numbers"),
    (r"work_dir = '\ud800'", r"work_dir is '\ud800', which no file can hold"),
    # Kernels and limits.
    ("kernels = 'modern'", "kernels is 'modern'; it must be a dict"),
    *(
        (f'kernels = dict(kernels, {given})', f'kernels: {line}')
        for given, line in (
            ('timout=60', 'timout: unknown; did you mean timeout?'),
            ('timeout=0', 'timeout is 0; it must be greater than 0'),
            ('memory=4', 'memory is 4; it must be a number of bytes, at least 64 * 2**20'),
            ("preload='pandas'", "preload is 'pandas'; it must be a list"),
            ("timeout=float('inf')", 'timeout is inf; it must be a finite number'),
            ("sandbox='docker!'", "sandbox: there is no sandbox 'docker!'; there are auto, "),
            ("environment='modrn'", "environment: there is no kernel environment 'modrn'; give one of modern, "),
            ('start=None', "start is None; it must be 'fork' or 'spawn'"),
        )
    ),
    ('kernels = {1: 2}', 'kernels: 1: a key must be a text'),
    ('limits = dict(run_tokens=-1)', 'limits: run_tokens is -1; it must be greater than 0'),
    ('limits = dict(token=5)', 'limits: token: unknown; did you mean'),
    ('limits = 5', 'limits is 5; it must be a dict'),
    # Models.
    ('models = []', 'models is empty; nothing would be run'),
    ('del models', 'no models in it: set models = [dict(…)], or the sum of its lists …_models, or name some'),
    ('del datasets', 'no datasets in it: set datasets = [dict(…)], or the sum of its lists …_datasets, or'),
    ("models = ['gpt_4o']", 'models must be a list of dicts'),
    ("models[0]['retries'] = -1", f'{MODEL}retries is -1; it must be 0 or more'),
    ("models[0]['retry'] = 3", f'{MODEL}retry: unknown; did you mean retry_wait?'),
    ("models[0]['timeout'] = -5", f'{MODEL}timeout is -5; it must be 0 or more'),
    ("models[0]['timeout'] = float('nan')", f'{MODEL}timeout is nan; it must be a finite number'),
    ("models[0]['max_out_len'] = 0", f'{MODEL}max_out_len is 0; it must be greater than 0'),
    ("models[0]['max_out_len'] = 512.5", f'{MODEL}max_out_len is 512.5; it must be a whole number'),
    ("models[0]['batch_size'] = 0", f'{MODEL}batch_size is 0; it must be greater than 0'),
    ("models[0]['base_url'] = 8000", f'{MODEL}base_url is 8000; it must be a text'),
    ("del models[0]['base_url']", f'{MODEL}base_url is missing'),
    ("models[0]['key'] = ['A', 'B']", f"{MODEL}key is ['A', 'B']; it must be a text"),
    ("models[0]['generation_kwargs'] = [1]", f'{MODEL}generation_kwargs is [1]; it must be a dict'),
    (SAMPLING.format("temperature='hot'"), f"{MODEL}generation_kwargs: temperature is 'hot'; it must be a number"),
    ("models[0]['system_role'] = 'no'", f"{MODEL}system_role is 'no'; it must be True or False"),
    ("models[0]['requests_per_minute'] = 0", f'{MODEL}requests_per_minute is 0; it must be above 0, or None'),
    ("models[0]['price'] = dict(inptu=2.5)", f'{MODEL}price: inptu: unknown; did you mean input?'),
    ("models[0]['run_cfg'] = dict(num_gpu=1)", f'{MODEL}run_cfg: num_gpu: unknown; did you mean num_gpus?'),
    ("models[0]['run_cfg'] = dict(num_gpus=-1)", f'{MODEL}run_cfg: num_gpus is -1; it must be greater than'),
    ("del models[0]['type']", f'{MODEL}it has no type; set type to a class'),
    (
        "models[0]['type'] = datasets[0]['type']",
        f"{MODEL}type 'cibench_eval.opencompass.CIBenchDataset': it is no model",
    ),
    ("models[0]['type'] = dict", f"{MODEL}type is <class 'dict'>; a config holds texts, numbers, lists and dicts"),
    *(
        (f"models[0]['type'] = {kind!r}", f'{MODEL}type {kind!r}: {line}')
        for kind, line in (
            (7, 'it is no class; set type to one'),
            ('OpenAI', 'it does not say its module; write the whole name'),
            ('not a name', 'it is no class'),
            ('nowhere.Model', "there is no package 'nowhere' here"),
            (
                'cibench_eval.models.OpenAICompatibel',
                'there is no class OpenAICompatibel in cibench_eval.models; did you mean OpenAICompatible?',
            ),
            ('cibench_eval.model.VLLM', 'cannot be imported'),
            ('cibench_eval.cli.main', 'there is no class main'),
            ('opencompass.models.OpenAi', 'there is no class OpenAi in opencompass.models; did you mean OpenAI'),
            ('json.nothing.Model', 'there is no module json.nothing'),
            ('__main__.Model', "there is no package '__main__' here"),
        )
    ),
    (THEIRS.format('OpenAI', 'temprature=1.0'), f'{MODEL}temprature: unknown; did you mean temperature?'),
    (THEIRS.format('VLLMwithChatTemplate', ''), f'{MODEL}path is missing'),
    (LLAMA.format('max_seq_len=9, max_out_len=9'), f'{MODEL}max_out_len is 9 and max_seq_len 9; leave room for'),
    (LLAMA.format("base_url='x'"), f'{MODEL}base_url: unknown; there is'),
    (VLLM.format("arguments=['--dtype']"), f"{MODEL}arguments is ['--dtype']; it must be a dict"),
    (VLLM.format('variables=dict(A=1)'), f'{MODEL}variables: A is 1; it must be a text'),
    (
        "models[0] = dict(type='cibench_eval.models.TraceReplay', abbr='m', path='x', mode='both')",
        f"{MODEL}mode is 'both'; it must be 'end_to_end' or 'oracle'",
    ),
    # Names.
    ("del models[0]['abbr']", "models[0]: any has no name; set abbr='…'"),
    ("models[0]['abbr'] = 7", "models[0]: abbr is 7; it must be a text: '7'"),
    (r"models[0]['abbr'] = 'a\x1b[2Jb'", r"models[0]: abbr is 'a\x1b[2Jb'; it cannot have '\x1b'"),
    *(
        (f"models[0]['abbr'] = {sign!r} + 'a'", f'models[0]: abbr is {sign + "a"!r}; it cannot have {sign!r}')
        for sign in '\'"`\\$*?{}<>|;\0\n'
    ),
    ("models[0]['abbr'] = '../../x'", "models[0]: abbr is '../../x'; it cannot have a slash"),
    ("models[0]['abbr'] = '..'", "models[0]: abbr is '..', which is no name of a file"),
    *(
        (
            f"models[0]['abbr'] = '{sign}rf'",
            f"models[0]: abbr is '{sign}rf'; it cannot begin with a blank or one of - = + @",
        )
        for sign in '-=+@'
    ),
    ("models[0]['abbr'] = 'usage.jsonl'", "models[0]: abbr is 'usage.jsonl'; a file of a run ends like"),
    ("models[0]['abbr'] = '模' * 100", "models[0]: abbr is '模模"),
    ('models = [models[0], models[0]]', "models: two are named 'm'; give each an abbr of its own"),
    ("datasets[0]['abbr'] = '/etc/x'", "datasets[0]: abbr is '/etc/x', which is no name of a file"),
    ("datasets[0]['abbr'] = 'a/../../x'", "datasets[0]: abbr is 'a/../../x', which is no name of a file"),
    ("datasets[0]['abbr'] = 'a/' + 'b' * 250", "datasets[0]: abbr is 'a/bbb"),
    ("datasets[0]['abbr'] = '/'.join(['long'] * 300)", "datasets[0]: abbr is 'long/long"),
    ("datasets[0]['abbr'] = 'x.json/y'", "datasets[0]: abbr is 'x.json/y'; a file of a run ends like"),
    ("del datasets[0]['abbr']", 'datasets[0]: '),
    ('datasets = [*datasets, datasets[0]]', "datasets: two are named 'small'; give each an abbr of its own"),
    # Datasets.
    ('datasets = []', 'datasets is empty; nothing would be run'),
    ("datasets = dict(abbr='x')", 'datasets must be a list of dicts'),
    ("del datasets[0]['infer_cfg']", f'{DATASET}infer_cfg is missing'),
    ("datasets[0]['infer_cfg'] = dict()", f'{DATASET}infer_cfg: inferencer is missing'),
    ("datasets[0]['eval_cfg'] = dict()", f'{DATASET}eval_cfg: evaluator is missing'),
    ("datasets[0]['infer_cfg']['inferncer'] = {}", f'{DATASET}infer_cfg: inferncer: unknown; did you mean inferencer?'),
    ("datasets[0]['splitt'] = 'x'", f'{DATASET}splitt: unknown; did you mean split?'),
    ("datasets[0]['split'] = '=1+1'", f"{DATASET}split is '=1+1'; it cannot begin with one of - = + @"),
    ("datasets[0]['experiments'] = ['a', 3]", f'{DATASET}experiments[1] is 3; it must be a text'),
    ("datasets[0]['language'] = 'chinese'", f"{DATASET}language is 'chinese'; it must be 'en' or 'cn'"),
    (
        f"{READER}['test_range'] = '[:5]'",
        f"{DATASET}reader_cfg: test_range: unknown; choose by the dataset's `experiments`",
    ),
    (f"{READER}['output_column'] = 3", f'{DATASET}reader_cfg: output_column is 3; it must be a text'),
    ("for d in datasets:\n    d['envronment'] = 'x'", f'{BOTH}envronment: unknown; did you mean environment?'),
    (f"{INFERENCER}['mdoe'] = 'oracle'", f'{INFER}mdoe: unknown; did you mean mode?'),
    (f"{INFERENCER}['mode'] = 'gold'", f"{INFER}mode is 'gold'; it must be 'end_to_end' or 'oracle'"),
    (f"{INFERENCER}['kernels'] = dict(memroy=1)", f'{INFER}kernels: memroy: unknown; did you mean memory'),
    (f"{INFERENCER}['limits'] = dict(x=1)", f'{INFER}limits: x: unknown; there is'),
    (f"{INFERENCER}['model'] = 'm'", f'{INFER}model: unknown'),
    (f"{INFERENCER}['agent'] = dict(attempts=3)", f'{INFER}agent: attempts: unknown'),
    (f"{INFERENCER}['type'] = 'opencompass.openicl.icl_inferencer.GenInferencer'", f'{DATASET}'),
    (f"{INFERENCER}['type'] = {EVALUATOR}['type']", f"{INFER}type 'cibench_eval.opencompass.SessionEval"),
    (f"{EVALUATOR}['profil'] = 'strict'", f'{DATASET}evaluator: profil: unknown; did you mean profile?'),
    (f"{EVALUATOR}['tolerance'] = '1e-4'", f"{DATASET}evaluator: tolerance is '1e-4'; it must be a number"),
    (f"del {EVALUATOR}['type']", f'{DATASET}evaluator: it has no type; set type to a class'),
    ("datasets[0]['type'] = models[0]['type']", f"{DATASET}type 'cibench_eval.models.OpenAICompatible': it is no"),
    ("datasets[0]['infer_cfg']['retriever'] = dict(type='cibench_eval.opencompass.Nope')", f'{DATASET}retriever: type'),
    # Agents.
    ('agents = []', 'agents is empty; nothing would be run'),
    ("agents = ['react']", 'agents must be a list of dicts'),
    ("agents[0]['protocol'] = 'react'", f"{AGENT}protocol is 'react'; it must be a dict"),
    ("agents[0]['protocol'] = dict(example=True)", f'{AGENT}protocol: it has no type; set type to a class'),
    ("agents[0]['protocol'] = dict(type=models[0]['type'])", f"{AGENT}protocol: type 'cibench_eval.models.OpenAI"),
    (f"{PROTOCOL}['type'] = 'cibench_eval.agents.React'", f"{AGENT}protocol: type 'cibench_eval.agents.React': there"),
    (f"{PROTOCOL}['exemple'] = True", f'{AGENT}protocol: exemple: unknown; did you mean example?'),
    (f"{PROTOCOL}['observation_limit'] = '1024'", f"{AGENT}protocol: observation_limit is '1024'; it must be a whole"),
    ("agents[0]['max_attempts'] = 0", f'{AGENT}max_attempts is 0; it must be greater than 0'),
    ("agents[0]['history'] = 'finl'", f"{AGENT}history is 'finl'; it must be 'final' or 'all'"),
    ("agents[0]['histroy'] = 'all'", f'{AGENT}histroy: unknown; did you mean history?'),
    ("agents[0]['abbr'] = 'x' * 100", 'agents: xxxx'),
    ("agents[0]['abbr'] = ''", "agents[0]: abbr is '', which is no name of a file"),
    ("agents[0]['abbr'] = 'a/b'", "agents: a/b: abbr is 'a/b'; it cannot have a slash"),
    ('agents = [agents[0], agents[0]]', "agents[1] has the abbr 'react' of another"),
    ("agents = [agents[0], dict(protocol=agents[0]['protocol'])]", 'agents[1] has no abbr'),
    # Stages and the summarizer.
    ('infer = None', 'infer is None; it must be a dict'),
    ('eval = []', 'eval is []; it must be a dict'),
    ("del infer['runner']", 'infer: runner is missing'),
    ("infer['runer'] = {}", 'infer: runer: unknown; did you mean runner?'),
    ("infer['partitioner'] = 'naive'", "infer: partitioner is 'naive'; it must be a dict"),
    ("infer['partitioner']['num'] = 4", 'infer: partitioner: num: unknown; there is'),
    ("infer['partitioner'] = dict(n=1)", 'infer: partitioner: it has no type; set type to a class'),
    (f"del {RUNNER}['task']", 'infer: runner: task is missing'),
    (f"{RUNNER}['workers'] = 4", 'infer: runner: workers: unknown; did you mean max_num_workers?'),
    (f"{RUNNER}['max_num_workers'] = 0", 'infer: runner: max_num_workers is 0; it must be greater than 0'),
    (f"{RUNNER}['debug'] = 'yes'", "infer: runner: debug is 'yes'; it must be True or False"),
    (f"{RUNNER}['task']['typ'] = 1", 'infer: task: typ: unknown; did you mean type?'),
    ("eval['runner']['task'] = dict()", 'eval: task: it has no type; set type to a class'),
    (THEIR_RUNNER.format("partitio='x'"), 'infer: runner: partitio: unknown; did you mean partition?'),
    ('summarizer = None', 'summarizer is None; it must be a dict'),
    (SUMMARIZER.format('dataset_abbrs="x"'), "summarizer: dataset_abbrs is 'x'; it must be a list"),
    (SUMMARIZER.format('summary_groups=dict()'), 'summarizer: summary_groups is {}; it must be a list'),
    (GROUP.format('subsets=["a"]'), f'{IN_GROUP}name is missing'),
    (GROUP.format('name="a", subsets=[3]'), f'{IN_GROUP}subsets[0] is 3'),
    (GROUP.format('name="a", subsets=["b"], wieghts={}'), f'{IN_GROUP}wieghts: unknown; did you mean weights?'),
    (GROUP.format('name="a", subsets=["b"], weights=dict(b="x")'), f"{IN_GROUP}weights: b is 'x'; it must be a number"),
    (GROUP.format('name="a", subsets=[]'), f'{IN_GROUP}subsets is []; it'),
    ("summarizer = dict(type='cibench_eval.opencompass.Nope')", "summarizer: type 'cibench_eval.opencompass.Nope'"),
    # Pairs.
    (PAIRS.format('dict(models=models)'), 'model_dataset_combinations: it is {'),
    (PAIRS.format('[]'), 'model_dataset_combinations: it is empty; nothing would be run'),
    (PAIRS.format('[models]'), f'{IN_PAIR}it is ['),
    (PAIR.format('models=models'), f'{IN_PAIR}datasets is missing'),
    (PAIR.format('model=models, models=models, datasets=datasets'), f'{IN_PAIR}model: unknown; did you mean models?'),
    (PAIR.format('models=[], datasets=datasets'), f'{IN_PAIR}models: it is empty'),
    (
        PAIR.format("models=[dict(models[0], abbr='x')], datasets=datasets"),
        f'{IN_PAIR}models: x is not in the config, which has m',
    ),
    (
        PAIR.format("models=models, datasets=[dict(datasets[0], split='x')]"),
        f'{IN_PAIR}datasets: small differs from the entry of this name in the config',
    ),
    # Files that cannot be read as configs; `test_config_language.py` has the causes.
    ('import sys\nsys.exit(0)', 'cannot be read as a config: '),
    ('def f():\n    f()\n\n\nf()', 'cannot be read as a config: '),
    ('with open("x"):\n    pass', 'cannot be read as a config: '),
    ("models[0]['f'] = lambda: 1", f'{MODEL}f is <function'),
    ("models[0]['s'] = {1, 2}", f'{MODEL}s is {{1, 2}}; a config holds texts, numbers, lists and dicts'),
]


@pytest.fixture(scope='module')
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp('mistakes')
    config_folder(folder, small_set(folder / 'data'))
    return folder


@pytest.fixture
def run(project, monkeypatch, capsys):
    """Run a command line in the project; its exit code and the lines that it says."""
    monkeypatch.chdir(project)
    monkeypatch.setattr(sys, 'argv', ['run.py'])

    def start(*words):
        try:
            code = main([*words])
        except SystemExit as ended:
            code = ended.code
        return code, capsys.readouterr().err.strip().splitlines()

    return start


@pytest.fixture
def edited(project, run):
    """Run CONFIG with an edit of it; its exit code and the lines that it says."""

    def start(edit, *words):
        (project / OWN).write_text(f'{CONFIG}\n{edit}\n')
        return run(OWN, *words)

    return start


@pytest.mark.parametrize(('edit', 'line'), MISTAKES, ids=[edit.splitlines()[-1] for edit, _ in MISTAKES])
def test_a_mistake_is_one_line(edited, edit, line):
    code, said = edited(edit, '--dry-run')
    assert code == 2, said
    assert [text.startswith(f'error: {OWN}: {line}') for text in said] == [True], said
    assert SECRET not in str(said)


@pytest.mark.parametrize('key', ['ENV', 'EMPTY', 'MY_API_KEY', 'my_key_here'])
def test_a_name_of_a_variable_is_no_secret_in_a_model_of_any_class(edited, monkeypatch, key):
    """Templates with beginnings and ends of turns are none either."""
    monkeypatch.setenv('my_key_here', 'x')
    given = f"path='gpt-4', key={key!r}, meta_template=dict(round=[dict(role='HUMAN', begin='?a=b@c', end='')])"
    said = edited(THEIRS.format('OpenAI', given), '--dry-run')
    assert 'secret' not in str(said), said


@pytest.mark.parametrize(
    ('words', 'line'),
    [
        ('configs/', 'configs: is a folder; name a config in it; there is eval_'),
        ('configs/eval.json', 'configs/eval.json: no Python file; configs are Python files (*.py)'),
        ('configs/eval_dmo.py', 'configs/eval_dmo.py: no such config file; there is eval_demo.py'),
        (f'{OWN} --agents react,tool_calls', 'react,tool_calls: one name; write several apart: react'),
        ('--epochs two', "argument --epochs: 'two' is no whole number; see "),
        ('--epochs 0', 'argument --epochs: 0 is less than 1; see '),
        ('--epochs 1001', 'argument --epochs: 1001 is more than 1000; see '),
        ('--model gold_replay', '--model: no such flag; did you mean --models?; see '),
        (f'{OWN} configs/eval_other.py', 'configs/eval_other.py: a second config; run one after the'),
        (f'--models gold_replay {OWN}', 'configs/eval_mistake.py: taken for one of --models; name it'),
        (f'-r {OWN}', 'configs/eval_mistake.py: taken for the run of -r; name it first: '),
        (f"{OWN} -w ''", 'argument -w/--work-dir: it is empty; is a variable of the shell not set?'),
        ('--max-workers-per-gpu 0', 'argument --max-workers-per-gpu: 0 is less than 1; see '),
        (f'{OWN} -r .', '-r .: takes the name of a run; give -w /'),
        (f'{OWN} -r some/run', '-r some/run: takes the name of a run; give -w some -r run'),
        (f'{OWN} --agents mcp', 'agents: mcp: waits for an MCP client; sit the run with `cibench serve`'),
        (f'{OWN} --force', '--force: keeps sessions of an earlier run; say which with -r'),
        (f'{OWN} -p gpu', '--partition: only jobs of Slurm have that; give --slurm -p PARTITION'),
        ('--models gold_replay', 'python run.py: name a config file, or both --models and --datasets'),
        (f'{OWN} -m eval', '-m eval: say which run with -r (the latest) or -r TIMESTAMP'),
        (f'{OWN} -r 20010101_000000', '-r 20010101_000000: no such run in out; there is none'),
        (f'{OWN} --slurm', "--slurm: name the partition with -p, or as the runner's `partition`"),
        (f'{OWN} --config-dir nowhere', '--config-dir nowhere: no such folder'),
        (f'{OWN} --datasets gold_replay', 'configs/datasets: no file gold_replay.py; there is configs'),
        (f'{OWN} -w taken/deeper', 'taken: is no folder, and the run is to be kept in it; name another'),
        (f'{OWN} -w caf\udce9', 'caf'),
    ],
)
def test_a_mistake_of_a_command_line_is_one_line(project, run, words, line):
    (project / OWN).write_text(CONFIG)
    for name in ('taken', 'configs/eval.json'):
        (project / name).touch()
    code, said = run(*shlex.split(words), '--dry-run')
    assert code == 2
    assert [text.startswith(f'error: {line}') for text in said] == [True], said


@pytest.mark.parametrize('limit', ['run_cost', 'session_cost'])
def test_a_limit_of_a_cost_that_is_not_known_is_refused(edited, limit):
    edit, price = f'limits = dict({limit}=1)', 'price=dict(input=1, output=2)'
    code, said = edited(edit, '--dry-run')
    assert (code, len(said)) == (2, 1)
    assert said[0].startswith(f'error: limits: {limit}: model m has no price, so what it costs is not known; give it')
    edit += f"\nmodels = [dict(models[0], abbr='a', {price}), models[0], dict(models[0], abbr='b', {price})]"
    assert edited(edit, '--dry-run')[1] == said, 'the one in the middle has none'
    assert edited(f'{edit}\nmodels[1].update({price})', '--dry-run')[0] == 0


def test_all_names_that_are_no_files_are_told(run):
    code, said = run('--models', 'gold_reply', 'gpt5', '--datasets', 'smal')
    assert code == 2
    assert [line.partition(';')[0].rpartition(' ')[2] for line in said] == ['gold_reply.py', 'gpt5.py', 'smal.py']


def test_a_key_of_the_wrong_level_is_told_where_it_belongs(edited):
    model = "type='cibench_eval.models.OpenAICompatible', path='x', base_url='http://127.0.0.1:9/v1', abbr='m'"
    for more, line in (
        (', temperature=0.5', 'temperature: unknown here; did you mean generation_kwargs=dict(temperature=…)?'),
        (', temprature=0.5', 'temprature: unknown here; did you mean generation_kwargs=dict(temperature=…)?'),
        (
            ', generation_kwargs=dict(max_out_len=5)',
            'generation_kwargs: max_out_len: unknown here; it stands beside generation_kwargs, not in it',
        ),
        (', generation_kwargs=dict(temprature=1)', 'generation_kwargs: temprature: unknown; did you mean temperature?'),
    ):
        code, said = edited(f'models[0] = dict({model}{more})', '--dry-run')
        assert code == 2
        assert [one.endswith(line) for one in said] == [True], said


def test_a_config_that_is_not_utf_8_is_told_so(project, run):
    (project / OWN).write_text(CONFIG, encoding='utf-16')
    code, said = run(OWN, '--dry-run')
    assert (code, len(said)) == (2, 1)
    assert said[0].endswith('it is in UTF-16; save it as UTF-8')


def test_every_mistake_of_a_config_is_named_at_once_up_to_twenty(project, edited):
    code, said = edited('kernels = dict(timeout=-1, memory=0)\nlimit = {}')
    assert code == 2
    assert [line.removeprefix(f'error: {OWN}: ') for line in said] == [
        'limit: unknown; did you mean limits?',
        'kernels: memory is 0; it must be a number of bytes, at least 64 * 2**20',
        'kernels: timeout is -1; it must be greater than 0',
    ]
    code, said = edited('models[0].update({f"option{n}": n for n in range(50)})')
    assert (code, len(said), said[-1]) == (2, 21, 'error: and 30 more')
    assert not (project / 'out').exists()


def test_names_that_a_config_uses_are_its_own(project, edited):
    names = "few = ['math/a']\n_private = 1\nfor turn in range(2):\n    datasets[0]['experiments'] = few\n"
    assert edited(names, '--models', 'gold_replay', '--dry-run') == (0, [])
    assert not (project / 'out').exists(), 'a dry run writes nothing'


def test_a_typing_error_in_a_file_that_is_taken_whole_is_seen(project, run):
    (project / 'configs/eval_base.py').write_text(f'{CONFIG}\nkernel = dict(timeout=5)\n')
    star = 'from mmengine.config import read_base\n\nwith read_base():\n    from .eval_base import *\n'
    (project / OWN).write_text(star)
    assert run(OWN) == (2, ['error: configs/eval_base.py: kernel: unknown; did you mean kernels?'])


@pytest.mark.parametrize(
    ('file', 'text', 'line'),
    [
        ('models/x.py', 'models = [{}]\nlimits = {{}}', 'limits: unknown; only models is taken from this file'),
        ('models/x.py', 'model = {}', 'has no variable models, so it adds nothing'),
        ('models/x.py', 'models = {}', 'models must be a list of dicts'),
        ('models/x.txt', '', 'no Python file; configs are Python files (*.py)'),
        ('runtimes/x.py', 'kernel = {{}}', 'kernel: unknown; did you mean kernels?'),
        ('summarizers/x.py', 'x = 1', 'has no variable summarizer, so it adds nothing'),
        ('summarizers/x.py', 'summarizer = {{}}\nx = 1', 'x: unknown; only summarizer is taken from this file'),
        ('agents/x.py', 'agents = [3]', 'agents must be a list of dicts'),
        ('datasets/x.py', 'x_datasets = [3]', 'x_datasets must be a list of dicts'),
        ('datasets/x.py', 'datasets = []', 'has no variable *_datasets, so it adds nothing'),
    ],
)
def test_mistakes_in_drop_in_files_name_them(project, run, file, text, line):
    path = project / 'configs' / file
    path.write_text(text.format("dict(type='cibench_eval.models.GoldReplay', abbr='x')"))
    axis, name = file.split('/')
    words = {'models': 'gold_replay', 'datasets': 'small', axis: name if name.endswith('.txt') else 'x'}
    if name.endswith('.txt'):
        words[axis] = str(path)
    given = [word for key, value in words.items() for word in (f'--{SINGULAR.get(key, key)}', value)]
    try:
        code, said = run(*given, '--dry-run')
    finally:
        path.unlink()
    assert code == 2
    assert f'{axis}/{name}: {line}' in said[0]


SINGULAR = {'runtimes': 'runtime', 'summarizers': 'summarizer'}
"""Folder of drop-in files -> its option, where it is not called as the folder."""


def test_keys_that_opencompass_alone_reads_are_named_and_not_refused(edited, caplog):
    edits = "lark_bot_url = 'x'\ndatasets[0]['eval_cfg']['pred_role'] = 'BOT'\ninfer['runner']['max_num_workers'] = 4\n"
    caplog.set_level('INFO')
    assert edited(edits, '--models', 'gold_replay', '--dry-run')[0] == 0
    assert "lark_bot_url, pred_role, max_num_workers: without effect here; OpenCompass's own program" in caplog.text


@pytest.mark.parametrize('said', ['You must specify a config file path, or', 'The provided pattern matches 0 or more'])
def test_a_line_for_opencompass_without_a_model_or_a_dataset(said, monkeypatch, capsys):
    def refuse(words):
        raise ValueError(f'{said} …')

    monkeypatch.setitem(sys.modules, 'cibench_eval.opencompass.program', SimpleNamespace(main=refuse))
    assert main(['--hf-type', 'chat', '--datasets', 'demo']) == 2
    assert capsys.readouterr().err.splitlines()[-1].endswith(f': {said} …')


def test_a_hugging_face_model_without_a_gpu(monkeypatch, capsys):
    monkeypatch.setenv('CUDA_VISIBLE_DEVICES', '')
    lines = []
    monkeypatch.setitem(sys.modules, 'cibench_eval.opencompass.program', SimpleNamespace(main=lines.append))
    assert main(['--hf-path', 'a/b', '--datasets', 'demo']) == 0
    assert lines[0][-2:] == ['--config-dir', str(config_files.folder())]  # where `demo` is, in a clone and without one
    first, second = capsys.readouterr().err.splitlines()
    assert first == '--hf-path: of OpenCompass alone; its own program goes on from here'
    assert second.endswith('none is seen here; --hf-num-gpus 0 takes the processor')
    assert main(['--hf-path=a/b', '--hf-num-gpus=0', '--datasets', 'demo']) == 0
    assert len(capsys.readouterr().err.splitlines()) == 1
