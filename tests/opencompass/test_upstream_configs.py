"""A whole config as OpenCompass's users have it for CIBench: its agent, its inferencer, its evaluator, its stages."""

import json

import pytest

from cibench_eval.agents import ReAct
from cibench_eval.config.assembly import assembled
from cibench_eval.run.arguments import parser
from cibench_eval.run.main import main
from cibench_eval.schema import INTERPRETER, CibenchError
from tests.support.notebooks import small_set
from tests.support.runs import change, run_folder

CONFIG = """
from mmengine.config import read_base
from lagent.agents.react import ReActProtocol
from opencompass.datasets import CIBenchDataset, CIBenchEvaluator
from opencompass.lagent.actions.ipython_interpreter import IPythonInterpreter
from opencompass.lagent.agents.react import CIReAct
from opencompass.models.lagent import FEWSHOT_INSTRUCTION, FORCE_STOP_PROMPT_EN, LagentAgent
from opencompass.openicl.icl_inferencer import AgentInferencer
from opencompass.openicl.icl_prompt_template import PromptTemplate
from opencompass.openicl.icl_retriever import ZeroRetriever
from opencompass.partitioners import NaivePartitioner
from opencompass.runners import LocalRunner
from opencompass.tasks import OpenICLEvalTask, OpenICLInferTask
from cibench_eval.models import GoldReplay

with read_base():
    from opencompass.configs.summarizers.cibench import summarizer

datasets = [
    dict(
        abbr=f'cibench_generation/math{suffix}',
        type=CIBenchDataset,
        path='./data/cibench_generation/math',
        internet_check=False,
        reader_cfg=dict(input_columns=['questions'], output_column='references', train_split='test', test_split='test'),
        infer_cfg=dict(
            prompt_template=dict(type=PromptTemplate, template='{questions}'),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=AgentInferencer, infer_mode=infer_mode),
        ),
        eval_cfg=dict(evaluator=dict(type=CIBenchEvaluator), pred_role='BOT'),
    )
    for suffix, infer_mode in (('', 'every'), ('_oracle', 'every_with_gt'))
]
models = [
    dict(
        abbr='theirs',
        summarizer_abbr='theirs',
        type=LagentAgent,
        agent_type=CIReAct,
        max_turn=2,
        llm=dict(abbr='inside', type=GoldReplay),
        actions=[dict(type=IPythonInterpreter, description='Runs it.', user_data_dir='./data/datasources')],
        protocol=dict(
            type=ReActProtocol,
            call_protocol=FEWSHOT_INSTRUCTION,
            force_stop=FORCE_STOP_PROMPT_EN,
            finish=dict(role='FINISH', begin='Answer:', end='\\n'),
        ),
        batch_size=1,
    )
]
infer = dict(
    partitioner=dict(type=NaivePartitioner),
    runner=dict(type=LocalRunner, max_num_workers=4, task=dict(type=OpenICLInferTask)),
)
eval = dict(partitioner=dict(type=NaivePartitioner), runner=dict(type=LocalRunner, task=dict(type=OpenICLEvalTask)))
kernels = dict(preload=[])
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project of somebody who has no configs of ours."""
    small_set(tmp_path / 'set')
    (tmp_path / 'data').mkdir()
    (tmp_path / 'set/small').rename(tmp_path / 'data/cibench_generation')
    (tmp_path / 'configs').mkdir()
    (tmp_path / 'configs/eval_theirs.py').write_text(CONFIG)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def config(*words):
    return assembled(parser().parse_args(['configs/eval_theirs.py', *words]))


def instructions(agent, language='en'):
    protocol = {key: value for key, value in agent['protocol'].items() if key != 'type'}
    (message,) = ReAct(**protocol).opening(language)
    return message['content']


@pytest.mark.kernel
def test_it_runs_as_it_is(project, caplog):
    caplog.set_level('INFO')
    assert main(['configs/eval_theirs.py', '-w', 'out']) == 0
    folder = run_folder(project)
    assert "OpenCompass's LagentAgent; its model is asked by ReAct with its prompt and attempts" in caplog.text
    assert "infer and eval: OpenCompass's own partitioner and tasks know no agents" in caplog.text
    for dataset in ('math', 'math_oracle'):
        scores = json.loads((folder / f'results/theirs/cibench_generation/{dataset}.json').read_text())
        assert scores['numeric_correct'] == 100.0


def test_its_instructions_are_lagents(project):
    """The text that lagent makes of the protocol; OpenCompass's actions are known by name and description."""
    from lagent.agents.react import ReActProtocol  # here, because every process of the tests reads every test file
    from opencompass.models.lagent import FEWSHOT_INSTRUCTION

    class Actions:
        def get_actions_info(self):
            return {INTERPRETER: 'Runs it.'}

        def action_names(self):
            return [INTERPRETER]

    finish = {'role': 'FINISH', 'begin': 'Answer:', 'end': '\n'}
    (theirs,) = ReActProtocol(call_protocol=FEWSHOT_INSTRUCTION, finish=finish).format([], [], Actions())
    (agent,) = config()['agents']
    assert instructions(agent) == instructions(agent, 'cn') == theirs['content']
    assert agent['max_attempts'] == 2


