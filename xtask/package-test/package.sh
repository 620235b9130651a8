#!/bin/sh
# Installs, upgrades, removes, purges and reinstalls the Debian package in a copy of a Debian system, and checks what each
# step leaves. `cargo xtask package-test` runs it as root, in a mount namespace of its own:
#   package.sh BASE OLD.deb NEW.deb        BASE is a folder made by debootstrap, which stays as it is
set -eu
base=$1 old=$2 new=$3
. xtask/package-test/system.sh
cp "$old" "$root/old.deb"
cp "$new" "$root/new.deb"

stop() {
  [ -z "$server" ] || { kill "$server" && wait "$server"; } || fail "the server exits with $?"
  server=
}

step() { echo "== $*"; }
# The file or folder $1 has the owner, group and mode $2.
has() { [ "$(in_root stat -c '%U:%G %a' "$1")" = "$2" ] || fail "$1: $(in_root stat -c '%U:%G %a' "$1"), not $2"; }
# Runs a command, and prints its output only if it fails.
quietly() { "$@" > "$work/log" 2>&1 || { cat "$work/log"; fail "$*"; }; }
gone() { for path; do [ ! -e "$root$path" ] || fail "$path is left"; done; }
# Starts the server with the settings of the package and waits until it is ready.
start() {
  # Each program replaces the one before, so that the server itself gets the signal of `stop`.
  chroot "$root" $alone sh -c 'set -a; KITH_DATA=/var/lib/kith; . /etc/kith/kith.env
    exec setpriv --reuid=kith --regid=kith --init-groups kith serve' > "$work/log" 2>&1 &
  server=$!
  wait_until "the server is not ready" \
    in_root bash -c 'exec 3<>/dev/tcp/127.0.0.1/19090 && printf "GET /readyz HTTP/1.0\r\n\r\n" >&3 && grep -q ^ready <&3'
}
# Checks that settings and network are those from before the step.
check_network() {
  cmp "$root/etc/kith/kith.env" "$work/kith.env" || fail "$1 changed the settings"
  start
  [ "$(members)" = 1 ] || fail "the network is not there after $1"
  stop
}
members() { in_root kith-as-server member list --json | grep -c '"username"' || true; }

step "install $(basename "$old")"
quietly in_root dpkg -i /old.deb
grep -q 'systemctl enable --now kith' "$work/log" || fail "the next step is not printed"
has /usr/bin/kith 'root:root 755'
has /etc/kith/kith.env 'root:root 600'
has /var/lib/kith 'kith:kith 700'
has /var/backups/kith 'kith:kith 700'
in_root getent passwd kith | grep -q ':/var/lib/kith:/usr/sbin/nologin$' || fail "the account: $(in_root getent passwd kith)"
in_root systemctl is-enabled --quiet kith.service && fail "the unit is enabled before there are settings"
in_root systemd-analyze verify kith.service kith-backup.service kith-backup.timer > "$work/log" 2>&1 || { cat "$work/log"; fail "the units"; }
in_root bash -ec '. /usr/share/bash-completion/completions/kith; complete -p kith' > /dev/null
[ "$(in_root sh -c 'ls /usr/share/man/man1/kith*.1.gz | wc -l')" -gt 30 ] || fail "manual pages"

step "serve, back up and enable"
sed -i "s|^KITH_PUBLIC_URL=.*|KITH_PUBLIC_URL='http://localhost:18080'\nKITH_LISTEN='127.0.0.1:18080'\nKITH_ADMIN_LISTEN='127.0.0.1:19090'|" "$root/etc/kith/kith.env"
cp -p "$root/etc/kith/kith.env" "$work/kith.env"
start
[ "$(members)" = 1 ] || fail "the network has no founder"
backup() { in_root runuser -u kith -- env KITH_DATA=/var/lib/kith "$@" kith-daily-backup > "$work/log" || { cat "$work/log"; fail "the backup"; }; }
backup
in_root sh -ec "$(book docs/admin/backup.md 'age-keygen -o')" 2> /dev/null
recipient=$(in_root age-keygen -y kith-backup.key)
backup "$(book docs/admin/backup.md 'KITH_BACKUP_RECIPIENT=' | sed "s/'age1…'.*/$recipient/")"
cp "$root"/var/backups/kith/daily/*.age "$root/kith-2026-11-28.tar.age"
in_root sh -ec "$(book docs/admin/backup.md 'age --decrypt')"
stop
in_root kith restore kith.tar --data /restored > "$work/log" || { cat "$work/log"; fail "the encrypted backup is not restored"; }
in_root systemctl --quiet enable kith.service kith-backup.timer

step "upgrade to $(basename "$new")"
quietly in_root dpkg -i /new.deb
! grep -q 'write the settings' "$work/log" || fail "an upgrade asks for settings"
has /etc/kith/kith.env 'root:root 600'
in_root systemctl is-enabled --quiet kith.service || fail "the unit is not enabled any more"
changed=$(in_root dpkg --verify kith) || true
[ "$changed" = "??5?????? c /etc/kith/kith.env" ] || [ -z "$changed" ] || fail "changed files: $changed"
check_network "the upgrade"

step "remove"
quietly in_root dpkg -r kith
grep -q 'kept the network' "$work/log" || fail "what is kept is not printed"
gone /usr/bin/kith /usr/lib/systemd/system/kith.service /etc/systemd/system/multi-user.target.wants/kith.service \
  /etc/systemd/system/timers.target.wants/kith-backup.timer /usr/share/kith /usr/share/man/man1/kith.1.gz
has /var/lib/kith/kith.db 'kith:kith 600'
has /etc/kith/kith.env 'root:root 600'

step "install again: the network goes on"
quietly in_root dpkg -i /new.deb
grep -q 'systemctl enable --now kith' "$work/log" || fail "the next step is not printed after a removal"
check_network "the reinstallation"

step "purge"
quietly in_root dpkg -P kith
grep -q 'deleting the network' "$work/log" || fail "the deletion is not printed"
grep -q 'kept the backups' "$work/log" || fail "the backups are not mentioned"
gone /var/lib/kith /etc/kith /usr/bin/kith
has /var/backups/kith/daily 'kith:kith 700'

step "install after the purge: an empty network"
quietly in_root dpkg -i /new.deb
[ -z "$(ls -A "$root/var/lib/kith")" ] || fail "the data folder is not empty"
rm -rf "$root/var/backups/kith/daily" "$root/var/backups/kith/weekly"
quietly in_root dpkg -P kith
gone /var/lib/kith /etc/kith /var/backups/kith

step "only the account is left"
rm -rf "$root/restored" "$root/old.deb" "$root/new.deb" "$root/kith-backup.key" "$root/kith.tar" "$root/kith-2026-11-28.tar.age"
left=$(cd "$work/upper" && find . -not -type d -not -path './var/lib/dpkg/*' -not -path './var/log/*' -not -path './run/*' \
  -not -path './etc/passwd*' -not -path './etc/group*' -not -path './etc/*shadow*' -not -path ./etc/.pwd.lock)
[ -z "$left" ] || fail "left: $left"
in_root getent passwd kith > "$work/log" || fail "the account is gone, and another one may get its number"
