"""CIBench's template notebooks in Chinese, one dataset a library.

`cibench data fetch cibench` (or `cibench data add cibench_dataset.zip` without internet) puts the notebooks
into `data/cibench_dataset/cibench_template_chinese/`. `cibench_template_cn_datasets` is end-to-end,
`cibench_template_cn_oracle_datasets` oracle; `--datasets cibench_template_cn` takes both. The gold outputs
are those of the kernel environment `paper`, which `eval_cibench_*.py` ask for.
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
    split='template_cn',
    language='cn',
    reader_cfg=dict(input_columns=['questions'], output_column='references'),
    eval_cfg=dict(evaluator=dict(type=SessionEvaluator, profile='official')),
)
reading = dict(
    prompt_template=dict(type=PromptTemplate, template='{questions}'),
    retriever=dict(type=ExperimentRetriever),
)
cibench_template_cn_datasets = [
    dict(
        abbr=f'cibench_template_chinese/{library}',
        path='data/cibench_dataset/cibench_template_chinese',
        experiments=[f'{library}/*'],
        infer_cfg=dict(inferencer=dict(type=SessionInferencer, mode='end_to_end'), **reading),
        **shared,
    )
    for library in libraries
]
cibench_template_cn_oracle_datasets = [
    dict(
        abbr=f'cibench_template_oracle_chinese/{library}',
        path='data/cibench_dataset/cibench_template_chinese',
        experiments=[f'{library}/*'],
        infer_cfg=dict(inferencer=dict(type=SessionInferencer, mode='oracle'), **reading),
        **shared,
    )
    for library in libraries
]
