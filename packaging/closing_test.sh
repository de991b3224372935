#!/usr/bin/env bash
# Close the window of a program again and again, by its key, and see how long the process stays after it.
#     closing_test.sh CLOSINGS PROGRAM...      say: closing_test.sh 200 dist/zebra/zebra, or .venv/bin/zebra
# Every other time nothing is under way, else the program is working out intervals, looking at speakers, or
# still opening. Fails where a process is there 5 s later. Without DISPLAY a screen of its own is started; TOOLS is
# what stands before xdotool where that is in another root (bare_windows.sh).
set -euo pipefail

closings=$1
shift
program=("$@")
read -ra tools <<<"${TOOLS:-}"
folder=$(mktemp -d)
started=() pid=
tidy() {
    for one in $pid "${started[@]}"; do kill "$one" 2>/dev/null || true; done
    rm -rf "$folder"
}
trap tidy EXIT
fail() { printf 'FAILED  %s\n' "$*" >&2; exit 1; }
keys() { "${tools[@]}" xdotool "$@"; }
seen() { keys search --onlyvisible --name "$1" >/dev/null 2>&1; }
now() { date +%s%3N; }

if [ -z "${DISPLAY:-}" ]; then
    Xvfb -displayfd 3 -nolisten tcp -screen 0 1366x768x24 3>"$folder/display" >"$folder/screen.log" 2>&1 &
    started+=($!)
    for _ in $(seq 50); do [ ! -s "$folder/display" ] || break; sleep 0.1; done
    DISPLAY=:$(cat "$folder/display")
    export DISPLAY
    openbox >"$folder/openbox.log" 2>&1 &
    started+=($!)
    # Nothing of whoever runs this is read or written.
    export HOME=$folder XDG_CONFIG_HOME=$folder/config XDG_CACHE_HOME=$folder/cache XDG_STATE_HOME=$folder/state
    export XDG_DATA_HOME=$folder/data QT_QPA_PLATFORM=xcb
fi

longest=0
for number in $(seq "$closings"); do
    "${program[@]}" demo >"$folder/said" 2>&1 &
    pid=$!
    for _ in $(seq 300); do
        ! seen ZEBRA || break
        kill -0 "$pid" 2>/dev/null || fail "it ended by itself: $(cat "$folder/said")"
        sleep 0.1
    done
    seen ZEBRA || fail "there is no window"
    case $((number % 6)) in
    1) what=opening ;;
    3) what=intervals && sleep 4 && keys key ctrl+shift+u ;;
    5) what=speakers && sleep 4 && keys key ctrl+0 ;;
    *) what=nothing && sleep 4 ;;
    esac
    sleep "$((RANDOM % 2)).$((RANDOM % 10))"
    began=$(now)
    keys key ctrl+q
    for _ in $(seq 100); do
        kill -0 "$pid" 2>/dev/null || break
        if seen 'Save changes'; then
            keys key alt+d # it is only counted from the answer
            began=$(now)
        fi
        sleep 0.05
    done
    took=$(($(now) - began))
    ! kill "$pid" 2>/dev/null || fail "closing $number, $what: still there after $took ms"
    wait "$pid" || fail "closing $number, $what: $(cat "$folder/said")"
    pid=
    [ "$took" -le 5000 ] || fail "closing $number, $what: it took $took ms"
    [ "$took" -le "$longest" ] || longest=$took
done
printf 'passed  %s of %s closings ended within 5 s, the longest took %s ms\n' "$closings" "$closings" "$longest"
