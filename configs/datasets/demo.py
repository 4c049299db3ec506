"""The demo set that comes with the package, end-to-end and oracle."""

from opencompass.openicl.icl_prompt_template import PromptTemplate

from cibench_eval.opencompass import CIBenchDataset, ExperimentRetriever, SessionEvaluator, SessionInferencer

demo_datasets = [
    dict(
        abbr=abbr,
        type=CIBenchDataset,
        builtin='demo',
        environment='modern',
        split='demo',
        reader_cfg=dict(input_columns=['questions'], output_column='references'),
        infer_cfg=dict(
            prompt_template=dict(type=PromptTemplate, template='{questions}'),
            retriever=dict(type=ExperimentRetriever),
            inferencer=dict(type=SessionInferencer, mode=mode),
        ),
        eval_cfg=dict(evaluator=dict(type=SessionEvaluator, profile='official')),
    )
    for abbr, mode in (('demo', 'end_to_end'), ('demo_oracle', 'oracle'))
]
