#!/usr/bin/env bash
# The window on Wayland: it starts, is drawn at 100, 150 and 200 %, and takes files that are dragged from another
# program. The compositor is Weston, in an X server without a screen, so that there are a mouse and keys.
#     wayland_test.sh PROGRAM PYTHON PICTURES
# PROGRAM is any zebra (a bundle's, or .venv/bin/zebra); PYTHON has PySide6, for the source of the drag.
# Needs weston, xvfb, xdotool, imagemagick and openbox.
set -euo pipefail
cd "$(dirname "$0")/.."
zebra=$(realpath "$1") python=$(realpath --no-symlinks "$2") pictures=$(realpath "$3")
work=$(mktemp -d)
display=:79
started=()

say() { printf '%s\n' "$*"; }
fail() { printf 'FAILED  %s\n' "$*" >&2; exit 1; }
end() { # the programs started last, first
    local number
    for ((number = ${#started[@]} - 1; number >= ${1:-0}; number--)); do
        kill "${started[number]}" 2>/dev/null || true
        wait "${started[number]}" 2>/dev/null || true
        unset "started[number]"
    done
}
trap 'end; rm -rf "$work"' EXIT

export XDG_RUNTIME_DIR=$work/run HOME=$work/home
mkdir -m 700 "$XDG_RUNTIME_DIR" "$HOME"
printf 'a b 2.0\na c -1.0\nd e 1.5\nd f 0.5\n' >"$work/scores"
printf 'a b target\na c nontarget\nd e target\nd f nontarget\n' >"$work/trials"
# Without its panel: what lies under it could not be dragged.
printf '[shell]\npanel-position=none\n' >"$work/weston.ini"

on_x=(env "DISPLAY=$display")
on_wayland=(env --unset=DISPLAY --unset=QT_QPA_PLATFORM WAYLAND_DISPLAY=zebra-test XDG_SESSION_TYPE=wayland)

compositor() { # WIDTH HEIGHT SCALE: of the screen in its own points
    "${on_x[@]}" true
    Xvfb "$display" -ac -noreset -nolisten tcp -screen 0 "$(($1 * $3))x$(($2 * $3))x24" >"$work/xvfb.log" 2>&1 &
    started+=($!)
    for _ in $(seq 30); do ! "${on_x[@]}" xdotool getmouselocation >/dev/null 2>&1 || break; sleep 1; done
    "${on_x[@]}" openbox >"$work/openbox.log" 2>&1 &
    started+=($!)
    "${on_x[@]}" weston --backend=x11-backend.so --use-pixman --config="$work/weston.ini" --socket=zebra-test --fullscreen \
        --width="$1" --height="$2" --scale="$3" --idle-time=0 --log="$work/weston.log" >/dev/null 2>&1 &
    started+=($!)
    for _ in $(seq 60); do [ ! -S "$XDG_RUNTIME_DIR/zebra-test" ] || return 0; sleep 1; done
    fail "weston does not start: $(tail -n 3 "$work/weston.log")"
}
settle() { # NAME: until nothing has moved for three seconds, but for the clock
    local before='' now='' calm=0
    for _ in $(seq 200); do
        now=$(picture | sha256sum)
        if [ "$now" = "$before" ]; then calm=$((calm + 1)); else calm=0; fi
        [ "$calm" -lt 3 ] || return 0
        before=$now
        sleep 1
    done
    fail "$1: the window never comes to rest"
}
picture() { "${on_x[@]}" import -window root ppm:- | convert - -gravity north -chop 0x40 ppm:-; }
look() { "${on_x[@]}" import -window root "$pictures/wayland-$1.png"; }
open_window() { # ARGUMENTS
    "${on_wayland[@]}" "${scale[@]}" "$zebra" "$@" >"$work/out" 2>&1 &
    window=$!
    started+=("$window")
    for _ in $(seq 120); do
        ! grep -q libQt6WaylandClient "/proc/$window/maps" 2>/dev/null || break
        kill -0 "$window" 2>/dev/null || fail "zebra $*: $(cat "$work/out")"
        sleep 1
    done
    grep -q libQt6WaylandClient "/proc/$window/maps" || fail "zebra $*: it does not use Wayland"
    sleep 5
    settle "zebra $*"
    kill -0 "$window" || fail "zebra $*: $(cat "$work/out")"
}
close_window() { # NAME
    kill -TERM "$window"
    local status=0
    wait "$window" || status=$?
    unset 'started[-1]'
    grep -v -e 'Detected locale' -e 'Qt depends on' -e 'If this causes' -e 'for more inf' "$work/out" && fail "$1: it said this"
    say "passed  $1"
}

for percent in 100 150 200; do
    scale=() output=1
    [ "$percent" != 150 ] || scale=(QT_SCALE_FACTOR=1.5)
    [ "$percent" != 200 ] || output=2
    compositor 1366 768 "$output"
    open_window demo
    sleep 30 # the demo is being assessed, behind a window that rests
    settle "the demo at $percent %"
    look "$percent"
    close_window "on Wayland at $percent %"
    end
done

# Real drag and drop between two programs, by the protocol of Wayland.
cat >"$work/source.py" <<'PY'
import sys
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDrag
from PySide6.QtWidgets import QApplication, QWidget

class Source(QWidget):
    def mousePressEvent(self, event):
        drag, data = QDrag(self), QMimeData()
        data.setUrls([QUrl.fromLocalFile(path) for path in sys.argv[1:]])
        drag.setMimeData(data)
        print(drag.exec(Qt.DropAction.CopyAction), flush=True)

app = QApplication(sys.argv[:1])
source = Source(windowTitle="files")
source.setStyleSheet("background: #ff00ff")
source.resize(160, 90)
source.show()
app.exec()
PY
scale=()
compositor 1366 768 1
open_window
look drop-before
"${on_wayland[@]}" "$python" "$work/source.py" "$work/scores" "$work/trials" >"$work/drag.out" 2>&1 &
started+=($!)
sleep 5
settle "the source of the drag"
look drop-source
place=$("${on_x[@]}" import -window root -depth 8 txt:- | grep -i '#FF00FF' | cut -d: -f1 | awk -F, \
    '{ x += $1; y += $2; n++ } END { if (n) printf "%d %d", x / n, y / n }')
[ "$place" ] || fail "the source of the drag is not to be seen: $(cat "$work/drag.out")"
read -r x y <<<"$place"
aside=$((x < 683 ? 300 : -300))
# The compositor lets the first move go by, so there are several.
"${on_x[@]}" xdotool mousemove 40 60 sleep 0.5 mousemove $((x - 9)) $((y - 9)) sleep 0.5
"${on_x[@]}" xdotool mousemove "$x" "$y" sleep 1 mousedown 1
for part in 1 2 3 4 5; do
    "${on_x[@]}" xdotool mousemove $((x + aside * part / 5)) $((y + part)) sleep 0.5
done
"${on_x[@]}" xdotool sleep 1 mouseup 1
for _ in $(seq 30); do ! grep -q CopyAction "$work/drag.out" || break; sleep 1; done
for _ in $(seq 120); do # until more has changed than the mouse and the clock
    look drop-after
    changed=$(compare -metric AE "$pictures/wayland-drop-source.png" "$pictures/wayland-drop-after.png" null: 2>&1 || true)
    [ "${changed%%[.e]*}" -lt 50000 ] || break
    sleep 1
done
settle "files are dropped"
look drop-after
[ "${changed%%[.e]*}" -ge 50000 ] || fail "the drop changed nothing in the window: $(cat "$work/drag.out")"
grep -q CopyAction "$work/drag.out" || fail "the drop was not taken: $(cat "$work/drag.out")"
say "passed  two files dragged from another program and dropped: $(cat "$work/drag.out")"
