#!/usr/bin/env bash
# Have Inno Setup compile the installer's script, under Wine in a bare Debian: its preprocessor, its sections and its
# icon are read for real; what is packed is one file in place of the bundle. Needs root, debootstrap, npm, and mirrors.
#     installer_test.sh [MIRROR]
# The installer made here cannot be run: this Wine does not know the folder of a user's programs.
set -euo pipefail
cd "$(dirname "$0")/.."
mirror=${1:-http://deb.debian.org/debian}
bare=${BARE:-$PWD/build/bare-bookworm}
root=$bare.wine
inno=innosetup-compiler@6.3.1 # the compiler itself, as npm has it
source packaging/bare.sh

make_bare bookworm "$mirror"
trap release EXIT
if [ ! -x "$bare.wine-ready/usr/bin/wine" ]; then
    copy_of "$bare"
    in_root dpkg --add-architecture i386
    in_root apt-get -qq update
    in_root apt-get -qq install --yes --no-install-recommends wine wine32:i386 xvfb xauth >/dev/null
    release
    rm -rf --one-file-system "$bare.wine-ready"
    mv "$root" "$bare.wine-ready"
fi
copy_of "$bare.wine-ready"
source_of=$root/installer
mkdir -p "$source_of"/{inno,packaging/windows,dist/bundle/zebra,build/bundle}
(cd "$source_of/inno" && npm pack --silent "$inno" >/dev/null && tar xf ./*.tgz)
cp packaging/windows/zebra.iss "$source_of/packaging/windows/"
cp LICENSE "$source_of/"
cp "$source_of/inno/package/bin/SetupClassicIcon.ico" "$source_of/build/bundle/zebra.ico"
echo "in place of the bundle" >"$source_of/dist/bundle/zebra/zebra-window.exe"
in_root WINEDEBUG=-all timeout 300 xvfb-run -a wine /installer/inno/package/bin/ISCC.exe /DVersion=1.2.3 \
    'Z:\installer\packaging\windows\zebra.iss' >"$root/tmp/out" 2>&1 || { tail -n 20 "$root/tmp/out" >&2; fail "ISCC"; }
grep -q '^Successful compile' "$root/tmp/out" || fail "$(tail -n 5 "$root/tmp/out")"
! grep -i '^warning' "$root/tmp/out" || fail "ISCC warns"
say "passed  $(grep -o 'Successful compile' "$root/tmp/out"): zebra-1.2.3-windows-setup.exe," \
    "$(stat -c %s "$source_of/dist/zebra-1.2.3-windows-setup.exe") bytes"
