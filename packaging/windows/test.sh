#!/usr/bin/env bash
# Try the program for Windows under Wine, after build.sh, as root.
#     test.sh                    the installer of dist/, in a Windows without Python; pictures in dist/screenshots-windows
#     test.sh suite [ARGUMENTS]  tests/core by the Python of Windows, with arguments for pytest
set -euo pipefail
cd "$(dirname "$0")/../.."
source packaging/windows/wine.sh
make_wine
[ -e "$drive/python/python.exe" ] || fail "make bundle-windows comes first"

fresh() { # FOLDER: what git knows of this checkout, as it is now
    rm -rf "$1"
    mkdir -p "$1"
    git ls-files -z --cached --others --exclude-standard |
        tar --null --files-from=- --create --ignore-failed-read 2>/dev/null | tar --extract --no-same-owner --directory "$1"
}

if [ "${1:-}" = suite ]; then
    shift
    fresh "$drive/suite"
    if [ ! -e "$drive/tools/pytest" ]; then
        uv=$(python3 -c 'import sys; sys.path.insert(0, "packaging"); import pins; print(pins.uv_program())')
        "$uv" --quiet pip install --python-platform x86_64-pc-windows-msvc --python-version 3.13 --no-deps \
            --require-hashes --only-binary :all: --target "$drive/tools" --requirement packaging/locked-dev.txt
        "$uv" --quiet pip install --no-deps --target "$drive/tools" --editable "$drive/suite" # what it is called, and needs
    fi
    [ -e "$root/prefixes/suite/system.reg" ] || new_prefix suite
    [ $# -gt 0 ] || set -- tests/core
    in_wine suite env PYTHONPATH='Z:\w\suite\core;Z:\w\suite\resources;Z:\w\suite;Z:\w\tools' QT_QPA_PLATFORM=offscreen \
        PYTHONDONTWRITEBYTECODE=1 sh -c 'cd /w/suite && wine "Z:\\w\\python\\python.exe" -m pytest -q -n 2 "$@"' sh "$@"
    exit
fi

version=$(PYTHONPATH=core:resources python3 -c 'from zebra_core.version import VERSION; print(VERSION)')
pictures=dist/screenshots-windows
rm -rf "$pictures" "$drive/trial-run"
mkdir -p "$pictures" "$drive/trial-run"
cp "dist/zebra-$version-windows-setup.exe" "$drive/setup.exe"
fresh "$drive/zebra-tests"
printf 'e1 t1 2.5\ne1 t2 0.5\ne2 t1 -1.0\ne2 t2 1.5\n' >"$drive/trial-run/scores.txt"
printf 'e1 t1 target\ne1 t2 nontarget\ne2 t1 nontarget\ne2 t2 target\n' >"$drive/trial-run/key.txt"
cp packaging/windows/{drag,edges}.py "$drive/"
new_prefix clean
zebra() { in_wine clean sh -c 'cd /w/trial-run && wine "$@"' sh "$installed\\zebra.exe" "$@"; }
python() { in_wine clean wine 'Z:\w\python\python.exe' "$@"; }
expect() { # STATUS NAME COMMAND...
    local status=$1 name=$2 found=0
    shift 2
    "$@" >"$drive/out" 2>"$drive/err" || found=$?
    [ "$found" = "$status" ] || { tail -n 5 "$drive/out" "$drive/err" >&2; fail "$name: status $found instead of $status"; }
    say "passed  $name"
}

expect 0 "installed, silently, without an administrator" in_wine clean wine 'Z:\w\setup.exe' /S
place=$(echo "$root"/prefixes/clean/drive_c/users/*/AppData/Local/Programs/ZEBRA)
installed=C:\\$(realpath --relative-to "$root/prefixes/clean/drive_c" "$place" | tr / '\\')
for file in zebra.exe zebra-window.exe uninstall.exe; do [ -e "$place/$file" ] || fail "$file is missing"; done
expect 0 ".zebra opens it" in_wine clean wine reg query 'HKCU\Software\Classes\ZEBRA.Project\shell\open\command'
grep -q 'zebra-window.exe' "$drive/out" || fail "$(cat "$drive/out")"
say "The runs of the smoke test ..."
in_wine clean xvfb-run -a -s '-screen 0 1600x1000x24' wine 'Z:\w\python\python.exe' \
    'Z:\w\zebra-tests\packaging\smoke_test.py' "$installed\\zebra.exe" || fail "the smoke test"
for encoding in cp1252 utf-8; do
    expect 0 "known answers, $encoding" in_wine clean env PYTHONIOENCODING="$encoding" wine "$installed\\zebra.exe" selftest
    grep -q 'PASSED' "$drive/out" || fail "$(grep FAILED "$drive/out" | head -n 3)"
done
expect 0 "the demo" zebra demo --out demo
expect 0 "a report for Word" zebra report 'Z:\w\zebra-tests\packaging\sample.zebra' -o case.docx
expect 0 "its own report is verified" zebra verify 'demo\report.pdf' --data "$installed\\_internal\\zebra_resources\\demo"
if [ -x .venv/bin/zebra ] && [ -z "$(git status --porcelain)" ]; then
    expect 0 "its report is verified on Linux" .venv/bin/zebra verify "$drive/trial-run/demo/report.pdf" \
        --data resources/zebra_resources/demo
    rm -rf "$drive/trial-run/linux"
    .venv/bin/zebra demo --out "$drive/trial-run/linux" >/dev/null
    expect 0 "a report of Linux is verified" zebra verify 'linux\report.pdf' \
        --data "$installed\\_internal\\zebra_resources\\demo"
fi
say "Files that are open, read-only, or called as Windows cannot keep them:"
python 'Z:\w\edges.py' "$installed\\zebra.exe" || fail "the edges"

shoot() { # NAME SECONDS ARGUMENTS...: the window after so many seconds
    local name=$1 seconds=$2
    shift 2
    in_wine clean xvfb-run -a -s '-screen 0 1366x768x24' sh -c '
        openbox & wine "$@" & sleep "'"$seconds"'"; import -window root /w/shot.png; wineserver --kill' \
        sh "$installed\\zebra-window.exe" "$@" >/dev/null 2>&1 || true
    mv "$drive/shot.png" "$pictures/$name.png"
}
shoot empty 30
shoot project 40 'Z:\w\zebra-tests\packaging\sample.zebra'
shoot demo 60 demo
in_wine clean xvfb-run -a -s '-screen 0 1366x768x24' sh -c '
    openbox & wine "'"$installed"'\\zebra-window.exe" & sleep 25
    wine Z:\\w\\python\\python.exe Z:\\w\\drag.py file:///Z:/w/trial-run/scores.txt \
        file:///Z:/w/trial-run/key.txt >/w/dragged 2>&1 & sleep 8
    xdotool mousemove 60 60 mousedown 1; for x in 100 200 300 400 500 600 683; do xdotool mousemove $x 400; sleep 0.3; done
    sleep 1; xdotool mouseup 1; sleep 20; import -window root /w/shot.png; wineserver --kill' >/dev/null 2>&1 || true
mv "$drive/shot.png" "$pictures/dropped.png"
grep -q 'dropped' "$drive/dragged" || fail "the files were not dropped"
say "passed  four windows; their pictures are in $pictures: look at them"

mkdir "$place/my reports"
echo mine >"$place/my reports/mine.txt"
expect 0 "uninstalled" in_wine clean wine "$installed\\uninstall.exe" /S
for _ in $(seq 60); do [ -e "$place/zebra.exe" ] || break; sleep 1; done
[ "$(find "$place" -type f)" = "$place/my reports/mine.txt" ] || fail "left: $(find "$place" -type f | head -n 3)"
! in_wine clean wine reg query 'HKCU\Software\Classes\ZEBRA.Project' >/dev/null 2>&1 || fail "the registry still has .zebra"
say "passed  nothing is left but what is the user's"
say "The program for Windows works under Wine: $(ls dist/zebra-*setup.exe)"
