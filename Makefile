# Everything a contributor needs; each target sets up what it uses. Only Python 3.11 or later and make are expected.
PYTHON ?= python3
BIN := .venv/bin
RIVALS := litellm portkey readymade

.PHONY: demo test check lint format types coverage model quality bench bench-rivals clients soak wheel clean

demo: .venv/demo
	@$(BIN)/python -m gateway demo

test: .venv/test
	@$(BIN)/python -m pytest -m "not model"

check: lint types test

lint: .venv/lint
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

format: .venv/lint
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

types: .venv/lint .venv/test
	@$(BIN)/mypy

coverage: .venv/test
	@$(BIN)/python -m pytest -m "not model" --cov --cov-report=term-missing:skip-covered

model: .venv/test .venv/model
	@$(BIN)/python -m pytest -m model -rs

quality: .venv/test
	@PYTHONPATH=tests $(BIN)/python -m quality.run $(ARGS)

bench: .venv/test
	@PYTHONPATH=tests $(BIN)/python -m bench $(ARGS)

bench-rivals: $(RIVALS:%=build/rivals/%/.installed)
	@$(MAKE) --no-print-directory bench

clients: .venv/test
	@PYTHONPATH=tests $(BIN)/python -m clients $(ARGS)

soak: .venv/test
	@$(BIN)/python tests/soak.py

# What an earlier build left there would go into the wheel, too; `pip install .` leaves it as well.
LEFT := build/lib build/bdist.*

wheel: .venv/pip
	@rm -rf $(LEFT)
	@$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .
	@rm -rf $(LEFT)
	@rmdir build 2> /dev/null || true

clean:
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage

# What the bench compares with, in environments of their own.
build/rivals/litellm/.installed build/rivals/readymade/.installed: build/rivals/%/.installed: tests/bench/rivals/%.txt
	@$(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install --quiet --requirement $<
	@touch $@

build/rivals/portkey/.installed: tests/bench/rivals/package.json
	@command -v npm > /dev/null || { echo "npm is missing: install Node.js 20 or later" >&2; exit 1; }
	@mkdir -p build/rivals/portkey
	@cp $< build/rivals/portkey/
	@npm install --prefix build/rivals/portkey --silent --no-fund --no-audit --ignore-scripts
	@touch $@

# One stamp per set of dependencies: the second run starts at once. The installer must know dependency groups.
.venv/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.12 …")'
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	@touch $@

.venv/demo: .venv/pip pyproject.toml
	@$(BIN)/python -m pip install --quiet --editable ".[demo]"
	@touch $@

.venv/test .venv/lint .venv/model: .venv/%: .venv/pip pyproject.toml
	@$(BIN)/python -m pip install --quiet --editable . --group $*
	@touch $@
