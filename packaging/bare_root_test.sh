#!/usr/bin/env bash
# Install the Debian package into a bare Debian or Ubuntu and use it there as a user would. Needs root, debootstrap,
# and a mirror. The bare system is kept in build/bare-SUITE (or where BARE says), and each test uses a copy of it;
# beside it is a second one with a screen, a mouse and keys for the windows (bare_windows.sh).
#     bare_root_test.sh DIST [SUITE] [MIRROR]      SUITE: bookworm (the default), trixie; jammy or noble of Ubuntu
# Writes screenshots of the window to DIST/screenshots; fails at the first thing that is not as it should be.
set -euo pipefail
cd "$(dirname "$0")/.."

dist=$(realpath "${1:-dist}")
suite=${2:-bookworm}
case $suite in
jammy | noble) # older tools of Debian do not know Ubuntu's keys, nor that noble is made as jammy is
    mirror=${3:-http://archive.ubuntu.com/ubuntu} more=(--components=main,universe --no-check-gpg)
    script=/usr/share/debootstrap/scripts/jammy
    ;;
*) mirror=${3:-http://deb.debian.org/debian} more=() script= ;;
esac
bare=${BARE:-$PWD/build/bare-$suite}
root=$bare.used
screen=$bare.screen
deb=$(ls "$dist"/zebra-privacy_*_amd64.deb)
user=größe # a home that is not ASCII

say() { printf '%s\n' "$*"; }
fail() { printf 'FAILED  %s\n' "$*" >&2; exit 1; }
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin "$@"; }
# As the user: without network, without any setting of language, with an empty home that can be read only.
as_user() {
    unshare --net --mount chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME="/home/$user" "$@"
}
expect() { # STATUS NAME COMMAND...
    local status=$1 name=$2 found=0
    shift 2
    as_user "$@" >"$root/tmp/out" 2>"$root/tmp/err" || found=$?
    [ "$found" = "$status" ] || { cat "$root/tmp/err" >&2; fail "$name: status $found instead of $status"; }
    grep -q Traceback "$root/tmp/err" && fail "$name: $(cat "$root/tmp/err")"
    say "passed  $name"
}

if [ ! -x "$bare/usr/bin/apt-get" ]; then
    command -v debootstrap >/dev/null || apt-get install --yes --no-install-recommends debootstrap
    debootstrap --variant=minbase "${more[@]}" "$suite" "$bare" "$mirror" ${script:+"$script"} >"$bare.log"
fi
if [ ! -e "$screen/usr/bin/xdotool" ]; then
    rm -rf --one-file-system "$screen"
    cp -a "$bare" "$screen"
    cp /etc/resolv.conf "$screen/etc/"
    as_admin=(chroot "$screen" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive)
    "${as_admin[@]}" apt-get -qq update
    "${as_admin[@]}" apt-get -qq install --yes --no-install-recommends xvfb openbox xdotool tkdnd imagemagick >/dev/null
fi
release() {
    for place in "$root/home/$user" "$root/proc"; do
        ! mountpoint -q "$place" || umount "$place"
    done
}
release
rm -rf --one-file-system "$root"
cp -a "$bare" "$root"
mkdir -p "$root/tmp" "$root/home/$user"
mount -t proc proc "$root/proc"
trap release EXIT

say "Installing into a bare $suite ..."
cp /etc/resolv.conf "$root/etc/"
cp "$deb" "$root/tmp/zebra.deb"
inside DEBIAN_FRONTEND=noninteractive apt-get -qq update
inside DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends /tmp/zebra.deb >/dev/null
inside sh -c 'command -v python3' && fail "there is a Python in the bare root"
inside sh -c 'ls /usr/lib/x86_64-linux-gnu | grep -i libqt' && fail "there is a Qt in the bare root"
inside sh -c 'LD_LIBRARY_PATH=/opt/zebra/_internal ldd /opt/zebra/_internal/PySide6/Qt/plugins/*/*.so' \
    | grep 'not found' && fail "libraries are missing"
say "passed  installed with its dependencies alone, no library of a plugin is missing"

mount -t tmpfs -o mode=755 tmpfs "$root/home/$user"
printf 'e1 t1 2.5\ne1 t2 0.5\ne2 t1 -1.0\ne2 t2 1.5\n' >"$root/home/$user/scores"
printf 'e1 t1 target\ne1 t2 nontarget\ne2 t1 nontarget\ne2 t2 target\n' >"$root/home/$user/trials"
mount -o remount,ro "$root/home/$user"
chroot "$root" touch "/home/$user/x" 2>/dev/null && fail "the home can be written to"

