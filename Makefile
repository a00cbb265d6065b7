# make demo   sets everything up and plays one refereed game at the virtual table
# make test   sets everything up and passes the tests
# make check  the tests and everything else that must hold before a change lands
# make coverage  the tests again, and which lines none of them runs
# make oldest the tests once more, with the oldest version of every library that pyproject.toml allows
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
OLDEST := $(VENV)-oldest
DEMO   ?=
TESTS  ?=
# Processes that share the tests, one a core. Of two, one took 2.4 GB: on a Raspberry Pi with 4 GB, WORKERS=1.
WORKERS ?= auto

.PHONY: demo test check lint types floors coverage oldest clean

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "boardctl needs Python 3.11 or newer; this is $$($(PYTHON) --version). Try: make PYTHON=python3.11"; exit 2; }
	@$(PYTHON) -m venv $(VENV) || { echo "no virtual environment: on Debian and Raspberry Pi OS, run: sudo apt install python3-venv"; exit 2; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(STAMP)

demo: $(STAMP)
	$(BIN)/boardctl demo $(DEMO)

test: $(STAMP)
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(TESTS)

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

floors: $(STAMP)
	$(BIN)/lint-imports

coverage: $(STAMP)
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n $(WORKERS) --dist worksteal $(TESTS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

check: lint types floors test

oldest:
	$(PYTHON) -m venv --clear $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(OLDEST)/bin/uv pip install --quiet --python $(OLDEST) --resolution lowest-direct --editable '.[dev]'
	$(OLDEST)/bin/python -m pytest -n $(WORKERS) --dist worksteal $(TESTS)

clean:
	rm -rf $(VENV) $(OLDEST) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage .coverage.*
