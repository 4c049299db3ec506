"""This machine, with the libraries of the paper's experiments: what the published gold outputs were made with."""

from mmengine.config import read_base

with read_base():
    from .local import eval, infer, kernels

kernels = dict(kernels, environment='paper')
