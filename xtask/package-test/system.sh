#!/bin/sh
# A copy of a Debian system, for the scripts beside this one. They run in a mount namespace of their own and set `base`, a folder made by
# debootstrap, which stays as it is. The copy is in `root`, scratch files in `work`; `server` is the process to stop at the end.
work=$(mktemp -d)
mount -t tmpfs tmpfs "$work"
mkdir "$work/upper" "$work/work" "$work/root"
mount -t overlay overlay -o "lowerdir=$base,upperdir=$work/upper,workdir=$work/work" "$work/root"
root=$work/root
mount -t proc proc "$root/proc"
server=
trap '[ -z "$server" ] || kill "$server"; umount -R -l "$work"; rmdir "$work"' EXIT

fail() { echo "FAILED: $*" >&2; exit 1; }
alone="env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive"
in_root() { chroot "$root" $alone "$@"; }
# Repeats a command until it succeeds, for at most 30 seconds; then fails with the server's log and a sentence.
wait_until() {
  sentence=$1 tries=0
  shift
  until "$@" 2> /dev/null; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || { cat "$work/log"; fail "$sentence"; }
    sleep 0.1
  done
}
# Prints the command of the page $1 of the book that begins with $2.
book() {
  found=$(sed 's/^ *//' "$1" | awk -v start="$2" '/^```/ { code = !code && /^```sh$/; next } code && index($0, start) == 1')
  [ -n "$found" ] && [ "$(printf '%s\n' "$found" | wc -l)" = 1 ] || fail "$1 has not one command that begins with $2"
  printf '%s\n' "$found"
}
