"""This machine: sessions side by side in sandboxed kernels, tasks one after the other."""

from cibench_eval.opencompass import SessionEvalTask, SessionInferTask, SessionPartitioner, SessionRunner

kernels = dict(environment='modern', sandbox='bubblewrap', timeout=60)
infer = dict(
    partitioner=dict(type=SessionPartitioner),
    runner=dict(type=SessionRunner, task=dict(type=SessionInferTask)),
)
eval = dict(
    partitioner=dict(type=SessionPartitioner),
    runner=dict(type=SessionRunner, task=dict(type=SessionEvalTask)),
)
