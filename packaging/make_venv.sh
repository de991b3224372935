#!/usr/bin/env bash
# Make or renew .venv with the project in it. PYTHON, if set, names the interpreter to use; VENV and EXTRA,
# if set, another place than .venv and another extra than dev.
# With --newest: from scratch, without the pins, and write down what was installed as the new pins.
set -euo pipefail
cd "$(dirname "$0")/.."

suits='import sys; (3, 11) <= sys.version_info[:2] <= (3, 12) or sys.exit(1)'

python=
for candidate in ${PYTHON:-python3 python3.11 python3.12 /usr/bin/python3}; do
    if "$candidate" -c "$suits" 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    found=$("${PYTHON:-python3}" --version 2>&1 | head -n 1 || true)
    echo "ZEBRA needs Python 3.11 or 3.12, and ${PYTHON:-python3} is: ${found:-missing}. Try: make PYTHON=/path/to/python3.11 setup" >&2
    exit 1
fi

"$python" packaging/system_packages.py run

newest=${1:-}
venv=${VENV:-.venv}
pins=packaging/constraints.txt
if [ "$newest" ] || ! "$venv/bin/python" -c "$suits; import pip" 2>/dev/null; then
    "$python" -m venv --clear "$venv"
fi

echo "Installing into $venv: a minute or two the first time ..."
pip=("$venv/bin/python" -m pip --disable-pip-version-check)
install=("${pip[@]}" --quiet install)
[ "$newest" ] || install+=(--constraint "$pins")
# setuptools first, so that the build uses the pinned one too.
"${install[@]}" --upgrade setuptools
"${install[@]}" --no-build-isolation --editable ".[${EXTRA:-dev}]"

if [ "$newest" ]; then
    {
        grep '^#' "$pins"
        "${pip[@]}" freeze --all --exclude pip --exclude-editable
    } >"$pins.new"
    mv "$pins.new" "$pins"
    "$venv/bin/python" packaging/dependencies.py
fi
