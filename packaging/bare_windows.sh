#!/usr/bin/env bash
# Use the window of a ZEBRA that is installed in a bare root, as a user would: look, press keys, drag files.
# Run by bare_root_test.sh, as root.
#     bare_windows.sh ROOT SCREEN USER PICTURES
# The screen, the keys, the mouse and the source of the drag are in SCREEN, a second root: nothing that they
# need can help the program. Both share one socket. A healthy window says nothing on standard error.
set -euo pipefail

root=$1 screen=$2 home=/home/$3 pictures=$4
display=:77
socket=tmp/.X11-unix
demo=/opt/zebra/_internal/zebra_resources/demo
started=()

say() { printf '%s\n' "$*"; }
fail() { printf 'FAILED  %s\n' "$*" >&2; exit 1; }
# Lists, not functions: what is started in the background is then the program itself, and can be ended.
on_screen=(chroot "$screen" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/root LC_ALL=C.UTF-8 DISPLAY=$display)
as_user=(unshare --net --mount chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME="$home" DISPLAY=$display)
tidy() {
    [ ${#started[@]} = 0 ] || kill "${started[@]}" 2>/dev/null || true
    ! mountpoint -q "$root/$socket" || umount "$root/$socket"
}
trap tidy EXIT

# Without a locale Qt takes C.UTF-8, and says so in these lines.
explained=(-e 'Detected locale "C"' -e 'Qt depends on a UTF-8 locale' -e 'If this causes problems, reconfigure'
    -e '^for more information\.$')

open_window() { # ARGUMENTS OF zebra...
    "${as_user[@]}" zebra "$@" >"$root/tmp/window.out" 2>&1 &
    window=$!
    started+=("$window")
    await_window ZEBRA
    settle "zebra $*"
}
await_window() { # PART OF ITS TITLE
    for _ in $(seq 90); do
        ! "${on_screen[@]}" xdotool search --onlyvisible --name "$1" >/dev/null 2>&1 || return 0
        kill -0 "$window" 2>/dev/null || fail "$1: $(cat "$root/tmp/window.out")"
        sleep 1
    done
    fail "$1: there is no such window"
}
# Until nothing has moved for three seconds.
settle() { # NAME
    local before='' now='' calm=0
    for _ in $(seq 300); do
        now=$("${on_screen[@]}" import -window root ppm:- | sha256sum)
        if [ "$now" = "$before" ]; then calm=$((calm + 1)); else calm=0; fi
        [ "$calm" -lt 3 ] || return 0
        before=$now
        sleep 1
    done
    fail "$1: the window never comes to rest"
}
look() { # NAME OF THE PICTURE
    "${on_screen[@]}" import -window root "/tmp/$1.png"
    cp "$screen/tmp/$1.png" "$pictures/"
}
close_window() { # NAME
    local status=0
    kill -0 "$window" 2>/dev/null || fail "$1: the window is gone: $(cat "$root/tmp/window.out")"
    "${on_screen[@]}" xdotool key ctrl+q
    if [ "${2:-}" = unsaved ]; then
        settle "the question about what is not saved"
        look question
        "${on_screen[@]}" xdotool key Tab space
    fi
    for _ in $(seq 60); do
        kill -0 "$window" 2>/dev/null || break
        sleep 1
    done
    ! kill "$window" 2>/dev/null || { look still-open; fail "$1: the window does not close"; }
    wait "$window" || status=$?
    [ "$status" = 0 ] || fail "$1: status $status: $(cat "$root/tmp/window.out")"
    ! grep -v "${explained[@]}" "$root/tmp/window.out" || fail "$1: the window said this"
    say "passed  the window: $1"
}
type_into_dialog() { # ITS TITLE, FILE IN THE ROOT
    await_window "$1"
    shift
    sleep 2 # its cursor blinks: it never comes to rest
    "${on_screen[@]}" xdotool type --delay 40 "$1"
    "${on_screen[@]}" xdotool key Return
    for _ in $(seq 60); do
        [ ! -s "$root$1" ] || break
        sleep 1
    done
    [ -s "$root$1" ] || { look dialog; fail "$1 was not written"; }
    settle "after $1"
}

mkdir -p "$screen/$socket" "$root/$socket"
chmod 1777 "$screen/$socket"
mount --bind "$screen/$socket" "$root/$socket"
"${on_screen[@]}" Xvfb $display -ac -noreset -nolisten tcp -screen 0 1366x768x24 >"$screen/tmp/xvfb.log" 2>&1 &
started+=($!)
for _ in $(seq 30); do ! "${on_screen[@]}" xdotool getmouselocation >/dev/null 2>&1 || break; sleep 1; done
"${on_screen[@]}" openbox >"$screen/tmp/openbox.log" 2>&1 &
started+=($!)

open_window
look empty
close_window "empty"

open_window "$home/scores" "$home/trials"
look files
close_window "two files as arguments" unsaved

open_window demo
look demo
for pane in 2 3 4 5 6 7 8 9 0 1; do
    "${on_screen[@]}" xdotool key ctrl+$pane
    sleep 3
    look pane-$pane
done
settle "all panes"
rm -f "$root/tmp/window.pdf" "$root/tmp/case.zebra"
"${on_screen[@]}" xdotool key ctrl+p
type_into_dialog "Export the report" /tmp/window.pdf
"${on_screen[@]}" xdotool key ctrl+s
type_into_dialog "Save the project" /tmp/case.zebra
look exported
close_window "the demo, a PDF exported, the project saved"
head -c 5 "$root/tmp/window.pdf" | grep -q '%PDF-' || fail "the window wrote no PDF"
"${as_user[@]}" zebra verify /tmp/window.pdf --data "$demo" >"$root/tmp/out" 2>&1 || fail "$(cat "$root/tmp/out")"
say "passed  the PDF of the window is verified: $(cat "$root/tmp/out")"

open_window /tmp/case.zebra
look project
close_window "a project as argument"

# Real drag and drop between two programs, by the protocol of X11.
cat >"$screen/tmp/drag.tcl" <<'TCL'
package require tkdnd
wm geometry . 200x80+0+0
label .files -text files
pack .files -expand 1 -fill both
tkdnd::drag_source register .files DND_Files
bind .files <<DragInitCmd>> {list copy DND_Files $argv}
TCL
open_window
"${on_screen[@]}" wish /tmp/drag.tcl "$home/scores" "$home/trials" >"$screen/tmp/drag.log" 2>&1 &
source=$!
started+=("$source")
settle "the source of the drag"
"${on_screen[@]}" xdotool mousemove 100 50 mousedown 1
for place in "110 60" "200 150" "400 300" "600 400" "640 450" "641 451"; do
    # shellcheck disable=SC2086 # two coordinates
    "${on_screen[@]}" xdotool mousemove $place sleep 0.3
done
look dragging
"${on_screen[@]}" xdotool mouseup 1
sleep 3
kill "$source" 2>/dev/null || fail "the source of the drag ended: $(cat "$screen/tmp/drag.log")"
settle "after the drop"
look dropped
close_window "two files dropped with the mouse" unsaved

# The process ends with its window, whatever it is doing.
DISPLAY=$display TOOLS="${on_screen[*]}" "$(dirname "$0")/closing_test.sh" "${CLOSINGS:-30}" "${as_user[@]}" zebra
