"""All environment variables of a kernel; none is taken from the harness."""

from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.session_dirs import Layout


def environ_of(environment: KernelEnvironment, layout: Layout, threads: int) -> dict[str, str]:
    """The environment variables of a kernel, by name."""
    names = ['OMP', 'OPENBLAS', 'MKL', 'NUMEXPR']
    return {
        'PATH': f'{environment.python.parent}:/usr/bin:/bin',
        'HOME': layout.home,
        'TMPDIR': layout.tmp,
        'USER': 'agent',
        'LANG': 'C.UTF-8',
        'TZ': 'UTC',
        'IPYTHONDIR': f'{layout.home}/ipython',
        'MPLBACKEND': 'module://matplotlib_inline.backend_inline',
        'MPLCONFIGDIR': f'{layout.home}/matplotlib',
        'XDG_DATA_HOME': str(environment.share or layout.home),
        **({'NLTK_DATA': str(environment.nltk_data)} if environment.nltk_data else {}),
        'PYTHONHASHSEED': '0',
        'PYTHONDONTWRITEBYTECODE': '1',
        'OMP_WAIT_POLICY': 'PASSIVE',
        **{f'{name}_NUM_THREADS': str(threads) for name in names},
        'LOKY_MAX_CPU_COUNT': str(threads),
        'OPENCV_FOR_THREADS_NUM': str(threads),
        'TF_NUM_INTRAOP_THREADS': str(threads),
        'TF_NUM_INTEROP_THREADS': str(threads),
        'TF_CPP_MIN_LOG_LEVEL': '3',
        'TF_ENABLE_ONEDNN_OPTS': '0',
        'CUDA_VISIBLE_DEVICES': '',
        'PIP_RETRIES': '1',  # without network, pip's own five tries only wait
        'PIP_DISABLE_PIP_VERSION_CHECK': '1',
    }
