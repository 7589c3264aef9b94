# Everything runs in .venv, which is made when first needed, from Python 3.11 or newer and the pinned
# requirements/. A player gets what the game needs; `make test` and `make check` add the tools.
# ARGS is handed on:   make run ARGS="--port 8080"      make test ARGS="-k fencing"
# Another Python beside it:   make test PYTHON=/usr/bin/python3 VENV=.venv-system

PYTHON ?= python3
VENV   ?= .venv
ARGS   ?=

player    := $(VENV)/runtime.stamp
developer := $(VENV)/dev.stamp
peers     := .venv-bench/peers.stamp
tools     := node_modules/tools.stamp

.PHONY: help setup run play test test-thorough test-timed check check-client audit golden generated mutants soak soak-analysis soak-clock soak-league \
	soak-kernels soak-server soak-discord bench bench-live bench-stalls bench-discord bench-solving sandbox browser screenshots docs \
	lock clean FORCE
.NOTPARALLEL:

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

setup: $(developer) ## create the environment with all tools

run: $(or $(wildcard $(developer)),$(player)) ## serve the games and open a browser: ARGS="--port 8080"
	@$(call in_front,$(VENV)/bin/holmgang serve $(ARGS))

play: $(or $(wildcard $(developer)),$(player)) ## play in the terminal: ARGS="bagh --vs random"
	@$(call in_front,$(VENV)/bin/holmgang play $(ARGS))

# At a terminal, Ctrl-C is for the command alone and not for make: leaving in that way is no mistake.
# Elsewhere the command takes the place of the shell, so that a signal to make reaches it.
in_front = test -t 0 || exec $(1); set -m; $(1) || test $$? = 130

# The tests start Python some hundred times: without compiled files each start takes half as long again.
test test-thorough: export PYTHONDONTWRITEBYTECODE =

# Four at a time on two cores: with three, a quarter of the processor time was idle.
test: $(developer) sandbox browser ## run the tests: ARGS="-k fencing", ARGS="-m 'not slow'"
	@$(VENV)/bin/pytest -n 4 -m "not thorough and not timed" $(ARGS)

test-thorough: $(developer) sandbox browser ## run the tests that play, count or prove a lot (minutes)
	@$(VENV)/bin/pytest -n 4 -m "thorough and not timed" $(ARGS)

test-timed: $(developer) sandbox browser ## run the tests that measure time, on a machine that does nothing else
	@$(VENV)/bin/pytest -m timed $(ARGS)

check: $(developer) ## check formatting, lint, types and import layers, also of the client
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports --no-logo
	@$(MAKE) --no-print-directory check-client

# The browser client has no build step. Node.js is needed to check its types and, for the tests in a
# browser, to install axe-core.
check-client: ## check format and types of the browser client
	@if command -v npm >/dev/null; then $(MAKE) --silent $(tools) && npm run --silent check; \
	else echo "Node.js is not installed, so the browser client is not checked." \
		"Debian, Ubuntu: apt install nodejs npm     macOS: brew install node" >&2; fi

$(tools): package.json package-lock.json
	@npm ci --silent --no-audit --no-fund --ignore-scripts
	@touch $@

audit: $(developer) ## check the dependencies for known vulnerabilities; exit code 2: could not be checked
	@$(VENV)/bin/python -m tests.audit

golden: $(developer) ## rewrite the golden files; review the diff
	@$(VENV)/bin/python -m tests.golden $(ARGS)

generated: $(developer) $(tools) ## rewrite what is generated from the types of the live protocol
	@$(VENV)/bin/python -m tests.wire.generate

mutants: $(developer) ## check that tests catch every small change of a rule (minutes): ARGS="--sample 100"
	@.venv/bin/python -m tests.mutants $(ARGS)

soak: $(developer) ## compare compiled with interpreted rules, a million rounds per game (minutes)
	@$(VENV)/bin/python -m tests.soak

soak-analysis: $(developer) ## check that 10,000 analyses of every tabled game add up (20 minutes): ARGS="--duels 500"
	@$(VENV)/bin/python -m tests.soak_analysis $(ARGS)

soak-kernels: $(developer) ## solve 1,000 random games with bounds checks (minutes); HOLMGANG_GENERATED=N: another number
	@HOLMGANG_GENERATED=$${HOLMGANG_GENERATED:-1000} $(VENV)/bin/pytest -n 2 tests/solver/exact/test_kernels.py $(ARGS)

soak-clock: $(developer) ## time 10,000 answers of bots on a loaded machine (minutes): ARGS="--turns 1000"
	@$(VENV)/bin/python -m tests.soak_clock $(ARGS)

soak-league: $(developer) ## kill a league at 50 random moments; no game lost or repeated (minutes)
	@$(VENV)/bin/python -m tests.soak_league $(ARGS)

soak-server: $(developer) ## kill a server under load at 1,000 random moments (minutes): ARGS="--kills 50 --servers 2"
	@$(VENV)/bin/python -m tests.soak_server $(ARGS)

soak-discord: $(developer) ## kill the Discord bot at 50 random moments of a match (minutes): ARGS="--kills 10"
	@$(VENV)/bin/python -m tests.soak_discord $(ARGS)

bench: $(developer) $(peers) ## measure everything and write bench/RESULTS.md: ARGS=--quick
	@$(VENV)/bin/python -m bench $(ARGS)

bench-live: $(developer) ## measure the live server and write its part of bench/RESULTS.md: ARGS=--quick
	@$(VENV)/bin/python -m bench.live $(ARGS)

bench-stalls: $(developer) ## measure how long people wait while one address attacks the server: ARGS="levels --cold"
	@$(VENV)/bin/python -m bench.stalls $(ARGS)

