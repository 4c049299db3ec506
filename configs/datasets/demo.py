"""A small part of the built-in set, of every split and in both languages, end-to-end and oracle."""

from opencompass.openicl.icl_prompt_template import PromptTemplate

from cibench_eval.opencompass import CIBenchDataset, ExperimentRetriever, SessionEvaluator, SessionInferencer

demo_datasets = [
    dict(
        abbr=abbr,
        type=CIBenchDataset,
        builtin='builtin',
        environment='modern',
        split='demo',
        experiments=[
            'cibench_generation/pandas/titanic',
            'cibench_template/matplotlib/lines_sunspots',
            'cibench_template/pandas/grouping_penguins',
            'cibench_template/scipy/signals_heartbeat',
            'cibench_template_chinese/opencv/colors_coffee',
            'cibench_template_chinese/sklearn/regression_carseats',
        ],
        reader_cfg=dict(input_columns=['questions'], output_column='references'),
        infer_cfg=dict(
            prompt_template=dict(type=PromptTemplate, template='{questions}'),
            retriever=dict(type=ExperimentRetriever),
            inferencer=dict(type=SessionInferencer, mode=mode),
        ),
        eval_cfg=dict(evaluator=dict(type=SessionEvaluator, profile='strict')),
    )
    for abbr, mode in (('demo', 'end_to_end'), ('demo_oracle', 'oracle'))
]
