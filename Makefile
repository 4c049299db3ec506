# make demo    set up, then run configs/eval_demo.py
# make test    set up, then lint, types and the tests of every part, in several processes (WORKERS=0: in one)
# make test-all  the same with the soak: what continuous integration runs
# make setup   the set-up alone: .venv, the kernel environment `modern`, the embedded model
# make docs    the documentation as a site, in site/
# make lint | format | clean
#
# PYTHON=... chooses the interpreter of the harness: CPython 3.11, the reference, or 3.12.

PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || uv python find --system 3.11 2>/dev/null || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= auto
LOCK := requirements/harness.lock
UV_INSTALL = $(BIN)/python -I cibench_eval/uv_install.py -q --python $(BIN)/python

# A stamp is named by all that its content depends on, the folder of the clone included.
KEY := $(shell { cat $(LOCK) setup.py; pwd; } | sha256sum | cut -c1-12)
HARNESS := $(VENV)/harness-$(KEY).stamp
SYSTEM := $(VENV)/system-packages.stamp

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# uv compiles nothing in $(VENV): what is imported is compiled once, and must then be kept.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-all setup lint format docs clean
.DEFAULT_GOAL := setup

demo:
	@start=$$(date +%s); \
	$(MAKE) --no-print-directory setup || exit 1; \
	ready=$$(date +%s); \
	echo "set-up: $$((ready - start)) s"; \
	$(BIN)/python run.py configs/eval_demo.py; \
	code=$$?; \
	echo "run: $$(($$(date +%s) - ready)) s (set-up: $$((ready - start)) s)"; \
	exit $$code

test test-all: setup
	@$(MAKE) --no-print-directory lint
	$(BIN)/python -m pytest -n $(WORKERS) $(if $(filter test-all,$@),--soak)

setup: $(HARNESS) $(SYSTEM)
	@$(BIN)/python -m cibench_eval.cli kernel build modern
	@$(BIN)/python -m cibench_eval.cli model fetch

lint: $(HARNESS)
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy

format: $(HARNESS)
	$(BIN)/python -m ruff check --fix .
	$(BIN)/python -m ruff format .

docs: $(HARNESS)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build -q

clean:
	rm -rf $(VENV) build dist site *.egg-info .mypy_cache .pytest_cache .ruff_cache

$(HARNESS):
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info[:2] not in ((3, 11), (3, 12)))' 2>/dev/null || \
	{ echo 'harness: $(LOCK) is for CPython 3.11 and 3.12, and $(or $(PYTHON),python3) is neither: where the system has neither,' \
	'install uv (docs.astral.sh/uv), run `uv python install 3.11`, then make again; or run make PYTHON=/path/to/python' >&2; exit 1; }
	@echo 'harness: installing $(LOCK) into $(VENV) (half a minute, and the time of 1 GB of downloads)'
	@"$(PYTHON)" -m venv $(VENV)
	@command -v uv >/dev/null || $(BIN)/python -m pip install -q "$$(grep '^uv==' $(LOCK))"
	@$(UV_INSTALL) -r $(LOCK)
	@$(UV_INSTALL) --no-deps --no-build-isolation -e .
	@rm -f $(VENV)/harness-*.stamp
	@touch $@

$(SYSTEM):
	@mkdir -p $(VENV)
	@scripts/system-packages.sh
	@touch $@