bench-discord: $(developer) ## measure 100 duels on the Discord bot and write its part of bench/RESULTS.md
	@$(VENV)/bin/python -m bench.discord $(ARGS)

bench-solving: $(developer) $(peers) ## measure the solver and write bench/SOLVING.md: ARGS=--quick
	@$(VENV)/bin/python -m bench.solving $(ARGS)

# On the oldest Python, which needs the most packages (newer-pythons.txt has the others); from the
# registry alone, so that the hashes of all its files are recorded and none of a folder of wheels that
# this machine may have.
pins = PIP_CONFIG_FILE=/dev/null PIP_EXTRA_INDEX_URL= PIP_FIND_LINKS= $(VENV)/bin/pip-compile $(ARGS)
lock: $(developer) ## pin the dependencies of pyproject.toml (minutes): ARGS=--upgrade
	@$(VENV)/bin/python -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || { \
		echo "Pins are made with Python 3.11: make clean lock PYTHON=python3.11"; exit 1; } >&2
	$(pins) --output-file requirements/runtime.txt --build-deps-for editable --extra fast --extra png --extra web pyproject.toml
	$(pins) --output-file requirements/dev.txt --constraint requirements/runtime.txt \
		--build-deps-for editable --extra fast --extra png --extra web --extra discord --extra postgres --extra cluster --extra envs --extra openspiel --extra mcp --extra parquet --extra docs --extra dev pyproject.toml
	$(pins) --output-file bench/peers/requirements.txt --constraint requirements/runtime.txt \
		bench/peers/requirements.in

clean: ## remove the environment and all generated files
	@rm -rf .venv .venv-system .venv-bench node_modules build dist .hypothesis .*_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment. The note `made-in` is taken away before pip starts and put back when it is done, so
# one that was interrupted has none, and one that was moved or copied has another folder's. Those, and
# one whose Python has gone, are made anew.
sound = { $(VENV)/bin/python -c 'import pip' && test "$$(cat $(VENV)/made-in)" = "$$(pwd -P)"; } 2>/dev/null
ifneq ($(shell $(sound) && echo sound),sound)
$(player) $(developer): FORCE
endif

$(VENV)/%.stamp: requirements/%.txt pyproject.toml
	@$(sound) || { echo "Setting up $(VENV), once: one to two minutes."; $(new_venv); }
	@echo "Installing requirements/$*.txt into $(VENV)."
	@rm -f $(VENV)/made-in
	@$(pip) --only-binary :all: --require-hashes --requirement $< \
		$(if $(filter dev,$*),--requirement requirements/newer-pythons.txt)
	@$(pip) --no-deps --no-build-isolation --editable .
	@pwd -P > $(VENV)/made-in
	@touch $@

pip = $(VENV)/bin/python -m pip -qq --disable-pip-version-check install
new_venv = \
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Holmgang needs Python 3.11 or newer; $(PYTHON) is: $$($(PYTHON) --version 2>&1)"; \
		echo "Debian, Ubuntu: apt install python3 python3-venv     macOS: brew install python"; \
		echo "or name one that you have: make PYTHON=python3.12"; exit 1; } >&2; \
	$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) cannot make environments: its module venv or ensurepip is missing."; \
		echo "Debian, Ubuntu: apt install python3-venv"; exit 1; } >&2; \
	$(PYTHON) -m venv --clear $(VENV)

# Bots are contained by bubblewrap, a package of the system. Root installs it; others are told.
sandbox:
	@command -v bwrap >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
		echo "Installing bubblewrap, for the sandbox of bots." && \
		{ apt-get -qq update; apt-get -qq install -y bubblewrap; } >/dev/null 2>&1; } || \
		echo "bubblewrap is not installed, so the tests of the sandbox are left out." \
			"Debian, Ubuntu: apt install bubblewrap" >&2

# The site is tested in Chromium, a package of the system, and for barriers with axe-core. Root installs
# the former; others are told, and the tests that need it fail unless HOLMGANG_WITHOUT_BROWSER=1.
browser:
	@test "$(HOLMGANG_WITHOUT_BROWSER)" = 1 || \
		{ command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null || \
		{ test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
		echo "Installing Chromium, for the tests in a browser." && \
		{ apt-get -qq update; apt-get -qq install -y chromium; } >/dev/null 2>&1; } || \
		echo "Chromium is not installed, so the tests in a browser will fail." \
			"Debian, Ubuntu: apt install chromium     without them: HOLMGANG_WITHOUT_BROWSER=1 make test" >&2
	@test "$(HOLMGANG_WITHOUT_BROWSER)" = 1 || if command -v npm >/dev/null; then $(MAKE) --silent $(tools); \
		else echo "npm is not installed, so axe-core is missing, and the tests of accessibility will fail." \
			"Debian, Ubuntu: apt install npm     macOS: brew install node" >&2; fi

docs: $(developer) ## build the API reference and the documents as a site in build/docs, without a network
	@$(VENV)/bin/sphinx-build -q --color -W -b html docs build/docs
	@echo "build/docs/index.html"

screenshots: $(developer) browser ## take the screenshots that the documents show
	@HOLMGANG_SCREENSHOTS=docs/screenshots $(VENV)/bin/python -m tests.web.browser.screenshots

# The libraries that the benchmarks compare with live apart from ours.
$(peers): bench/peers/requirements.txt
	@echo "Installing the peers into .venv-bench: some minutes the first time."
	@$(PYTHON) -m venv --clear .venv-bench
	@.venv-bench/bin/python -m pip -qq --disable-pip-version-check install --require-hashes --requirement $<
	@touch $@
