#!/usr/bin/env bash
# Make or renew .venv with the project in it. PYTHON, if set, names the interpreter to use; VENV and EXTRA,
# if set, another place than .venv and another extra than dev; HASHES=1 takes only files whose hashes are pinned.
# Does nothing where all is as it should be. What was broken off leaves no environment, or one that the next run
# recognises (it lacks .ready) and makes anew.
set -euo pipefail
cd "$(dirname "$0")/.."

venv=${VENV:-.venv}
extra=${EXTRA:-dev}
ready=$venv/.ready
suits='import sys; (3, 11) <= sys.version_info[:2] <= (3, 14) or sys.exit(1)'

# Where and from what an environment is made. Its first line decides whether it can be renewed or must be made anew.
place="$PWD $extra"
state="$place
$(cat pyproject.toml packaging/constraints.txt packaging/make_venv.sh packaging/system_packages.py | cksum)"
before=$(cat "$ready" 2>/dev/null || true)
[ -s "$ready" ] || [ ! -e "$ready" ] || before=$place # as earlier versions left it

same_python() { # whether the environment has an interpreter that suits, and it is the one that was asked for
    "$venv/bin/python" -c "$suits" 2>/dev/null || return 1
    [ -z "${PYTHON:-}" ] ||
        [ "$("$venv/bin/python" -c 'import sys; print(sys.base_prefix, sys.version)')" = \
            "$("$PYTHON" -c 'import sys; print(sys.base_prefix, sys.version)' 2>/dev/null)" ]
}
# Compiles the folders, whatever PYTHONDONTWRITEBYTECODE says: where it is set, or the installation is read-only,
# nobody else ever does. Files in packages that are no Python of today are left as they are.
compile_in() {
    "$venv/bin/python" -m compileall -qq -j 0 --invalidation-mode timestamp "$@" >/dev/null 2>&1 || true
}
sources=(core zebra_gui resources)

if [ "$before" = "$state" ] && same_python; then
    [ -z "${PYTHONDONTWRITEBYTECODE:-}" ] || compile_in "${sources[@]}" # which may have changed
    exit
fi

python=
for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 /usr/bin/python3}; do
    if "$candidate" -c "$suits" 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    found=$("${PYTHON:-python3}" --version 2>&1 | head -n 1 || true)
    echo "ZEBRA needs Python 3.11 to 3.14, and ${PYTHON:-python3} is: ${found:-missing}. Try: make PYTHON=/path/to/python3.13 setup" >&2
    exit 1
fi

"$python" packaging/system_packages.py install run

fresh= signalled= finished=
leave() {
    status=$?
    if [ -z "$finished" ] && [ "$fresh" ]; then
        rm -rf "$venv"
    elif [ -z "$finished$signalled" ] && [ "$before" ]; then
        printf '%s\n' "$before" >"$ready" # pip failed before it changed anything: what was there still works
    fi
    exit "$status"
}
trap leave EXIT
trap 'signalled=1; exit 130' INT
trap 'signalled=1; exit 143' TERM HUP

rm -f "$ready"
if [ "$(head -n 1 <<<"$before")" != "$place" ] || ! same_python; then
    fresh=1
    "$python" -m venv --clear "$venv"
fi

echo "Installing into $venv: a minute or two the first time ..."
# Compiled below, on all cores.
install=("$venv/bin/python" -m pip --disable-pip-version-check --quiet install --no-compile)
if [ "${HASHES:-}" ]; then
    "${install[@]}" --require-hashes --no-deps --only-binary :all: --requirement "packaging/locked-$extra.txt"
    "${install[@]}" --no-deps --no-build-isolation --editable .
    "$venv/bin/python" -m pip check >/dev/null
else
    # The build backend first, so that the build uses the pinned one.
    backends=(hatchling)
    [ "$extra" != spark ] || backends+=(setuptools) # pyspark is no wheel
    "${install[@]}" --constraint packaging/constraints.txt --upgrade "${backends[@]}"
    "${install[@]}" --constraint packaging/constraints.txt --no-build-isolation --editable ".[$extra]"
fi
compile_in "$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" "${sources[@]}"
finished=1
printf '%s\n' "$state" >"$ready.new"
mv "$ready.new" "$ready"
"$venv/bin/python" packaging/system_packages.py name run
