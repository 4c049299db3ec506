"""What all datasets of notebooks share. A dataset adds its name, its notebooks, its split and its scoring profile."""

from opencompass.openicl.icl_prompt_template import PromptTemplate

from cibench_eval.opencompass import CIBenchDataset, ExperimentRetriever, SessionEvaluator, SessionInferencer

end_to_end = dict(
    type=CIBenchDataset,
    reader_cfg=dict(input_columns=['questions'], output_column='references'),
    infer_cfg=dict(
        prompt_template=dict(type=PromptTemplate, template='{questions}'),
        retriever=dict(type=ExperimentRetriever),
        inferencer=dict(type=SessionInferencer, mode='end_to_end'),
    ),
)
oracle = dict(
    end_to_end,
    infer_cfg=dict(end_to_end['infer_cfg'], inferencer=dict(type=SessionInferencer, mode='oracle')),
)
official = dict(evaluator=dict(type=SessionEvaluator, profile='official'))
qwen_ci = dict(evaluator=dict(type=SessionEvaluator, profile='qwen_ci'))
strict = dict(evaluator=dict(type=SessionEvaluator, profile='strict'))

generation_libraries = ('matplotlib', 'opencv', 'pandas', 'pytorch', 'scipy', 'seaborn')
template_libraries = (
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
hard_domains = ('finance', 'geography', 'images', 'medicine', 'science', 'sensors', 'sports', 'text')
levels = ('level1', 'level2', 'level3')
