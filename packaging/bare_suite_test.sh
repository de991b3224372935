#!/usr/bin/env bash
# The whole suite in a bare Debian, with the Python and the programs of that Debian, as a plain user. Needs root,
# debootstrap and a mirror; takes as long as `make test` and three minutes. The log is build/suite-SUITE.log.
#     bare_suite_test.sh [SUITE] [MIRROR]      SUITE: trixie (the default) or bookworm
# ARGS are arguments for pytest.
set -euo pipefail
cd "$(dirname "$0")/.."
suite=${1:-trixie}
mirror=${2:-http://deb.debian.org/debian}
bare=${BARE:-$PWD/build/bare-$suite}
root=$bare.suite
source packaging/bare.sh

make_bare "$suite" "$mirror"
trap release EXIT
copy_of "$bare"
in_root apt-get -qq update
in_root apt-get -qq install --yes --no-install-recommends python3 python3-venv make git >/dev/null
checkout_to "$root/home/user/zebra"
here=(as_user env -C /home/user/zebra)
# As an administrator: the one command that is named.
"${here[@]}" python3 packaging/system_packages.py name run test 2>"$root/tmp/err" || true
asked=$(sed -n 's/^    \(apt-get install .*\)/\1/p' "$root/tmp/err")
# shellcheck disable=SC2086 - a command line, as it would be typed
[ -z "$asked" ] || in_root $asked >/dev/null
mkdir -p build
{
    in_root cat /etc/debian_version
    in_root python3 --version
    "${here[@]}" make test ARGS="${ARGS:-}"
} 2>&1 | tee "build/suite-$suite.log"
