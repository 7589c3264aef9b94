# Everything runs in .venv, which is made when first needed, from Python 3.11 or newer and the pinned
# requirements/. A player gets what the game needs; `make test` and `make check` add the tools.
# ARGS is handed on:   make run ARGS="bagh --vs random"      make test ARGS="-k fencing"
# Another Python beside it:   make test PYTHON=/usr/bin/python3 VENV=.venv-system

PYTHON ?= python3
VENV   ?= .venv
ARGS   ?=

player    := $(VENV)/runtime.stamp
developer := $(VENV)/dev.stamp
peers     := .venv-bench/peers.stamp

.PHONY: help setup run test check golden mutants soak soak-clock soak-league bench bench-solving lock \
	clean FORCE
.NOTPARALLEL:

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

setup: $(developer) ## create the environment with all tools

run: $(or $(wildcard $(developer)),$(player)) ## play: ARGS="bagh --vs random"
	@$(VENV)/bin/holmgang play $(ARGS) || test $$? = 130 # leaving by Ctrl-C is no mistake

test: $(developer) sandbox ## run the tests: ARGS="-k fencing", ARGS="-m 'not slow'"
	@$(VENV)/bin/pytest -n 2 $(ARGS)

check: $(developer) ## check formatting, lint, types and import layers
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports --no-logo

golden: $(developer) ## rewrite the golden files; review the diff
	@$(VENV)/bin/python -m tests.golden $(ARGS)

mutants: $(developer) ## check that tests catch every small change of a rule (minutes): ARGS="--sample 100"
	@.venv/bin/python -m tests.mutants $(ARGS)

soak: $(developer) ## compare compiled with interpreted rules, a million rounds per game (minutes)
	@$(VENV)/bin/python -m tests.soak

soak-clock: $(developer) ## time 10,000 answers of bots on a loaded machine (minutes): ARGS="--turns 1000"
	@$(VENV)/bin/python -m tests.soak_clock $(ARGS)

soak-league: $(developer) ## kill a league at 50 random moments; no game lost or repeated (minutes)
	@$(VENV)/bin/python -m tests.soak_league $(ARGS)

bench: $(developer) $(peers) ## measure everything and write bench/RESULTS.md: ARGS=--quick
	@$(VENV)/bin/python -m bench $(ARGS)

bench-solving: $(developer) $(peers) ## measure the solver and write bench/SOLVING.md: ARGS=--quick
	@$(VENV)/bin/python -m bench.solving $(ARGS)

# On the oldest Python, which needs the most packages; from the registry alone, so that the hashes of
# all its files are recorded and none of a folder of wheels that this machine may have.
pins = PIP_CONFIG_FILE=/dev/null PIP_EXTRA_INDEX_URL= PIP_FIND_LINKS= $(VENV)/bin/pip-compile $(ARGS)
lock: $(developer) ## pin the dependencies of pyproject.toml (minutes): ARGS=--upgrade
	@$(VENV)/bin/python -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || { \
		echo "Pins are made with Python 3.11: make clean lock PYTHON=python3.11"; exit 1; } >&2
	$(pins) --output-file requirements/runtime.txt --build-deps-for editable --extra fast --extra png pyproject.toml
	$(pins) --output-file requirements/dev.txt --constraint requirements/runtime.txt \
		--build-deps-for editable --extra fast --extra png --extra cluster --extra dev pyproject.toml
	$(pins) --output-file bench/peers/requirements.txt --constraint requirements/runtime.txt \
		bench/peers/requirements.in

clean: ## remove the environment and all generated files
	@rm -rf .venv .venv-system .venv-bench build dist .hypothesis .*_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment. The note `made-in` is taken away before pip starts and put back when it is done, so
# one that was interrupted has none, and one that was moved or copied has another folder's. Those, and
# one whose Python has gone, are made anew.
sound = { $(VENV)/bin/python -c 'import pip' && test "$$(cat $(VENV)/made-in)" = "$$(pwd -P)"; } 2>/dev/null
ifneq ($(shell $(sound) && echo sound),sound)
$(player) $(developer): FORCE
endif

$(VENV)/%.stamp: requirements/%.txt pyproject.toml
	@$(sound) || { $(new_venv); }
	@echo "Installing requirements/$*.txt into $(VENV): about a minute the first time."
	@rm -f $(VENV)/made-in
	@$(pip) --only-binary :all: --require-hashes --requirement $<
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

# The libraries that the benchmarks compare with live apart from ours.
$(peers): bench/peers/requirements.txt
	@echo "Installing the peers into .venv-bench: some minutes the first time."
	@$(PYTHON) -m venv --clear .venv-bench
	@.venv-bench/bin/python -m pip -qq --disable-pip-version-check install --require-hashes --requirement $<
	@touch $@
