"""The keys of each part of a config, besides the arguments of its class."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, NonNegativeInt, PositiveInt
from pydantic_core import PydanticCustomError

from cibench_eval.agents.settings import AgentSettings
from cibench_eval.config import defaults
from cibench_eval.interpreter.environments import names
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.models.limits import Limits, Price
from cibench_eval.reports.groups import SummaryGroup

WITHOUT_EFFECT = 'without effect'
Ignored = Annotated[Any, WITHOUT_EFFECT]
"""A key that OpenCompass's own program reads and this one ignores."""


def _folder(name: str) -> str:
    if not name.strip() or '\0' in name:
        raise ValueError('the name of a folder')
    return name


def _known_environment(kernels: KernelSettings) -> KernelSettings:
    name = kernels.environment
    if '/' not in name and name not in names():
        known = f'give one of {", ".join(names())} or the path of a python'
        raise PydanticCustomError('unknown', f'environment: there is no kernel environment {name!r}; {known}')
    return kernels


Kernels = Annotated[KernelSettings, AfterValidator(_known_environment)]


class Fields(BaseModel):
    """A part of a config. Unknown keys are refused, and nothing is converted: `'8'` is no number."""

    model_config = ConfigDict(extra='forbid', strict=True, arbitrary_types_allowed=True)


class ClassFields(Fields):
    """A part that names a class."""

    type: str


class TopFields(Fields):
    """The top of a config, besides models, datasets and agents."""

    infer: dict[str, Any]
    eval: dict[str, Any]
    summarizer: dict[str, Any]
    work_dir: Annotated[str, AfterValidator(_folder)] = defaults.WORK_DIR
    kernels: Kernels | None = None
    limits: Limits | None = None
    max_sessions: PositiveInt | None = None
    reply_cache: bool | Literal['sampled'] | None = False
    epochs: Annotated[int, Field(ge=1, le=defaults.MOST_EPOCHS)] = 1
    attack: Ignored = None
    chatml_datasets: Ignored = None
    judge_cfg: Ignored = None
    judge_models: Ignored = None
    lark_bot_url: Ignored = None
    meta_judge_model: Ignored = None
    station_path: Ignored = None


TOP = ('models', 'datasets', 'agents', 'model_dataset_combinations', *TopFields.model_fields)
"""All names that have a meaning at the top of a config."""


class RunCfg(Fields):
    """The hardware that a model needs."""

    num_gpus: NonNegativeInt = 0
    num_procs: PositiveInt = 1


class ModelFields(ClassFields):
    """An entry of `models`: the keys that are for the task and not for the class."""

    abbr: Any = None
    run_cfg: RunCfg = RunCfg()
    max_out_len: PositiveInt | None = None
    batch_size: PositiveInt | None = None
    price: Price | None = None
    min_out_len: Ignored = None
    pred_postprocessor: Ignored = None
    summarizer_abbr: Ignored = None


class ReaderCfg(Fields):
    """OpenCompass's names of columns."""

    input_columns: list[str] | str | None = None
    output_column: str | None = None
    input_template: Any = None
    output_template: Any = None
    train_split: Any = None
    test_split: Any = None


class DatasetFields(ClassFields):
    """An entry of `datasets`."""

    abbr: Any = None
    infer_cfg: dict[str, Any]
    eval_cfg: dict[str, Any]
    reader_cfg: ReaderCfg | None = None
    n: Any = 1
    k: Any = 1


class InferCfg(Fields):
    """How sessions of a dataset are run."""

    inferencer: dict[str, Any]
    retriever: dict[str, Any] = {}
    prompt_template: dict[str, Any] = {}
    ice_template: dict[str, Any] = {}


class EvalCfg(Fields):
    """How steps of a dataset are scored."""

    evaluator: dict[str, Any]
    dataset_postprocessor: Ignored = None
    model_postprocessor: Ignored = None
    pred_postprocessor: Ignored = None
    pred_role: Ignored = None


class InferencerFields(ClassFields):
    """`infer_cfg.inferencer`: the arguments that are parts themselves."""

    agent: dict[str, Any] | None = None
    kernels: Kernels | None = None
    limits: Limits | None = None


class AgentFields(Fields):
    """An entry of `agents`."""

    abbr: Any = None
    protocol: dict[str, Any] = {}
    max_attempts: PositiveInt = AgentSettings.max_attempts


class StageFields(Fields):
    """`infer` and `eval`."""

    partitioner: dict[str, Any]
    runner: dict[str, Any]
    given_pred: Ignored = None


class RunnerFields(ClassFields):
    """`runner` of a stage."""

    task: dict[str, Any]


class TaskFields(ClassFields):
    """`task` of a runner."""

    cal_extract_rate: Ignored = None
    dump_details: Ignored = None
    judge_cfg: Ignored = None


class SummarizerFields(ClassFields):
    """`summarizer`, with what OpenCompass's own summarizers have."""

    summary_groups: list[SummaryGroup] | None = None
    dataset_abbrs: list[str | list[str]] | None = None
    prompt_db: Ignored = None


class CombinationFields(Fields):
    """An entry of `model_dataset_combinations`."""

    models: list[dict[str, Any]]
    datasets: list[dict[str, Any]]


class ListFile(Fields):
    """What stands beside the list in a file of judges, or in one with the model of a construction."""

    limits: Limits | None = None


class JudgeFields(ClassFields):
    """An entry of `judges`."""

    abbr: Any = None
    model: dict[str, Any]
    batch_size: PositiveInt = 8
    reply_cache: bool = True
