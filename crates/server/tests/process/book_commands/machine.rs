//! A machine of its own for the commands of a page: a folder in place of the root folder, and a few programs.

use super::markdown::{blocks_in, read, root};
use super::network::Network;
use crate::program::{free_port, kith};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Folders that are below the machine's folder.
const FOLDERS: [&str; 9] = [
    "/var/lib",
    "/var/backups",
    "/backup",
    "/etc/kith",
    "/etc/systemd",
    "/etc/caddy",
    "/etc/cron.d",
    "/etc/traefik",
    "/usr/local",
];

/// Programs in place of those that need root, systemd or containers. `kith` is the real one.
const PROGRAMS: [(&str, &str); 11] = [
    // `serve` goes on in the background once it is ready, as in a terminal of its own.
    (
        "kith",
        r#"[ "${1-}" = serve ] || exec "$kith" "$@"
log=$(mktemp "$machine/terminals/XXXXXX")
[ -z "${is_unit-}" ] || echo "$log" > "$machine/unit"
("$kith" "$@" > "$log" 2>&1 < /dev/null & echo $! > "$log.pid"; wait $!; echo $? > "$log.status") > /dev/null 2>&1 &
until grep -q '^Kith is at ' "$log"; do
  [ ! -e "$log.status" ] || { cat "$log"; exit 1; }
  sleep 0.05
done
cat "$log""#,
    ),
    // Ends the servers in all terminals, or in some. Fails if one exits with an error.
    (
        "close-terminals",
        r#"[ $# -gt 0 ] || set -- "$machine"/terminals/??????
for log; do
  [ -e "$log.pid" ] || continue
  [ -e "$log.status" ] || kill "$(cat "$log.pid")"
  until [ -e "$log.status" ]; do sleep 0.05; done
  rm "$log.pid"
  [ "$(cat "$log.status")" = 0 ] || { cat "$log"; exit 1; }
done"#,
    ),
    // Starts and stops Kith and its backup; other units do nothing.
    (
        "systemctl",
        r#"stop() { [ ! -e "$machine/unit" ] || { close-terminals "$(cat "$machine/unit")" && rm "$machine/unit"; }; }
start() { [ -e "$machine/unit" ] || (set -a; KITH_DATA=/var/lib/kith; . /etc/kith/kith.env; is_unit=yes kith serve); }
action=$1; shift
case $action:${1-} in enable:--now) action=start ;; enable:*) exit 0 ;; esac
for unit; do
  case $action:$unit in
  start:kith) start ;;
  stop:kith) stop ;;
  restart:kith) stop && start ;;
  start:kith-backup) (set -a; KITH_DATA=/var/lib/kith; . /etc/kith/kith.env; sh "$deploy/kith-daily-backup" /var/backups/kith) ;;
  esac || exit 1
done"#,
    ),
    (
        "journalctl",
        r#"[ "$1" = --rotate ] || [ "${1%=*}" = --vacuum-size ] || cat "$machine"/terminals/??????"#,
    ),
    ("runuser", r#"shift 3; exec "$@""#),
    // Files stay with this account.
    (
        "install",
        r#"for word; do
  shift
  case ${is_value-}$word in -o | -g) is_value=yes ;; yes*) is_value= ;; *) set -- "$@" "$word" ;; esac
done
exec /usr/bin/install "$@""#,
    ),
    (
        "systemd-run",
        r#"set -a
while :; do
  case $1 in
  --setenv=*) export "${1#--setenv=}" ;;
  --property=EnvironmentFile=*) . "${1#--property=EnvironmentFile=}" ;;
  --*) ;;
  *) exec "$@" ;;
  esac
  shift
done"#,
    ),
    // The container is this machine.
    (
        "docker",
        r#"[ "$1" != tag ] || exit 0
[ "$1" = compose ] || exit 1
shift
[ "$1" != -f ] || { [ -f "$2" ] && shift 2; } || exit 1
action=$1; shift
case $action in
restart) [ "$1" = caddy ] ;;
up) systemctl start kith ;;
stop) systemctl stop kith ;;
logs) journalctl -u kith ;;
exec)
  [ "$1" != -T ] || shift
  shift
  case $1 in kith) shift; kith-as-server "$@" ;; *) KITH_DATA=/var/lib/kith "$@" ;; esac ;;
