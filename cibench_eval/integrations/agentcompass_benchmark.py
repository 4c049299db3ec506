"""The benchmark in AgentCompass: `python -m cibench_eval.integrations.agentcompass_benchmark run cibench none MODEL …`.

AgentCompass knows components that were imported, so this program imports ours and then is `agentcompass`. A task is an
experiment. The benchmark asks the model itself (the harness is `none`), with our loop and our backend, so the same
replies get the same scores as under `run.py`. The environment `cibench` is our sandbox for other benchmarks.
"""

import asyncio
import importlib.util
import sys
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from typing import Any

if __name__ == '__main__' and importlib.util.find_spec('agentcompass') is None:
    mend = 'pip install agentcompass==1.0.1 (CPython 3.12 or newer)'
    print(f'cibench: error: agentcompass: not installed here; {mend}', file=sys.stderr)
    sys.exit(2)

from agentcompass.benchmarks.config import RuntimeBenchmarkConfig, config_field
from agentcompass.cli import main
from agentcompass.runtime import (
    BENCHMARKS,
    AssistantContent,
    HarnessFreeBenchmark,
    Meta,
    ModelSpec,
    PreparedTask,
    RunRequest,
    RunResult,
    StepInfo,
    TaskInput,
    TaskOutput,
    TaskSpec,
    TaskStatus,
    Trajectory,
    TrajMetric,
    runtime_context,
)
from agentcompass.runtime.llm.protocol import ApiProtocol, select_api_protocol
from agentcompass.runtime.metrics import make_metric_contract

from cibench_eval.agents.session import Session
from cibench_eval.analysis.results import WHOLE
from cibench_eval.evaluators.metrics import METRICS
from cibench_eval.integrations.agentcompass_environment import SandboxEnvironment
from cibench_eval.integrations.sessions import SharedKernels, builtin_split, scores_of, sessions_of
from cibench_eval.models import OpenAICompatible
from cibench_eval.models.base import text_of
from cibench_eval.reports.comparison import RIGHT
from cibench_eval.reports.sessions import values_of
from cibench_eval.schema import CibenchError, Trace

__all__ = ['CibenchBenchmark', 'SandboxEnvironment']
SCORE = 'score'
"""What AgentCompass calls a benchmark's first metric; here the share of right steps."""


@dataclass(slots=True)
class CibenchConfig(RuntimeBenchmarkConfig):
    """Parameters of the benchmark."""

    split: str = config_field(default='cibench_template', description='Split of a built-in set.')
    path: str = config_field(default='', description='Folder of other notebooks, instead of split.')
    options: dict[str, Any] = field(
        default_factory=dict,
        metadata={'description': 'All other parameters: only, mode, protocol, max_attempts, profile, …'},
    )


@BENCHMARKS.register()
class CibenchBenchmark(HarnessFreeBenchmark):
    """The sessions of a set of notebooks."""

    id = 'cibench'
    description = 'CIBench: data science notebooks, step by step, with a Python code interpreter (arXiv:2407.10499).'
    config_class = CibenchConfig
    collect_artifacts = False
    parallel_attempts_safe = True
    metric_contract = make_metric_contract(
        primary=SCORE, binary=(WHOLE,), scalar=(SCORE, *(metric.name for metric in METRICS))
    )

    def build_config(self, req: RunRequest) -> CibenchConfig:
        own = {one.name for one in fields(CibenchConfig)} - {'options'}
        params = {name: value for name, value in req.benchmark.params.items() if name in own}
        options = {name: value for name, value in req.benchmark.params.items() if name not in own}
        return CibenchConfig(**{**params, 'model': req.model.id}, options=options)

    def load_tasks(self, req: RunRequest) -> list[TaskSpec]:
        """A task for each experiment; its category is its library."""
        config = self.build_config(req)
        path = config.path or builtin_split(config.split, config.options.get('environment', 'modern'))
        self._sessions = sessions_of(path, **config.options)
        self._shared = SharedKernels(self._sessions.settings)
        return [
            TaskSpec(one.id, one.steps[0].question, one.id.partition('/')[0], None)
            for one in self._sessions.experiments.values()
        ]

    async def prepare_task(self, task: TaskSpec, env: Any, req: RunRequest, plan: Any) -> PreparedTask:
        return PreparedTask(task.task_id, task.category, None, TaskInput(task.question), TaskOutput())

    async def run_task(
        self, task: TaskSpec, prepared: PreparedTask, req: RunRequest, plan: Any, env: Any = None
    ) -> RunResult:
        """Run the session of a task, and score it while its figures are in memory.

        Raises:
            HarnessError: the endpoint, the harness or the machine failed; AgentCompass reports an error.
        """
        experiment, context = self._sessions.experiments[task.task_id], runtime_context.get()
        settings = replace(self._sessions.settings, model_name=req.model.id, epoch=context.attempt if context else 1)
        pool, slots = await self._shared.get()
        async with given_model(req.model) as model:
            trace = await Session(experiment, model, settings, slots=slots, pool=pool).run()
        scores = await asyncio.to_thread(scores_of, trace, experiment, self._sessions.profile)
        values = values_of(scores)
        return RunResult(
            task.task_id,
            TaskStatus.COMPLETED,
            task.category,
            trajectory=told(trace),
            metrics={SCORE: values.pop(RIGHT), WHOLE: bool(values.pop(WHOLE)), **values},
            meta=Meta(extra={'steps': [one.model_dump(mode='json') for one in scores]}),
        )

    async def evaluate(
        self, task: TaskSpec, prepared: PreparedTask, result: RunResult, req: RunRequest, plan: Any, env: Any = None
    ) -> RunResult:
        return result


def given_model(spec: ModelSpec) -> OpenAICompatible:
    """The model of a request, whose key AgentCompass has read."""
    select_api_protocol(spec.api_protocol, [ApiProtocol.OPENAI_CHAT], component='benchmark cibench')
    key = 'model_api_key' if spec.api_key else None
    model = OpenAICompatible(spec.id, spec.base_url, key, generation_kwargs=spec.params or None)
    model.given = spec.api_key
    model.check()
    return model


def told(trace: Trace) -> Trajectory:
    """A session as a trajectory: a step of it is an attempt, and the first one at a step has the step's question."""
    attempts = [(step, attempt) for step in trace.steps for attempt in step.attempts]
    steps = [
        StepInfo(
            number,
            AssistantContent(reply.text, reply.reasoning, [call.model_dump() for call in reply.tool_calls]),
            TrajMetric(
                reply.tokens_in,
                reply.tokens_out,
                reply.seconds * 1000,
                sum(execution.seconds for _, execution in attempt.runs) * 1000,
                reply.finish_reason,
            ),
            user_content=step.question if attempt is step.attempts[0] else '',
            observation=[text_of(one['content']) for one in attempt.messages if one['role'] != 'assistant'],
        )
        for number, (step, attempt) in enumerate(attempts, 1)
        if (reply := attempt.reply)
    ]
    started = datetime.fromisoformat(trace.started)
    return Trajectory(steps=steps, started_at=started, finished_at=started + timedelta(seconds=trace.seconds))


if __name__ == '__main__':
    try:
        sys.exit(main(sys.argv[1:]))
    except CibenchError as problem:
        sys.exit(f'cibench: error: {problem}')
