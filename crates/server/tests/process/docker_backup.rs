//! The daily backup of `deploy/kith-docker-backup`, with a program in place of `docker` that runs the commands here.

use crate::program::{Program, kith};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs a command of the container: `/backup` is a folder of the test. `$fault` names what fails.
const DOCKER: &str = r#"
[ "$1 $2 $3 $4 $5 $6" = "compose -f $deploy/compose.yaml exec -T kith" ] || exit 125
shift 6
for word; do shift; set -- "$@" "$(printf %s "$word" | sed "s#^/backup/#$volume/#")"; done
case $fault:$1 in
kith:kith) exit 3 ;;
images:kith) "$@"; exit 1 ;;
cat:cat) head -c 1000 "$2"; exit 1 ;;
*) "$@" ;;
esac
"#;

/// Prefixes a line instead of encrypting.
const AGE: &str = r#"
(echo "for $3"; cat) > "$5"
case $fault in age) exit 1 ;; killed) kill -KILL "$PPID" ;; esac
"#;

struct DockerBackup {
    folder: tempfile::TempDir,
    program: Program,
}

impl DockerBackup {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["bin", "deploy", "volume", "backups"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let deploy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy");
        for name in ["kith-docker-backup", "compose.yaml"] {
            fs::copy(deploy.join(name), folder.path().join("deploy").join(name)).unwrap();
        }
        let date = "exec /bin/date -d \"$day\" \"$@\"";
        for (name, text) in [("docker", DOCKER), ("age", AGE), ("date", date)] {
            let file = folder.path().join("bin").join(name);
            fs::write(&file, format!("#!/bin/sh\n{text}\n")).unwrap();
            fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        std::os::unix::fs::symlink(kith().get_program(), folder.path().join("bin/kith")).unwrap();
        let program = Program::start(&folder.path().join("data"));
        let backup = Self { folder, program };
        backup.write_env("KITH_NAME='A $network'\nKITH_BACKUP_RECIPIENT='age1abc'\n");
        for day in 1..=30 {
            fs::write(backup.path(&format!("backups/kith-2026-01-{day:02}.tar.age")), "").unwrap();
        }
        backup
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write_env(&self, text: &str) {
        fs::write(self.path("deploy/.env"), text).unwrap();
    }

    /// Runs the script on a day, such as `2026-03-01`.
    fn run(&self, day: &str, fault: &str) -> Output {
        let mut command = Command::new(self.path("deploy/kith-docker-backup"));
        command.arg(self.path("backups")).env_clear();
        let path = format!("{}:/usr/bin:/bin", self.path("bin").display());
        command.env("PATH", path).env("day", day).env("fault", fault);
        command.env("deploy", self.path("deploy")).env("volume", self.path("volume"));
        command.env("KITH_DATA", self.path("data")).output().unwrap()
    }

    /// Sorted names in a folder.
    fn names(&self, folder: &str) -> Vec<String> {
        let files = fs::read_dir(self.path(folder)).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    fn has_marked_backup(&self) -> bool {
        self.path("data/last-backup").exists()
    }
}

fn days_of_january(from: u8) -> Vec<String> {
    (from..=30).map(|day| format!("kith-2026-01-{day:02}.tar.age")).collect()
}

/// The newest 28 files are kept, the new one is encrypted and private, and a restore reads it.
/// proves: operate-backup-docker
#[test]
fn a_backup_of_containers_is_encrypted_and_restored() {
    let backup = DockerBackup::start();
    for _ in 0..2 {
        let output = backup.run("2026-03-01", "");
        assert!(output.status.success(), "{output:?}");
        let mut expected = days_of_january(4);
        expected.push("kith-2026-03-01.tar.age".to_owned());
        assert_eq!(backup.names("backups"), expected);
        assert!(backup.names("volume").is_empty(), "the text without encryption is left");
    }
    let metrics = backup.program.request_admin("/metrics").body;
    assert!(!metrics.contains("kith_last_backup_timestamp_seconds 0\n"), "{metrics}");

    let file = backup.path("backups/kith-2026-03-01.tar.age");
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o077, 0);
    let bytes = fs::read(file).unwrap();
    let archive = backup.path("kith.tar");
    fs::write(&archive, bytes.strip_prefix(b"for age1abc\n").unwrap()).unwrap();
    let mut restore = kith();
    restore.arg("restore").arg(archive).arg("--data").arg(backup.path("restored"));
    let restored = restore.output().unwrap();
    assert!(restored.status.success(), "{restored:?}");
}

/// proves: operate-backup-docker
#[test]
fn a_failed_backup_of_containers_deletes_no_older_one() {
    let backup = DockerBackup::start();
    for fault in ["kith", "cat", "age", "killed"] {
        let output = backup.run("2026-03-01", fault);
        assert!(!output.status.success(), "{fault}: {output:?}");
        let mut names = backup.names("backups");
        names.retain(|name| name != "new.tar.age");
        assert_eq!(names, days_of_january(1), "{fault}");
        assert!(!backup.has_marked_backup(), "{fault}");
    }
    assert_eq!(backup.run("2026-03-01", "kith").status.code(), Some(3), "the command's own status");
    assert_eq!(backup.names("backups"), days_of_january(1), "what the killed run left is removed");
    assert!(backup.names("volume").is_empty());

    // A backup that lacks images is better than none.
    let output = backup.run("2026-03-02", "images");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let mut expected = days_of_january(1);
    expected.push("kith-2026-03-02.tar.age".to_owned());
    assert_eq!(backup.names("backups"), expected);
    assert!(!backup.has_marked_backup());

    backup.write_env("KITH_SITE=kith.example\n");
    let output = backup.run("2026-03-03", "");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("has no line KITH_BACKUP_RECIPIENT="));
}