cp) cp "${1#kith:}" "$2" ;;
run) case $2 in --entrypoint) sh "$5" "$6" ;; *) shift 2; kith-as-server "$@" ;; esac ;;
*) exit 1 ;;
esac"#,
    ),
    // Encrypts nothing.
    ("age", r#"[ "$2 $4" = "--recipient --output" ] && cat > "$5""#),
    // For pages that begin with a database, or with a network in one.
    ("new-database", "dropdb --if-exists --force kith; createuser kith; createdb -O kith kith"),
    (
        "move-to-postgres",
        "new-database; systemctl stop kith
KITH_MOVE_TO='postgres://kith:password@db.internal/kith' kith-as-server move",
    ),
];

/// A machine; dropped, it is removed with its servers.
pub(super) struct Machine {
    folder: TempDir,
    texts: Vec<(String, String)>,
    variables: Vec<(String, String)>,
}

/// Whether all programs exist. Says which is missing.
pub(super) fn has_programs(names: &[&str]) -> bool {
    let is_missing = |name: &&&str| {
        let found = Command::new("which").arg(name).stdout(Stdio::null()).status();
        !found.is_ok_and(|status| status.success())
    };
    let missing = names.iter().find(is_missing);
    missing.inspect(|name| eprintln!("SKIPPED, since `{name}` is missing")).is_none()
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect()
}

