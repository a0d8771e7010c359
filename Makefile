# The only door. Every target sets up what it needs, on a machine with Python 3.11+ and make.
# PYTHON=… chooses the Python; otherwise the newest one known to work is taken.

VENV := .venv
BENCH_VENV := .venv-bench
PY := $(VENV)/bin/python
PYTEST := $(PY) -m pytest
PARALLEL := -n auto --dist worksteal
BOTH_WAYS := tests/test_laws.py tests/test_goldens.py tests/test_compiled.py
LONG := $(BOTH_WAYS) tests/test_strength.py tests/server tests/browser
# Coverage of the rules by their tests; the laws and what runs in processes of its own add nothing.
COVERED := --cov --ignore=tests/test_laws.py --ignore=tests/server --ignore=tests/browser
NPM := PATH="$(CURDIR)/$(VENV)/bin:$$PATH" npm
CLIENT := src/zashiki/server/client
CLIENT_SOURCES := $(shell find web src/zashiki/games -path '*/client/*' -type f -o -path 'web/*' -type f) \
	package.json vite.config.ts svelte.config.js tsconfig.json
LIGHTHOUSE := tests/browser/lighthouse
SETUP := pyproject.toml setup.py examples/goofspiel/pyproject.toml

export PYTHON
unexport PYTHONPATH
unexport VIRTUAL_ENV

.PHONY: help browser firefox client play thinking test test-all check bench goldens screenshots docs audit lock clean
.DEFAULT_GOAL := help

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

client: $(CLIENT)/index.html ## the pages, built

play: $(VENV)/ready ## the server, and a browser at its lobby
	@$(MAKE) --no-print-directory -j 2 client thinking
	PYTHONPATH=$$($(PY) tools/compiled.py 2> /dev/null) $(VENV)/bin/zashiki serve --open --quiet

# Bots see as far as their level says only if the rules are compiled; without a compiler they are
# weaker, for they think no longer than two seconds.
thinking: $(VENV)/ready
	@$(PY) tools/compiled.py > /dev/null || [ $$? -eq 3 ]

test: $(VENV)/ready $(CLIENT)/index.html browser ## the tests, and laws and goldens once more compiled
	$(PYTEST) $(PARALLEL)
	$(call compiled,$(BOTH_WAYS),true)

test-all: $(VENV)/ready $(CLIENT)/index.html browser firefox $(LIGHTHOUSE)/node_modules/.installed ## the same with coverage, and the long ones (compiled, if they can be)
	$(PYTEST) $(PARALLEL) $(COVERED)
	$(call compiled,--long $(LONG),$(PYTEST) $(PARALLEL) --long $(LONG))
	$(PYTEST) $(PARALLEL) --store postgres tests/server

check: $(VENV)/ready node_modules/.installed ## format, lint, types, layers, and what no file may contain
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(PY) tools/check_files.py
	$(NPM) run --silent check
	$(NPM) run --silent lint
	$(NPM) run --silent format-check

bench: $(BENCH_VENV)/ready ## steps a second, beside other libraries
	$(BENCH_VENV)/bin/python benchmarks/bench_playout.py
	$(BENCH_VENV)/bin/python benchmarks/bench_search.py
	$(BENCH_VENV)/bin/python benchmarks/bench_legal.py

goldens: $(VENV)/ready ## write the golden records anew; read the diff
	$(PYTEST) tests/test_goldens.py tests/server/test_old_matches.py --regenerate-goldens

screenshots: $(VENV)/ready $(CLIENT)/index.html browser ## every page and table as pictures
	$(PY) -m tools.screenshots build/screenshots

docs: $(VENV)/ready ## run what the documentation shows
	$(PYTEST) tests/test_docs.py

audit: $(VENV)/ready ## what is known against the packages that are pinned, if it can be asked
	@PATH="$(CURDIR)/$(VENV)/bin:$$PATH" tools/audit.sh

lock: ## pin the requirements anew
	tools/lock.sh

clean: ## remove all that was made here
	rm -rf $(VENV) $(BENCH_VENV) build dist src/*.egg-info examples/*/*.egg-info \
		node_modules $(LIGHTHOUSE)/node_modules $(CLIENT) .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests examples benchmarks tools -name __pycache__ -prune -exec rm -rf {} +

# The client: packages as the lock file says, then a build, each only when something has changed.
# A browser for the tests that need one; where there is none and none can be had, it is said.
browser:
	@tools/browser.sh > /dev/null || true

firefox:
	@tools/browser.sh firefox > /dev/null || true

node_modules/.installed: package.json package-lock.json .npmrc | $(VENV)/ready
	@$(NPM) ci --silent
	@touch $@

$(LIGHTHOUSE)/node_modules/.installed: $(LIGHTHOUSE)/package-lock.json | $(VENV)/ready
	@cd $(LIGHTHOUSE) && $(NPM) ci --silent
	@touch $@

$(CLIENT)/index.html: $(CLIENT_SOURCES) node_modules/.installed
	@$(NPM) run --silent build

# Two stamps, each written last, so that an interrupted setup is done again.
$(VENV)/installed: requirements/dev.txt
$(BENCH_VENV)/installed: requirements/bench.txt
$(VENV)/installed $(BENCH_VENV)/installed: tools/setup_venv.sh
	@tools/setup_venv.sh $(@D) $(filter %.txt,$^)
	@touch $@

# Without isolation, for setuptools is among the requirements: no other need be downloaded.
%/ready: %/installed $(SETUP)
	@$*/bin/python -m pip install --quiet --no-deps --no-build-isolation -e . -e examples/goofspiel
	@touch $@

# compiled: these tests on compiled modules. Status 3: no compiler here, which is allowed, and the
# second command runs instead; anything else is a failure.
define compiled
@path=$$($(PY) tools/compiled.py); status=$$?; \
if [ $$status -eq 3 ]; then echo "Nothing is tested compiled: see the line above."; $(2); \
elif [ $$status -ne 0 ]; then exit $$status; \
else ZASHIKI_EXPECT_COMPILED=1 PYTHONPATH=$$path $(PYTEST) $(PARALLEL) $(1); fi
endef