home=/home/$user
expect 0 "zebra --version" zebra --version
expect 0 "zebra assess --json, status 0" zebra assess -s "$home/scores" -k "$home/trials" --json
grep -q '"d_ece_bits": 0.72134752' "$root/tmp/out" || fail "wrong figure: $(cat "$root/tmp/out")"
expect 1 "zebra assess without its file, status 1" zebra assess -s "$home/none" -k "$home/trials"
grep -q "^zebra: error: none was not found" "$root/tmp/err" || fail "$(cat "$root/tmp/err")"
expect 2 "zebra assess without options, status 2" zebra assess
expect 1 "the window without a screen says so, status 1" zebra "$home/scores"
for locale in C POSIX C.UTF-8 xx_YY.UTF-8; do
    expect 0 "known answers, LC_ALL=$locale" LC_ALL=$locale zebra selftest
done
expect 0 "known answers, no locale at all" zebra selftest
grep -q 'PASSED$' "$root/tmp/out" || fail "the known answers were not found"
cp "$root/tmp/out" "$dist/selftest-bare-root.txt"
expect 0 "zebra demo --out" zebra demo --out /tmp/demo
head -c 5 "$root/tmp/demo/report.pdf" | grep -q '%PDF-' || fail "no PDF was made"
expect 1 "an export into the read-only home, status 1" zebra demo --out "$home/demo"
expect 0 "zebra demo --recordings" zebra demo --recordings --out /tmp/heard
expect 0 "its report is verified against its scores" zebra verify /tmp/heard/report/report.pdf --data /tmp/heard/scores

expect 0 "zebra count" zebra count --engine duckdb -s "$home/scores" -k "$home/trials" -o /tmp/counts.parquet
expect 0 "its counts are opened" zebra assess -s /tmp/counts.parquet --json
grep -q '"d_ece_bits": 0.72134752' "$root/tmp/out" || fail "wrong figure: $(cat "$root/tmp/out")"
expect 1 "a sentence in German" zebra --language de assess -s "$home/none" -k "$home/trials"
grep -q 'nicht gefunden' "$root/tmp/err" || fail "$(cat "$root/tmp/err")"
recordings=/opt/zebra/_internal/zebra_resources/recordings/original
expect 0 "zebra protect" zebra protect --with mcadams "$recordings" -o /tmp/protected
[ "$(find "$root$recordings" -name '*.flac' | wc -l)" = "$(find "$root/tmp/protected" -name '*.flac' | wc -l)" ] \
    || fail "not every recording is protected"
expect 0 "zebra validate" zebra validate -o /tmp/dossier
cp "$root"/tmp/dossier/*.pdf "$dist/"

demo=/opt/zebra/_internal/zebra_resources/demo
expect 0 "zebra verify, status 0" zebra verify /tmp/demo/report.pdf --data "$demo"
grep -q '^All [0-9]* figures, files and pages' "$root/tmp/out" || fail "$(cat "$root/tmp/out")"
sed 's/"d_ece_bits": 0\.2/"d_ece_bits": 0.1/' "$root/tmp/demo/evidence.json" >"$root/tmp/false.json"
cmp -s "$root/tmp/demo/evidence.json" "$root/tmp/false.json" && fail "there was nothing to tamper with"
expect 4 "zebra verify finds out a changed figure, status 4" zebra verify /tmp/false.json --data "$demo"
grep -q '^differs: .*d_ece_bits' "$root/tmp/out" || fail "$(cat "$root/tmp/out")"
expect 0 "zebra compare" zebra compare "$demo" -o /tmp/compared
matrices=$demo/similarity/libri_test_trials_f
expect 0 "zebra similarity" zebra similarity --oo "$matrices/scores_oo.txt.gz" --op "$matrices/B2/scores_op.txt.gz" \
    --pp "$matrices/B2/scores_pp.txt.gz" --speakers before-hyphen --json
grep -q '"de_id": ' "$root/tmp/out" || fail "$(cat "$root/tmp/out")"
printf '\x89HDF\r\n\x1a\n' >"$root/tmp/scores.h5"
expect 1 "HDF5 is refused in a sentence, status 1" zebra assess -s /tmp/scores.h5 -k "$home/trials"
grep -q '^zebra: error: scores.h5 is an HDF5 file, which needs' "$root/tmp/err" || fail "$(cat "$root/tmp/err")"

mkdir -p "$dist/screenshots"
rm -f "$dist"/screenshots/*.png
packaging/bare_windows.sh "$root" "$screen" "$user" "$dist/screenshots"
inside zebra --version >/dev/null
inside DEBIAN_FRONTEND=noninteractive apt-get -qq remove --yes zebra-privacy >/dev/null
[ ! -e "$root/opt/zebra" ] || fail "something is left after removal: $(find "$root/opt/zebra" | head -3)"
say "passed  removed without remains; screenshots are in $dist/screenshots: look at them"
