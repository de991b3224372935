#!/usr/bin/env bash
# Build the wheel twice, compare, and install it as users do: with pip, pipx and uv, without and with the window.
# Needs the network; pipx and uv are taken into an environment of their own. Everything is done below build/wheel.
#     wheel_test.sh [PYTHON]
set -euo pipefail
cd "$(dirname "$0")/.."
python=${1:-python3}
work=$PWD/build/wheel
export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_CONSTRAINT=$PWD/packaging/constraints.txt
export UV_CONSTRAINT=$PIP_CONSTRAINT QT_QPA_PLATFORM=offscreen

say() { printf '%s\n' "$*"; }
fail() { printf 'FAILED  %s\n' "$*" >&2; exit 1; }
megabytes() { du --summarize --block-size=1M "$1" | cut -f1; }
starts() { # NAME COMMAND: it answers, and the self-test of the base installation passes
    "$2" --version >/dev/null || fail "$1: --version"
    _ZEBRA_COMPLETE=bash_source "$2" >/dev/null || fail "$1: completion"
    say "passed  $1: $("$2" --version)"
}

rm -rf "$work"
mkdir -p "$work"
"$python" -m venv "$work/tools"
"$work/tools/bin/python" -m pip install --quiet build pipx uv

for build in 1 2; do # from other folders, with other rights
    mkdir "$work/$build"
    git archive HEAD | tar --extract --directory "$work/$build"
    (umask "07$build" && "$work/tools/bin/python" -m build --quiet --wheel "$work/$build" --outdir "$work/$build/dist")
done
wheel=$(ls "$work"/1/dist/*.whl)
cmp "$wheel" "$work"/2/dist/*.whl || fail "two builds differ"
say "passed  two builds, equal bytes: $(basename "$wheel"), $(($(stat -c %s "$wheel") / 1000)) kB"

"$python" -m venv "$work/pip"
empty=$(megabytes "$work/pip")
"$work/pip/bin/python" -m pip install --quiet "$wheel"
[ -z "$(find "$work/pip" -iname 'PySide6*')" ] || fail "the base installation has Qt"
starts "pip, without the window ($(($(megabytes "$work/pip") - empty)) MB)" "$work/pip/bin/zebra"
"$work/pip/bin/zebra" selftest >"$work/selftest.txt" || fail "selftest: $(tail -n 3 "$work/selftest.txt")"
found=$(env -u QT_QPA_PLATFORM DISPLAY=:0 "$work/pip/bin/zebra" 2>&1 || true)
[[ $found == "zebra: Only the command line is installed here"* ]] || fail "zebra without Qt: $found"
say "passed  $found"
"$work/pip/bin/python" -m pip install --quiet "$wheel[gui]"
cd "$work" # not to find the checkout
"$work/pip/bin/python" -c 'from zebra_gui.app import make_app, make_window; make_window(make_app()); import zebra_core; assert "site-packages" in zebra_core.__file__'
starts "pip, with the window ($(($(megabytes "$work/pip") - empty)) MB)" "$work/pip/bin/zebra"

export PIPX_HOME=$work/pipx PIPX_BIN_DIR=$work/pipx/bin UV_TOOL_DIR=$work/uv UV_TOOL_BIN_DIR=$work/uv/bin
export XDG_DATA_HOME=$work/share
"$work/tools/bin/pipx" install --quiet --python "$(command -v "$python")" "$work/1[gui]" >/dev/null 2>"$work/pipx.log" ||
    fail "pipx: $(tail -n 3 "$work/pipx.log")"
starts "pipx install .[gui]" "$work/pipx/bin/zebra"
"$work/pipx/bin/zebra" desktop --install >/dev/null
command=$(sed -n 's/^TryExec=//p' "$work/share/applications/zebra.desktop")
[ -x "$command" ] || fail "the entry starts $command"
"$work/pipx/bin/zebra" desktop --remove >/dev/null
[ -z "$(find "$work/share" -type f -iname '*zebra*')" ] || fail "zebra desktop --remove left files"
say "passed  zebra desktop --install, --remove"

"$work/tools/bin/uv" tool install --quiet --python "$(command -v "$python")" --constraints "$PIP_CONSTRAINT" \
    "zebra-privacy[gui] @ file://$work/1"
starts "uv tool install .[gui]" "$work/uv/bin/zebra"
