#!/usr/bin/env bash
# The README's commands in a bare Debian that has Python and make, and nothing else: as root, and as a user who
# may not install packages, who is told of one command for an administrator. Needs root, debootstrap and a mirror.
#     bare_setup_test.sh [SUITE] [MIRROR]      SUITE: bookworm (the default) or trixie
# PARTS names what to try: user broken network mirror root (the default: all). The bare system is kept in build/bare-SUITE (or where BARE says); each test uses a copy.
set -euo pipefail
cd "$(dirname "$0")/.."
suite=${1:-bookworm}
mirror=${2:-http://deb.debian.org/debian}
bare=${BARE:-$PWD/build/bare-$suite}
root=$bare.used
source packaging/bare.sh

# What an administrator has done before.
new_root() {
    if [ ! -d "$bare.python" ]; then
        copy_of "$bare"
        in_root apt-get -qq update
        in_root apt-get -qq install --yes --no-install-recommends python3 make >/dev/null
        release
        mv "$root" "$bare.python"
    fi
    copy_of "$bare.python"
    checkout_to "$root/home/user/zebra"
}
timed() { # NAME MOST_SECONDS COMMAND...
    local name=$1 most=$2 begin
    shift 2
    begin=$(date +%s%N)
    "$@"
    local ms=$((($(date +%s%N) - begin) / 1000000))
    [ "$ms" -le $((most * 1000)) ] || fail "$name took $ms ms, more than $most s"
    say "passed  $name ($((ms / 1000)).$(printf %03d $((ms % 1000))) s)"
}
quietly() { "$@" >"$root/tmp/out" 2>&1 || { tail -n 30 "$root/tmp/out" >&2; return 1; }; }
left_nothing() {
    [ ! -e "$root/home/user/zebra/.venv" ] || fail "$1 left a .venv"
    say "passed  $1 leaves no .venv"
}

here=(as_user env -C /home/user/zebra)
as_root=(in_root env -C /home/user/zebra)

# A user without any right to install: one command for an administrator, and then it works.
test_user() {
    new_root
    if "${here[@]}" make demo >"$root/tmp/out" 2>"$root/tmp/err"; then
        fail "make demo without the part of Python that makes environments: status 0"
    fi
    sed 's/^/    | /' "$root/tmp/err"
    left_nothing "a user's make demo without python3-venv"
    local asked
    asked=$(sed -n 's/^    \(apt-get install .*\)/\1/p' "$root/tmp/err")
    [ "$(wc -l <<<"$asked")" = 1 ] || fail "not one command for the administrator: $asked"
    # shellcheck disable=SC2086 - a command line, as it would be typed
    quietly in_root $asked || fail "the command for the administrator: $asked"
    say "passed  the administrator's one command"
    timed "make setup" 1200 quietly "${here[@]}" make setup
    timed "make setup a second time" 2 quietly "${here[@]}" make setup
    timed "make demo without a display" 300 quietly "${here[@]}" make demo
    grep -q "the worst case" "$root/tmp/out" || tail -n 3 "$root/tmp/out"
    timed "make demo a second time" 300 quietly "${here[@]}" make demo
}

# Broken off at any moment: the next run mends it.
test_broken() {
    new_root
    in_root apt-get -qq install --yes --no-install-recommends python3-venv >/dev/null
    for seconds in 1 3 10 30; do
        "${here[@]}" timeout --signal KILL "$seconds" make setup >/dev/null 2>&1 || true
        [ ! -e "$root/home/user/zebra/.venv/.ready" ] || fail "killed after $seconds s it says that it is whole"
        [ ! -e "$root/home/user/zebra/.venv" ] ||
            say "        killed after $seconds s: $(du -sm "$root/home/user/zebra/.venv" | cut -f1) MB"
    done
    "${here[@]}" timeout --signal INT 12 make setup >/dev/null 2>&1 || true
    left_nothing "make setup with Ctrl+C after 12 s"
    timed "make setup after all that" 1200 quietly "${here[@]}" make setup
    grep -A 2 "system packages that are missing" "$root/tmp/out" | sed 's/^/    | /'
    quietly "${here[@]}" .venv/bin/zebra --version || fail "zebra --version"
    # Moved: nothing of the old path remains in use.
    mv "$root/home/user/zebra" "$root/home/user/größe und mehr"
    local there=(as_user env -C "/home/user/größe und mehr")
    timed "make setup after the checkout was moved" 1200 quietly "${there[@]}" make setup
    quietly "${there[@]}" .venv/bin/zebra --version || fail "zebra --version after the checkout was moved"
}

# No network: nothing is left.
test_network() {
    new_root
    in_root apt-get -qq install --yes --no-install-recommends python3-venv >/dev/null
    if NET=none "${here[@]}" make setup >"$root/tmp/out" 2>&1; then fail "make setup without a network: status 0"; fi
    tail -n 1 "$root/tmp/out" | sed 's/^/    | /'
    left_nothing "make setup without a network"
}

# The index and Debian cannot be reached, but a mirror of both can, which the settings of pip and apt name.
test_mirror() {
    new_root
    local port=8731 log=$root/tmp/mirror.log
    python3 packaging/mirror.py "$port" "$log" "$mirror" &
    mirroring=$!
    until : 2>/dev/null <"/dev/tcp/127.0.0.1/$port"; do sleep 0.1; done
    printf '127.0.0.9 %s\n' pypi.org files.pythonhosted.org deb.debian.org >>"$root/etc/hosts"
    rm -f "$root"/etc/apt/sources.list.d/*
    echo "deb http://127.0.0.1:$port/debian $suite main" >"$root/etc/apt/sources.list"
    printf '[global]\nindex-url = http://127.0.0.1:%s/simple\n' "$port" >"$root/etc/pip.conf"
    in_root apt-get -qq update
    quietly "${as_root[@]}" make setup || fail "make setup with a mirror"
    kill "$mirroring"
    mirroring=
    for asked in /simple/numpy/ '/files/.*\.whl' '/debian/.*\.deb'; do
        grep -q "GET $asked" "$log" || fail "the mirror was not asked for $asked"
    done
    quietly "${as_root[@]}" .venv/bin/zebra --version || fail "zebra --version"
    say "passed  make setup with a mirror of the index and of Debian: $(wc -l <"$log") files from it, none from elsewhere"
}

# Root, who installs what is missing, without make: the two lines of the README.
test_root() {
    new_root
    in_root apt-get -qq remove --yes make >/dev/null
    quietly "${as_root[@]}" packaging/make_venv.sh || fail "packaging/make_venv.sh as root"
    quietly "${as_root[@]}" .venv/bin/zebra demo --out demo-report || fail "zebra demo as root"
    say "passed  as root and without make: packaging/make_venv.sh, .venv/bin/zebra demo"
    timed "packaging/make_venv.sh a second time" 2 quietly "${as_root[@]}" packaging/make_venv.sh
    quietly "${as_root[@]}" env QT_QPA_PLATFORM=offscreen .venv/bin/python -c \
        'from zebra_gui.app import make_app; make_app()' || fail "Qt as root"
    say "passed  Qt starts"
}

make_bare "$suite" "$mirror"
mirroring=
trap '[ -z "$mirroring" ] || kill "$mirroring" || true; release' EXIT
for part in ${PARTS:-user broken network mirror root}; do
    say "--- $suite: $part"
    "test_$part"
done
