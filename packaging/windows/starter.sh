#!/usr/bin/env bash
# Compile zebra-window.exe with its icon: starter.sh COMPILER WINDRES FOLDER. Needs a Python with Pillow as `python`.
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p "$3"
python packaging/icons.py "$3/zebra.ico"
printf '1 ICON "zebra.ico"\n' >"$3/zebra.rc"
(cd "$3" && "$2" -O coff -o icon.o zebra.rc)
"$1" -O2 -s -municode -mwindows -Wl,--no-insert-timestamp -o "$3/zebra-window.exe" packaging/windows/window.c "$3/icon.o"
