# Bare systems to try things in, sourced by the tests that use one. $root is the copy in use; `release` lets it go.

say() { printf '%s\n' "$*"; }
fail() { printf 'FAILED  %s\n' "$*" >&2; exit 1; }

make_bare() { # SUITE MIRROR: once, in $bare
    [ ! -x "$bare/usr/bin/apt-get" ] || return 0
    command -v debootstrap >/dev/null || apt-get install --yes --no-install-recommends debootstrap
    mkdir -p "$(dirname "$bare")"
    debootstrap --variant=minbase "$1" "$bare" "$2" >"$bare.log" || { tail -n 5 "$bare.log" >&2; fail debootstrap; }
}

copy_of() { # BARE: a new $root, with a user, and with the certificates of this machine
    release
    rm -rf --one-file-system "$root"
    cp -a --reflink=auto "$1" "$root"
    mount -t proc proc "$root/proc"
    mount --rbind --make-rslave /dev "$root/dev"
    cp /etc/resolv.conf "$root/etc/"
    mkdir -p "$root/home/user"
    ! [ -e /etc/ssl/certs/ca-certificates.crt ] || cp /etc/ssl/certs/ca-certificates.crt "$root$_certificates"
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/quick" # it may be lost, and is made again then
    if ! grep -q ^user: "$root/etc/passwd"; then
        echo 'user:x:1000:1000::/home/user:/bin/bash' >>"$root/etc/passwd"
        echo 'user:x:1000:' >>"$root/etc/group"
    fi
    chown 1000:1000 "$root/home/user"
}

release() {
    ! mountpoint -q "$root/dev" || umount -R --lazy "$root/dev"
    ! mountpoint -q "$root/proc" || umount "$root/proc"
}

_certificates=/etc/certificates-of-the-host.crt
_trusted=()
[ ! -e /etc/ssl/certs/ca-certificates.crt ] || _trusted=(PIP_CERT="$_certificates" SSL_CERT_FILE="$_certificates")
_clean=(/usr/bin/env -i PATH=/usr/local/sbin:/usr/sbin:/usr/local/bin:/usr/bin:/sbin:/bin LANG=C.UTF-8
    "${_trusted[@]}")
in_root() { chroot "$root" "${_clean[@]}" HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
as_user() { # without network if NET=none
    local alone=()
    [ "${NET:-}" != none ] || alone=(unshare --net)
    "${alone[@]}" chroot --userspec=1000:1000 --groups=1000 "$root" "${_clean[@]}" HOME=/home/user "$@"
}

checkout_to() { # FOLDER: what git knows of this checkout, as it is now, owned by the user
    mkdir -p "$1"
    git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- --create | tar --extract --no-same-owner --directory "$1"
    chown -R 1000:1000 "$1"
    # What was fetched once need not be fetched again: the cache of pip, where the Makefile puts it.
    if [ "${PIP_CACHE:-}" ]; then
        mkdir -p "$1/.cache" "$PIP_CACHE"
        cp -a "$PIP_CACHE" "$1/.cache/pip"
        chown -R 1000:1000 "$1/.cache"
    fi
}
