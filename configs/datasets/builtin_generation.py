"""The built-in set, split generation: long experiments, from easy to hard, one dataset a library.

`builtin_generation_datasets` is end-to-end, `builtin_generation_oracle_datasets` oracle;
`--datasets builtin_generation` takes both. The gold outputs are those of the kernel environment `modern`.
"""

from opencompass.openicl.icl_prompt_template import PromptTemplate

from cibench_eval.opencompass import CIBenchDataset, ExperimentRetriever, SessionEvaluator, SessionInferencer

libraries = (
    'matplotlib',
    'opencv',
    'pandas',
    'pytorch',
    'scipy',
    'seaborn',
)
shared = dict(
    type=CIBenchDataset,
    builtin='builtin',
    environment='modern',
    split='builtin_generation',
    reader_cfg=dict(input_columns=['questions'], output_column='references'),
    eval_cfg=dict(evaluator=dict(type=SessionEvaluator, profile='strict')),
)
reading = dict(
    prompt_template=dict(type=PromptTemplate, template='{questions}'),
    retriever=dict(type=ExperimentRetriever),
)
builtin_generation_datasets = [
    dict(
        abbr=f'builtin_generation/{library}',
        path='cibench_generation',
        experiments=[f'{library}/*'],
        infer_cfg=dict(inferencer=dict(type=SessionInferencer, mode='end_to_end'), **reading),
        **shared,
    )
    for library in libraries
]
builtin_generation_oracle_datasets = [
    dict(
        abbr=f'builtin_generation_oracle/{library}',
        path='cibench_generation',
        experiments=[f'{library}/*'],
        infer_cfg=dict(inferencer=dict(type=SessionInferencer, mode='oracle'), **reading),
        **shared,
    )
    for library in libraries
]