def as_in_examples(project):
    """The config in the form of `examples/eval_cibench_api.py`: a `CodeAgent`, whose agent has options of roles."""
    path = project / 'configs/eval_theirs.py'
    change(path, 'import FEWSHOT_INSTRUCTION, FORCE_STOP_PROMPT_EN, LagentAgent', 'import CodeAgent')
    change(path, 'type=LagentAgent', 'type=CodeAgent')
    change(path, 'type=GoldReplay)', 'type=GoldReplay, max_out_len=8)')
    change(path, 'batch_size=1,', 'batch_size=2,\n        use_system_role=False,\n        merge_adjacent_role=True,')
    change(path, 'call_protocol=FEWSHOT_INSTRUCTION', "call_protocol='{thought} a {finish}'")
    change(path, 'force_stop=FORCE_STOP_PROMPT_EN', "thought=dict(role='THOUGHT', begin='思考： ')")
    return path


def test_a_code_agent_of_theirs_with_an_unused_list(project, caplog):
    """As in `examples/eval_cibench.py`, whose tools stand in it twice."""
    with as_in_examples(project).open('a') as file:
        file.write('actions = [dict(type=IPythonInterpreter)]\n')
    made = config()
    (agent,), (model,) = made['agents'], made['models']
    assert 'eval_theirs.py: actions: unknown; nothing uses it' in caplog.text
    assert instructions(agent) == '思考：  a Answer:' and agent['max_attempts'] == 2
    assert agent['protocol']['prompt']['labels'].items() >= {'thought': '思考', 'final': 'Answer'}.items()
    assert model.pop('type') == 'cibench_eval.models.GoldReplay'
    assert model == {'abbr': 'theirs', 'summarizer_abbr': 'theirs', 'max_out_len': 8, 'batch_size': 2}


def test_a_code_agent_with_its_defaults(project):
    from opencompass.models.lagent import FEWSHOT_INSTRUCTION

    path = as_in_examples(project)
    before, _, after = path.read_text().partition('        agent_type')
    path.write_text(f'{before}        llm=dict(type=GoldReplay),\n    )\n]\n{after[after.index("infer =") :]}')
    (agent,) = config()['agents']
    assert instructions(agent).startswith(FEWSHOT_INSTRUCTION.partition('{')[0]) and agent['max_attempts'] == 3


@pytest.mark.parametrize(
    ('text', 'begins'),
    [('CALL_PROTOCOL_CN', '你是一个可以调用外部工具的助手'), ("'Use {action_names}.'", "Use ['IPython")],
)
def test_its_prompt_may_be_another(project, text, begins):
    from lagent.agents.react import CALL_PROTOCOL_CN

    path = project / 'configs/eval_theirs.py'
    change(path, 'call_protocol=FEWSHOT_INSTRUCTION', f'call_protocol={text}')
    change(path, 'import ReActProtocol', 'import CALL_PROTOCOL_CN, ReActProtocol')
    (agent,) = config()['agents']
    assert instructions(agent).startswith(begins)
    assert CALL_PROTOCOL_CN.startswith('你是一个可以调用外部工具的助手')


@pytest.mark.soak
@pytest.mark.kernel
def test_agents_and_epochs_of_ours_beside_their_stages(project):
    """OpenCompass's partitioner knows neither, and would leave them out."""
    with (project / 'configs/eval_theirs.py').open('a') as file:
        file.write('epochs = 2\n')
    assert main(['configs/eval_theirs.py', '--agents', 'react_paper', 'code_block', '-w', 'out']) == 0
    files = {str(path.relative_to(project)) for path in run_folder(project).glob('results/*/*/*.json')}
    assert len(files) == 8
    assert {path.split('/')[3] for path in files} == {'theirs--react_paper', 'theirs--code_block'}


@pytest.mark.parametrize(
    ('old', 'new', 'said'),
    [
        ('agent_type=CIReAct', "agent_type='lagent.agents.Rewoo'", 'theirs: LagentAgent of Rewoo: only ReAct agents'),
        ("begin='Answer:'", "begin='<answer>'", "protocol: '<answer>': replies are read here by words with a colon"),
        ("begin='Answer:'", "start='Answer:'", 'theirs: LagentAgent: protocol and actions must be as lagent has them'),
        ('actions=[dict(type=IPythonInterpreter', 'actions=[str(IPythonInterpreter), dict(type=0', 'must be as lagent'),
        ('=FEWSHOT_INSTRUCTION', "='{tools}'", "call_protocol: 'tools': no field of it; there are {tool_description}"),
        (']\ninfer', "]\nmodels += [dict(models[0], abbr='other', max_turn=5)]\ninfer", 'differ in prompt or max_turn'),
    ],
)
def test_what_cannot_be_taken_over_is_one_line(project, old, new, said):
    change(project / 'configs/eval_theirs.py', old, new)
    with pytest.raises(CibenchError, match=r'^[^\n]*$') as caught:
        config()
    assert said in str(caught.value)
