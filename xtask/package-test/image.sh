#!/bin/sh
# Runs the commands of the last stage of deploy/Dockerfile in a copy of a Debian system, and starts the program as the image does.
# `cargo xtask package-test` runs it as root, in a mount namespace of its own:
#   image.sh BASE KITH        BASE is a folder made by debootstrap, which stays as it is; KITH is the built program
set -eu
base=$1 kith=$2
. xtask/package-test/system.sh
mount --bind /etc/resolv.conf "$root/etc/resolv.conf" 2> /dev/null || cp /etc/resolv.conf "$root/etc/resolv.conf"

# Prints the values of an instruction of the last stage, with continued lines joined.
last_stage=$(awk '/^FROM/ { stage = "" } { stage = stage $0 "\n" } END { printf "%s", stage }' deploy/Dockerfile | sed -e ':a' -e '/\\$/N; s/\\\n//; ta')
instruction() { printf '%s\n' "$last_stage" | sed -n "s/^$1 //p"; }

echo "== RUN"
command=$(instruction RUN)
in_root sh -c "$command" > "$work/log" 2>&1 || { cat "$work/log"; fail "$command"; }
grep -i 'useradd' "$work/log" && fail "useradd warns"
[ "$(in_root stat -c '%u:%g %a' /data)" = '10001:10001 700' ] || fail "/data: $(in_root stat -c '%u:%g %a' /data)"
[ -s "$root/etc/ssl/certs/ca-certificates.crt" ] || fail "no certificates"

echo "== ENTRYPOINT"
install -m 0755 "$kith" "$root$(instruction 'COPY --from=build .*kith')"
settings=$(instruction ENV)
account=$(instruction USER)
# shellcheck disable=SC2086 # Each setting is a word.
chroot --userspec="$account" "$root" $alone $settings KITH_LISTEN=127.0.0.1:18080 KITH_ADMIN_LISTEN=127.0.0.1:19090 \
  kith serve > "$work/log" 2>&1 &
server=$!
# The health check of deploy/compose.yaml, with another IP address and port.
check=$(sed -n 's/^ *- \(exec 3<>.*\)$/\1/p' deploy/compose.yaml | sed 's#/dev/tcp/[0-9.]*/9090#/dev/tcp/127.0.0.1/19090#')
wait_until "the health check of compose.yaml" in_root bash -c "$check"
[ "$(in_root stat -c '%u %a' /data/kith.db)" = '10001 600' ] || fail "the database belongs to another account"
kill "$server"
wait "$server" || fail "the server exits with $?"
server=
