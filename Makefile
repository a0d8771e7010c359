# Every target sets up what it needs, on a machine with Python 3.11+ and make.
# PYTHON=… chooses the Python; otherwise the newest supported one is taken.

VENV := .venv
BENCH_VENV := .venv-bench
RELEASE_VENV := .venv-release
DOCS_VENV := .venv-docs
PY := $(VENV)/bin/python
PYTEST := $(PY) -m pytest
STEP := @tools/step.sh
WITH_TOOLS := env PATH="$(CURDIR)/$(VENV)/bin:$$PATH"
NPM := $(WITH_TOOLS) npm
CLIENT := src/zashiki/server/client
CLIENT_SOURCES := $(shell find web src/zashiki/games -type f \( -path '*/client/*' -o -path 'web/*' \) \
	! -name '*.test.ts' ! -path 'web/test/*' ! -name 'vitest.config.ts') \
	$(wildcard src/zashiki/core/text/*.toml src/zashiki/core/rules.*.md \
	src/zashiki/games/*/text/*.toml src/zashiki/games/*/rules.*.md examples/*/*/text/*.toml) \
	package.json package-lock.json vite.config.ts svelte.config.js tsconfig.json
LIGHTHOUSE := tests/browser/lighthouse
PACKAGES := pyproject.toml setup.py examples/goofspiel/pyproject.toml
NODE_LOCK := package.json package-lock.json .npmrc
PLAY_REQUIREMENTS := deploy/requirements/server.txt deploy/requirements/build.txt

export PYTHON
unexport PYTHONPATH
unexport VIRTUAL_ENV
unexport PYTHONDONTWRITEBYTECODE # every process of a test would compile what it imports

.PHONY: help browser firefox client play test test-all check bench goldens screenshots pictures docs docs-site release-check audit lock clean
.DEFAULT_GOAL := help
.DELETE_ON_ERROR: # a half-built client must not count as built
.NOTPARALLEL: # steps share an environment

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

client: $(CLIENT)/index.html ## build the client

play: export STEPS := 4
play: $(VENV)/play $(CLIENT)/index.html ## start the server and open the lobby in a browser (PORT=8700: at another port)
	@$(PY) -m tools.play $(if $(PORT),--port $(PORT))

test: $(VENV)/dev node_modules/.dev $(CLIENT)/index.html browser ## run all tests except the long versions
	@$(WITH_TOOLS) $(PY) -m tools.run_tests

test-all: $(VENV)/dev node_modules/.dev $(CLIENT)/index.html browser firefox $(LIGHTHOUSE)/node_modules/.installed ## run all tests, with the long versions and coverage
	@$(WITH_TOOLS) $(PY) -m tools.run_tests --all

check: $(VENV)/dev node_modules/.dev $(CLIENT)/index.html ## check format, lint, types, layers, forbidden words, prose and the weight of the client
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(PY) tools/check_files.py
	$(PY) -m tools.check_prose
	$(PY) tools/check_weight.py
	$(NPM) run --silent check
	$(NPM) run --silent lint
	$(NPM) run --silent format-check

bench: $(BENCH_VENV)/ready ## measure steps per second, compared with other libraries
	$(BENCH_VENV)/bin/python benchmarks/bench_playout.py
	$(BENCH_VENV)/bin/python benchmarks/bench_search.py
	$(BENCH_VENV)/bin/python benchmarks/bench_legal.py
	$(BENCH_VENV)/bin/python benchmarks/bench_copy.py

goldens: $(VENV)/dev ## regenerate the golden records; read the diff
	$(PYTEST) tests/test_goldens.py tests/server/test_old_matches.py --regenerate-goldens

screenshots: $(VENV)/dev $(CLIENT)/index.html browser ## take pictures of every page and table
	$(PY) -m tools.screenshots build/screenshots

pictures: $(VENV)/dev $(CLIENT)/index.html browser ## take the pictures in docs/pictures, the README's moving one too
	$(PY) -m tools.screenshots --docs
	$(PY) -m tools.record_demo

docs: $(VENV)/dev ## test the examples, links and names in the documentation
	$(PYTEST) tests/test_docs.py

docs-site: $(DOCS_VENV)/ready ## build the documentation as a site, in build/site
	@$(DOCS_VENV)/bin/python -m tools.docs_site

release-check: $(RELEASE_VENV)/ready $(DOCS_VENV)/ready node_modules/.dev ## build, install and run a release without publishing it
	@$(WITH_TOOLS) $(RELEASE_VENV)/bin/python -m tools.release_check

audit: $(VENV)/dev ## check pinned dependencies for known vulnerabilities (needs network)
	@$(WITH_TOOLS) $(PY) -m tools.audit

lock: ## pin the requirements again
	tools/lock.sh

clean: ## remove everything that the other targets made
	rm -rf $(VENV) $(BENCH_VENV) $(RELEASE_VENV) $(DOCS_VENV) build dist src/*.egg-info examples/*/*.egg-info \
		node_modules $(LIGHTHOUSE)/node_modules tools/release_node/node_modules $(CLIENT) src/zashiki/server/docs_site .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests examples benchmarks tools -name __pycache__ -prune -exec rm -rf {} +

# Browsers for the tests. The script says so if one is missing and cannot be installed.
browser:
	@tools/browser.sh chromium install > /dev/null || true
	@tools/browser.sh headless install > /dev/null || true

firefox:
	@tools/browser.sh firefox install > /dev/null || true

# Stamps are written last, so that an interrupted set-up is repeated. Playing needs two small sets of
# packages, for running and for building; development adds the rest.
$(VENV)/play: $(PLAY_REQUIREMENTS) requirements/uv.txt tools/setup_venv.sh $(PACKAGES)
	$(STEP) 1 "Python packages" tools/setup_venv.sh $(VENV) $(PLAY_REQUIREMENTS) . examples/goofspiel
	@touch $@

$(VENV)/dev: requirements/dev.txt $(VENV)/play
	$(STEP) 1 "Python packages for development" tools/setup_venv.sh $(VENV) $(PLAY_REQUIREMENTS) $< . examples/goofspiel
	@touch $@

$(BENCH_VENV)/ready: requirements/bench.txt tools/setup_venv.sh $(PACKAGES)
	$(STEP) 1 "Python packages for benchmarks" tools/setup_venv.sh $(BENCH_VENV) $< . examples/goofspiel
	@touch $@

$(RELEASE_VENV)/ready: requirements/release.txt tools/setup_venv.sh
	$(STEP) 1 "Python packages for a release" tools/setup_venv.sh $(RELEASE_VENV) $<
	@touch $@

$(DOCS_VENV)/ready: requirements/docs.txt tools/setup_venv.sh
	$(STEP) 1 "Python packages for the documentation" tools/setup_venv.sh $(DOCS_VENV) $<
	@touch $@

node_modules/.build: $(NODE_LOCK) | $(VENV)/play
	$(STEP) 2 "Client packages" $(NPM) ci --omit=dev
	@touch $@

node_modules/.dev: $(NODE_LOCK) | $(VENV)/play
	$(STEP) 2 "Client packages for development" $(NPM) ci
	@touch node_modules/.build $@

$(LIGHTHOUSE)/node_modules/.installed: $(LIGHTHOUSE)/package-lock.json | $(VENV)/play
	$(STEP) 2 "Lighthouse" $(NPM) ci --prefix $(LIGHTHOUSE)
	@touch $@

$(CLIENT)/index.html: $(CLIENT_SOURCES) | node_modules/.build
	$(STEP) 3 "Client" $(NPM) run --silent build
