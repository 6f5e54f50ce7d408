# Everything sets itself up: a fresh machine needs python3, pip, g++ and make.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
CODE   := src tests benchmarks reproduce training docs
CORE   := $(wildcard src/core/*.cpp src/core/*.hpp src/core/*.inc) CMakeLists.txt

.PHONY: help demo test test-slow lint types bench fuzz docs stub clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(STAMP) ## set up, then score the example set
	@$(BIN)/assay demo

test: $(STAMP) lint types ## set up, then lint, types and tests
	@$(BIN)/python -m pytest -m "not slow"

test-slow: $(STAMP) ## the simulations and big workloads as well
	@$(BIN)/python -m pytest

lint: $(STAMP)
	@$(BIN)/ruff check -q $(CODE) && $(BIN)/ruff format -q --check $(CODE) && echo "lint: clean"

types: $(STAMP)
	@$(BIN)/mypy

bench: $(STAMP) ## speed and memory as ratios to peers, which are installed into .bench
	@$(BIN)/python benchmarks/run.py

fuzz: $(VENV)/pyvenv.cfg ## the core under AddressSanitizer against random bytes
	@sh tests/fuzz/run.sh

docs: $(STAMP) ## the documentation as a site in build/site, to open from disk
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict -q && echo "build/site/index.html"

stub: $(STAMP) ## write src/assay/_core.pyi anew from the compiled core
	@$(BIN)/python -m nanobind.stubgen -q -m assay._core -o src/assay/_core.pyi

clean: ## remove what was built
	rm -rf $(VENV) .bench build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

# Debian's python3 comes without ensurepip unless python3-venv is installed: virtualenv, fetched by pip, does without.
$(VENV)/pyvenv.cfg:
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || { rm -rf $(VENV); \
	  $(PYTHON) -m pip install -q --target build/virtualenv virtualenv && \
	  PYTHONPATH=build/virtualenv $(PYTHON) -m virtualenv -q $(VENV); }

$(STAMP): pyproject.toml $(CORE) | $(VENV)/pyvenv.cfg
	@echo "setting up $(VENV) ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check "scikit-build-core>=0.11" "nanobind>=2.4" cmake ninja
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-build-isolation -e ".[dev]"
	@touch $@
