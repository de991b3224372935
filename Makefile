# Everything is done through this file; the longer recipes live in packaging/.

.DEFAULT_GOAL := help
SHELL := /bin/bash
.PHONY: help setup test-setup demo run quick test test-accessibility test-cluster test-debian13 bench golden fuzz faults soak bundle bundle-test bundle-windows bundle-windows-test test-windows check check-systems format pins audit languages pictures manual clean

# The interpreter that .venv is made with; by default the first suitable python3.
PYTHON ?=
# Arguments for `make run` and `make test`, say: make test ARGS="tests/test_pins.py -x"
ARGS ?=

BIN := .venv/bin
# Caches stay in the checkout, so that an empty or read-only home is no matter.
export XDG_CACHE_HOME := $(CURDIR)/.cache
export MPLCONFIGDIR := $(CURDIR)/.cache/matplotlib

help: ## list what there is
	@sed -n 's/^\([a-z][a-z0-9-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r name does; do \
		printf 'make %-14s %s\n' "$$name" "$$does"; done

setup: ## make .venv with the zebra command in it, and install the system libraries it needs
	@PYTHON="$(PYTHON)" packaging/make_venv.sh

test-setup: setup ## setup, and the programs that the tests use (TeX, Xvfb, PDF tools)
	@$(BIN)/python packaging/system_packages.py install run test

demo: setup ## the demo project: in a window, or without a display as reports in demo-report/
	@$(BIN)/zebra demo $(if $(DISPLAY)$(WAYLAND_DISPLAY),,--out demo-report --overwrite)

run: setup ## open the window (ARGS="files to open")
	@$(BIN)/zebra $(ARGS)

# Figures, formats, files and words: without a window, with fewer random examples, and without what takes seconds.
QUICK := $(addprefix tests/core/,metrics evidence wording intake/formats files test_door.py) \
	$(addprefix --ignore=tests/core/,intake/formats/test_parquet.py intake/formats/test_hdf5.py metrics/chance/test_partitioning.py)

quick: setup ## about a thousand tests in half a minute: what a change of the core breaks first (ARGS="arguments for pytest")
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -q --hypothesis-profile=quick $(QUICK) $(ARGS)

# The checks run beside the tests, and are shown after them; either may fail it.
test: test-setup ## all checks and tests, without a display (ARGS="arguments for pytest")
	@mkdir -p .cache; $(MAKE) --no-print-directory check >.cache/check.log 2>&1 & checks=$$!; \
	trap 'kill $$checks 2>/dev/null' INT TERM; \
	ZEBRA_TEST_PROGRAMS=all QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest $(ARGS); tests=$$?; \
	wait $$checks; checks=$$?; cat .cache/check.log; exit $$((tests | checks))

test-accessibility: setup ## what a screen reader and the keyboard find, in one table (ARGS=--where-possible)
	@$(BIN)/python packaging/system_packages.py install run accessibility
	@PYTHONPATH="$(CURDIR):$(CURDIR)/packaging" $(BIN)/python -m accessibility $(ARGS)

bench: setup ## how fast it is, in one table against floors of the same run (ARGS="--up-to 1000000 --only trials")
	@PYTHONPATH="$(CURDIR):$(CURDIR)/packaging" $(BIN)/python -m benchmarks $(ARGS)

golden: setup ## what users get, compared with what is kept of it: which words, numbers differ (ARGS="demo museum", --accept)
	@PYTHONPATH="$(CURDIR):$(CURDIR)/packaging" $(BIN)/python -m golden $(ARGS)

fuzz: setup ## random inputs for every reader (ARGS="--seconds 600 lists", ARGS=meaning); what breaks one is kept for the tests
	@PYTHONPATH="$(CURDIR):$(CURDIR)/packaging" $(BIN)/python -m fuzz $(ARGS)

faults: setup ## kill the program 100 times each while it saves, autosaves and exports (ARGS="how often")
	@PYTHONPATH="$(CURDIR)" $(BIN)/python tests/faults/kill_while_saving.py $(ARGS)
	@PYTHONPATH="$(CURDIR)" $(BIN)/python tests/faults/kill_while_autosaving.py $(ARGS)
	@PYTHONPATH="$(CURDIR)" $(BIN)/python tests/faults/kill_while_exporting.py $(ARGS)

