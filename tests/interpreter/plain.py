"""Plain ipykernel in the environment of our kernels, without anything of ours: the standard for what they show."""

import os

from cibench_eval.interpreter.environments import KernelEnvironment


async def by_plain_ipykernel(codes, folder='.', env=os.environ):
    """The outputs of each code, all in one kernel, as nbclient keeps them."""
    from jupyter_client.kernelspec import KernelSpec  # here, as every process that collects tests reads this file
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient
    from nbformat.v4 import new_code_cell, new_notebook

    manager = AsyncKernelManager()
    argv = [str(KernelEnvironment.find('modern').python), '-m', 'ipykernel_launcher', '-f', '{connection_file}']
    manager._kernel_spec = KernelSpec(argv=argv, display_name='Python', language='python')
    notebook = new_notebook(cells=[new_code_cell(code) for code in codes])
    resources = {'metadata': {'path': str(folder)}}
    try:
        client = NotebookClient(notebook, km=manager, resources=resources, coalesce_streams=True)
        client.iopub_timeout = 300  # by default it loses what a busy machine takes more than four seconds to draw
        await client.async_execute(env={**env})
    finally:
        await manager.shutdown_kernel(now=True)
    return [cell.outputs for cell in notebook.cells]
