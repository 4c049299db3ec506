"""The built-in set, split template: the same questions on several data sources, one dataset a library.

`builtin_template_datasets` is end-to-end, `builtin_template_oracle_datasets` oracle;
`--datasets builtin_template` takes both. The gold outputs are those of the kernel environment `modern`.
"""

from opencompass.openicl.icl_prompt_template import PromptTemplate

from cibench_eval.opencompass import CIBenchDataset, ExperimentRetriever, SessionEvaluator, SessionInferencer

libraries = (
    'lightgbm',
    'matplotlib',
    'nltk',
    'opencv',
    'pandas',
    'pytorch',
    'scipy',
    'seaborn',
    'sklearn',
    'tensorflow',
)
shared = dict(
    type=CIBenchDataset,
    builtin='builtin',
    environment='modern',
    split='builtin_template',
    reader_cfg=dict(input_columns=['questions'], output_column='references'),
    eval_cfg=dict(evaluator=dict(type=SessionEvaluator, profile='strict')),
)
reading = dict(
    prompt_template=dict(type=PromptTemplate, template='{questions}'),
    retriever=dict(type=ExperimentRetriever),
)
builtin_template_datasets = [
    dict(
        abbr=f'builtin_template/{library}',
        path='cibench_template',
        experiments=[f'{library}/*'],
        infer_cfg=dict(inferencer=dict(type=SessionInferencer, mode='end_to_end'), **reading),
        **shared,
    )
    for library in libraries
]
builtin_template_oracle_datasets = [
    dict(
        abbr=f'builtin_template_oracle/{library}',
        path='cibench_template',
        experiments=[f'{library}/*'],
        infer_cfg=dict(inferencer=dict(type=SessionInferencer, mode='oracle'), **reading),
        **shared,
    )
    for library in libraries
]