soak: setup ## a long day of random actions, with a look at the memory (ARGS="actions seed")
	@PYTHONPATH="$(CURDIR):$(CURDIR)/packaging" $(BIN)/python -m benchmarks.soak $(ARGS)

bundle: ## the program with all it needs, for machines without Python, in dist/ (ARGS=--twice: compare two builds)
	@VENV=build/venv EXTRA=bundle HASHES=1 PYTHON="$(PYTHON)" packaging/make_venv.sh
	@build/venv/bin/python packaging/system_packages.py install bundle
	@nice build/venv/bin/python packaging/bundle.py $(ARGS)

languages: setup ## bring translations up to date with the English and compile them (ARGS="--new it", --list: what they lack)
	@PYTHONPATH="$(CURDIR)" $(BIN)/python packaging/manual_parts.py
	@PYTHONPATH="$(CURDIR)" $(BIN)/python packaging/languages.py $(ARGS)

pictures: setup ## the pictures of the manual that are out of date, taken again (ARGS=--check: only named)
	@PYTHONPATH="$(CURDIR)" $(BIN)/python packaging/manual_pictures.py $(ARGS)

manual: pictures ## the manual as a site and as one PDF, in dist/manual
	@PYTHONPATH="$(CURDIR)" $(BIN)/python packaging/manual_parts.py
	@VENV=build/manual EXTRA=manual PYTHON="$(PYTHON)" packaging/make_venv.sh
	@PYTHONPATH="$(CURDIR)" build/manual/bin/python packaging/manual.py

bundle-test: ## install the Debian package of dist/ into a bare Debian 12 and use it there (as root; ARGS=trixie: 13)
	@packaging/bare_root_test.sh dist $(ARGS)

bundle-windows: ## the program for Windows, built on Debian under Wine: folder, zip and installer in dist/ (as root)
	@packaging/windows/build.sh

bundle-windows-test: ## install that into a Windows without Python, under Wine, and use it there (as root)
	@packaging/windows/test.sh

test-windows: ## tests/core by the Python of Windows, under Wine, after bundle-windows (ARGS="arguments for pytest")
	@packaging/windows/test.sh suite $(ARGS)

test-cluster: ## counting on Spark with two workers, against the figures in memory (needs Java 17; takes minutes)
	@VENV=build/cluster EXTRA=spark PYTHON="$(PYTHON)" packaging/make_venv.sh
	@build/cluster/bin/python packaging/system_packages.py install run cluster
	@PYTHONPATH="$(CURDIR):$(CURDIR)/packaging" build/cluster/bin/python -m cluster

test-debian13: ## the whole suite in a bare Debian 13 (as root; ARGS="arguments for pytest")
	@ARGS="$(ARGS)" packaging/bare_suite_test.sh trixie

check: setup ## format, lint, types, and who may import whom
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --cache-dir .cache/import-linter

check-systems: setup ## the types as if this were Windows and macOS, and the workflows
	$(BIN)/actionlint
	$(BIN)/mypy --platform win32 --no-warn-unreachable --cache-dir .cache/mypy-win32
	$(BIN)/mypy --platform darwin --no-warn-unreachable --cache-dir .cache/mypy-darwin

format: setup ## lay out the code, mend what ruff can mend
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

pins: setup ## renew packaging/constraints.txt and the hashes with the newest versions that pyproject.toml allows
	@$(BIN)/python packaging/pins.py --newest
	@packaging/make_venv.sh
	@$(BIN)/python packaging/dependencies.py
	@$(BIN)/python packaging/wheels.py

audit: setup ## hold the pinned versions against known advisories (ADVISORIES=FILE, in OSV's JSON or its zip)
	@$(BIN)/python packaging/audit.py "$(ADVISORIES)"

clean: ## remove .venv and everything that can be made again
	rm -rf .venv .cache .hypothesis *.egg-info build dist demo-report
	find core zebra_gui resources tests packaging -name __pycache__ -prune -exec rm -rf {} +