impl Machine {
    /// Makes the folders, the programs, a copy of the network and the settings.
    pub(super) fn new(network: &Network) -> Self {
        let cluster = std::env::var("KITH_TEST_POSTGRES").unwrap_or_else(|_| {
            panic!("KITH_TEST_POSTGRES is not set: run `cargo xtask test`, or `cargo xtask pg -- cargo test`")
        });
        let server = cluster.rsplit_once('@').unwrap().1.split('/').next().unwrap().to_owned();
        let (address, admin) = (free_port().to_string(), free_port().to_string());
        let site = format!("http://{address}");
        let smtp = network.smtp_url();
        let texts = owned(&[
            ("https://kith.example", &site),
            ("smtps://user:password@mail.example:465", &smtp),
            ("smtp://user:password@mail.example:587?tls=required", &smtp),
            ("kith:password@db.internal", &format!("kith:password@{server}")),
            ("kith@db.internal", &format!("kith@{server}")),
            ("postgres://…/", &format!("postgres://postgres@{server}/")),
            ("127.0.0.1:9090", &admin),
            ("127.0.0.1:8099", &free_port().to_string()),
            ("127.0.0.1:9099", &free_port().to_string()),
            ("H7KD93MQZ2QP", "$code"),
            ("YOUR.HOST", "kith.example"),
        ]);
        let (host, port) = server.rsplit_once(':').unwrap();
        let mut variables = owned(&[
            ("KITH_LISTEN", &address),
            ("KITH_ADMIN_LISTEN", &admin),
            ("PGHOST", host),
            ("PGPORT", port),
            ("PGUSER", "postgres"),
            ("kith", kith().get_program().to_str().unwrap()),
            ("deploy", root().join("deploy").to_str().unwrap()),
        ]);
        let given =
            network.variables.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        variables.extend(given);
        let machine = Self { folder: tempfile::tempdir().unwrap(), texts, variables };
        machine.fill(network, &format!("KITH_LISTEN='{address}'\nKITH_ADMIN_LISTEN='{admin}'\nKITH_PUBLIC_URL='{site}'\nKITH_SMTP_URL='{smtp}'\n"));
        machine
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path.trim_start_matches('/'))
    }

    fn fill(&self, network: &Network, settings: &str) {
        let made = [
            "/etc/caddy",
            "/etc/cron.d",
            "/etc/kith",
            "/etc/systemd/system",
            "/usr/local/sbin",
            "/usr/local/bin",
        ];
        for path in made.iter().chain(&[
            "/var/lib",
            "/var/backups",
            "/backup/kith",
            "work/dist",
            "steps",
            "terminals",
            "tmp",
        ]) {
            fs::create_dir_all(self.path(path)).unwrap();
        }
        let server = ("kith-as-server", &*read("deploy/kith-as-server"));
        for (name, text) in PROGRAMS.iter().copied().chain([server]) {
            let folder = if name == "kith" { "/usr/local/bin" } else { "/usr/local/sbin" };
            let file = self.path(folder).join(name);
            fs::write(&file, self.substitute(&format!("#!/bin/sh\n{text}\n"))).unwrap();
            fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        for (from, to) in [(network.data(), "/var/lib"), (root().join("deploy"), "work")] {
            let copied = Command::new("cp").arg("-a").arg(from).arg(self.path(to)).status();
            assert!(copied.unwrap().success());
        }
        for script in ["deploy/kith-as-server", "deploy/kith-docker-backup"] {
            // Keeps the mode of the copied file.
            fs::write(self.path("work").join(script), self.substitute(&read(script))).unwrap();
        }
        fs::write(self.path("/etc/kith/kith.env"), settings).unwrap();
        let sample = &blocks_in(&read("docs/configuration/sources.md"), "toml")[0];
        fs::write(self.path("/etc/kith/kith.toml"), self.substitute(sample)).unwrap();
        fs::write(self.path("/etc/kith/smtp"), network.smtp_url()).unwrap();
        fs::copy(self.path("/usr/local/bin/kith"), self.path("work/dist/kith")).unwrap();
        let people = ["ada@example.org", "vic@example.org", "a@flood.example", "b@flood.example"];
        for name in ["applicants.txt", "people.txt", "input"] {
            fs::write(self.path("work").join(name), people.map(|one| format!("{one}\n")).concat())
                .unwrap();
        }
        fs::write(self.path("work/rules.md"), "# Rules\n\n- No advertising.\n").unwrap();
    }

    /// Replaces names that stand for the reader's, and paths by those of this machine.
    pub(super) fn substitute(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (from, to) in &self.texts {
            text = text.replace(from, to);
        }
        let here = self.folder.path().to_str().unwrap();
        let is_name = |at: char| at.is_alphanumeric() || "/._-".contains(at);
        let mut result = String::new();
        let mut rest = text.as_str();
        while let Some(at) = rest.find('/') {
            let (before, path) = rest.split_at(at);
            result.push_str(before);
            let is_start = !result.ends_with(is_name);
            let ends = |prefix: &&str| {
                let after = path.strip_prefix(*prefix);
                after.is_some_and(|after| !after.starts_with(|next| next != '/' && is_name(next)))
            };
            if is_start && FOLDERS.iter().any(ends) {
                result.push_str(here);
            }
            let end = path.find(|at: char| !is_name(at)).unwrap_or(path.len());
            result.push_str(&path[..end]);
            rest = &path[end..];
        }
        result + rest
    }

    /// Starts the server as systemd would.
    pub(super) fn start_server(&self) {
        assert!(self.run("systemctl start kith > \"$steps/0\" 2>&1"), "{}", self.printed(0));
    }

    /// Runs a script in the machine's working folder, without a terminal.
    pub(super) fn run(&self, script: &str) -> bool {
        let file = self.path("script");
        fs::write(&file, script).unwrap();
        let mut bash = Command::new("setsid");
        bash.args(["--wait", "bash"]).arg(file).current_dir(self.path("work")).env_clear();
        let postgres = std::env::var("KITH_PG_BIN").unwrap_or_default();
        let own =
            ["/usr/local/bin", "/usr/local/sbin"].map(|path| self.path(path).display().to_string());
        let path =
            format!("{}:{postgres}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", own.join(":"));
        bash.env("PATH", path)
            .env("HOME", self.path("work"))
            .env("TMPDIR", self.path("tmp"))
            .env("machine", self.folder.path());
        bash.env("steps", self.path("steps")).env("input", self.path("work/input"));
        bash.env("bucket", std::env::var("KITH_TEST_S3").unwrap_or_default());
        bash.envs(std::env::vars().filter(|(name, _)| name.starts_with("AWS_")));
        bash.envs(self.variables.iter().cloned());
        bash.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        bash.status().unwrap().success()
    }

    /// Output of a command.
    pub(super) fn printed(&self, number: usize) -> String {
        let bytes = fs::read(self.path("steps").join(number.to_string())).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Number of the last command that was begun.
    pub(super) fn last_step(&self) -> usize {
        let number = fs::read_to_string(self.path("steps/last")).unwrap();
        number.trim().parse().unwrap()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        for entry in fs::read_dir(self.path("terminals")).into_iter().flatten().flatten() {
            if entry.path().extension().is_some_and(|end| end == "pid") {
                let id = fs::read_to_string(entry.path()).unwrap_or_default();
                // The server may have exited already.
                let _ =
                    Command::new("kill").args(["-KILL", id.trim()]).stderr(Stdio::null()).status();
            }
        }
    }
}
