# A Debian 13 with Wine 10, sourced by what builds and tries the program for Windows: $root, with $drive inside it as /w.
# Wine 8 of Debian 12 lacks more of what Python 3.13 asks for.
work=$PWD/build/windows
root=$work/root
drive=$work/drive
bare=$PWD/build/bare-trixie
source packaging/bare.sh
trap release_drive EXIT

make_wine() {
    mkdir -p "$drive"
    make_bare trixie "${MIRROR:-http://deb.debian.org/debian}"
    if [ ! -e "$root/wine-is-there" ]; then
        copy_of "$bare"
        in_root apt-get -qq update
        in_root apt-get -qq install --yes --no-install-recommends \
            wine wine64 xvfb xauth xdotool imagemagick openbox osslsigncode >/dev/null
        touch "$root/wine-is-there"
        release
    fi
    mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
    mountpoint -q "$root/dev" || mount --rbind --make-rslave /dev "$root/dev"
    mkdir -p "$root/w"
    mountpoint -q "$root/w" || mount --bind "$drive" "$root/w"
}

release_drive() {
    ! mountpoint -q "$root/w" || umount "$root/w"
    release
}

in_wine() { # PREFIX COMMAND...: in the prefix of this name, and quietly
    local prefix=$1
    shift
    in_root WINEPREFIX="/prefixes/$prefix" WINEDEBUG=-all XDG_RUNTIME_DIR=/tmp "$@" </dev/null
}

new_prefix() { # NAME: a Windows without Python, and with what Windows 10 has and Wine 10 lacks
    rm -rf "$root/prefixes/$1"
    mkdir -p "$root/prefixes"
    in_wine "$1" wineboot --init >/dev/null 2>&1
    in_wine "$1" wineserver --wait
    cp "$drive"/trial/*.dll "$root/prefixes/$1/drive_c/windows/system32/"
    in_wine "$1" wine reg add 'HKCU\Software\Wine\DllOverrides' /v ucrtbase /d native,builtin /f >/dev/null
    in_wine "$1" wineserver --wait
}
