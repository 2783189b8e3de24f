# Two commands matter: `make run` and `make test`. Each brings what it needs; `make help` lists the rest.
PYTHON ?= python3
export PYTHON
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

BIN := .venv/bin
SERVE := $(BIN)/deeptrust serve $(if $(HOST),--host $(HOST)) $(if $(PORT),--port $(PORT))
COMPILE_LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
    --no-header --group models $(UPGRADE)

.PHONY: help setup run test test-thorough check bench bench-models chaos screenshots prove lock format clean

help: ## List the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

setup: ## Create .venv and bring the pinned packages (run implies it)
	@scripts/setup run

run: setup ## Serve DeepTrust at http://127.0.0.1:3000 (PORT=, HOST=)
	@exec $(SERVE)

test: ## Run the suite, browser tests included (ARGS="tests/api -x")
	@scripts/setup dev
	@scripts/browser
ifdef ARGS
	@$(BIN)/python -m pytest $(ARGS)
else
	@$(BIN)/python -m pytest -q -n 3 --dist loadfile --no-loadscope-reorder --ignore tests/e2e -m "not thorough"
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile --no-loadscope-reorder -m "not thorough" tests/e2e
endif

test-thorough: ## Run what takes longer: kills, failing disks, proxies, starts and stops, read-only code, hostile text
	@scripts/setup dev
	@scripts/browser
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile --ignore tests/e2e -m thorough
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile -m thorough tests/e2e

check: ## Lint, formatting, types, layers, lock files
	@scripts/setup dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/python -m scripts.check_locks

bench: ## Measure ingest, first answer and retrieval
	@scripts/setup dev
	@$(BIN)/python -m benchmarks $(ARGS)

chaos: ## Kill a server 300 times and look for what is lost, torn or doubled (ARGS="--kills 20 --seed 7")
	@scripts/setup dev
	@$(BIN)/python -m chaos $(ARGS)

bench-models: ## Measure every chat model at hand and write the table of docs/models.md (ARGS="--limit 50")
	@scripts/setup dev
	@$(BIN)/python -m benchmarks.models $(ARGS)

screenshots: ## Photograph the page's states into screenshots/
	@scripts/setup dev
	@scripts/browser
	@$(BIN)/python -m tests.e2e.screenshots $(ARGS)

prove: ## Perform each step of the Dockerfile without an engine, and use the result (root, Debian)
	@scripts/setup dev
	@scripts/browser
	@$(BIN)/python -m scripts.prove_dockerfile $(ARGS)

lock: ## Pin anew what pyproject.toml asks for (UPGRADE=--upgrade for the newest)
	@scripts/setup dev
	$(COMPILE_LOCK) --group frontend --group build pyproject.toml -o requirements.lock
	$(COMPILE_LOCK) -c requirements.lock pyproject.toml -o requirements-serve.lock
	$(COMPILE_LOCK) --group frontend --group build --group dev -c requirements.lock pyproject.toml -o requirements-dev.lock

format: ## Format the code and fix what can be fixed
	@scripts/setup dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## Remove everything that can be made again (your documents stay)
	rm -rf .venv .web .states .build-stamp build dist screenshots .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
