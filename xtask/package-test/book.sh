#!/bin/sh
# Runs the commands of the book that change a whole system, as they are written, in a copy of a Debian system.
# `cargo xtask package-test` runs it as root, in a mount namespace of its own:
#   book.sh BASE NEW.deb        BASE is a folder made by debootstrap, which stays as it is
# crates/server/tests/process/book_commands.rs runs the other commands, and checks that this script runs these.
set -eu
base=$1 package=$2
. xtask/package-test/system.sh
mount --bind /etc/resolv.conf "$root/etc/resolv.conf" 2> /dev/null || cp /etc/resolv.conf "$root/etc/resolv.conf"
# In place of the repository.
mkdir -p "$root/kith/dist/release"
cp -r deploy "$root/kith/"
cp "$package" "$root/kith/"
cp "$package" "$root/kith/dist/release/"
# A person would answer yes. Services are not started, since nothing supervises them.
echo 'APT::Get::Assume-Yes "true";' > "$root/etc/apt/apt.conf.d/90yes"
printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
chmod 0755 "$root/usr/sbin/policy-rc.d"

# Runs the commands of the page $1 that begin with the other words, with a network of their own if $isolated is set.
run() {
  page=$1 commands='cd /kith'
  shift
  for start; do
    found=$(book "$page" "$start")
    commands="$commands
$found"
  done
  commands=$(printf '%s\n' "$commands" | sed 's/YOUR\.HOST/kith.example/')
  # shellcheck disable=SC2086 # A command and its arguments, or nothing.
  $isolated chroot "$root" $alone SYSTEMD_OFFLINE=1 sh -ec "$commands" > "$work/log" 2>&1 || { cat "$work/log"; fail "$commands"; }
}
check() { in_root "$@" > "$work/log" 2>&1 || { cat "$work/log"; fail "$*"; }; }
isolated=

echo "== Debian"
check apt-get update
run docs/getting-started/debian.md 'apt install'
run docs/getting-started/debian.md 'cp /usr/share/kith'
run docs/getting-started/debian.md 'install -d /etc/systemd'
run docs/getting-started/debian.md 'echo '\''ARGS'
check env KITH_SITE=kith.example caddy validate --config /etc/caddy/Caddyfile
grep -q '^Environment=KITH_SITE=kith.example$' "$root/etc/systemd/system/caddy.service.d/kith.conf" || fail "Caddy's site"
# The last line of the file counts.
check sh -ec '. /etc/default/prometheus; [ "${ARGS#*kith/prometheus.yml}" != "$ARGS" ]; promtool check config /usr/share/kith/prometheus.yml'
run README.md 'apt install'

echo "== Alerts by email"
run docs/admin/monitoring.md 'apt install'
run docs/admin/monitoring.md 'echo '\''ARGS="--web.listen-address=127.0.0.1:9093'
run docs/admin/monitoring.md 'echo '\''ARGS="--web.listen-address=127.0.0.1:9100'
for program in prometheus-alertmanager prometheus-node-exporter; do
  check sh -ec ". /etc/default/$program; [ \"\${ARGS#--web.listen-address=127.0.0.1:9}\" != \"\$ARGS\" ]; exec $program \$ARGS --version"
done
awk '/^```/ { code = !code && /^```yaml$/; next } code' docs/admin/monitoring.md > "$root/etc/prometheus/alertmanager.yml"
run docs/admin/monitoring.md 'chown prometheus'
[ "$(in_root stat -c '%U %a' /etc/prometheus/alertmanager.yml)" = 'prometheus 600' ] || fail "others can read the mail server's password"
run docs/admin/monitoring.md 'amtool check-config'
run docs/admin/monitoring.md 'apt purge'

echo "== Docker"
run docs/getting-started/docker.md 'apt install'

echo "== From the source"
run docs/getting-started/source.md 'apt install'
in_root userdel kith
run docs/getting-started/source.md 'useradd'

echo "== Proxies"
run docs/getting-started/proxies/caddy.md 'apt install'
mkdir -p "$root/etc/letsencrypt/live/kith.example"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=kith.example -out "$root/etc/letsencrypt/live/kith.example/fullchain.pem" \
  -keyout "$root/etc/letsencrypt/live/kith.example/privkey.pem" 2> /dev/null
run docs/getting-started/proxies/haproxy.md 'apt install'
run docs/getting-started/proxies/haproxy.md 'install -d'
run docs/getting-started/proxies/haproxy.md 'cat /etc/letsencrypt'
run docs/getting-started/proxies/haproxy.md 'cp deploy/haproxy.cfg'
run docs/getting-started/proxies/nginx.md 'apt install'
run docs/getting-started/proxies/nginx.md 'sed '\''s/kith'
isolated="unshare --net --"
run docs/getting-started/proxies/haproxy.md 'haproxy -c'
run docs/getting-started/proxies/nginx.md 'nginx -t'
check apt-get install nftables
run docs/getting-started/proxies.md 'nft add table' 'nft '\''add set' 'nft '\''add chain' 'nft '\''add rule'
