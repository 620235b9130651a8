//! The daily backup of `deploy/kith-daily-backup`, with rotation.

use crate::program::{Program, kith};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{SystemTime, UNIX_EPOCH};

/// Folders of a test: programs that the script finds, and backups.
struct DailyBackup {
    folder: tempfile::TempDir,
    program: Program,
}

impl DailyBackup {
    /// Starts a server, and writes `date`, whose day is in a file, and `age`, which only prefixes a line.
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let programs = folder.path().join("bin");
        fs::create_dir(&programs).unwrap();
        let day = folder.path().join("day");
        let date = format!("exec /bin/date -d \"$(cat '{}')\" \"$@\"", day.display());
        let age = r#"(echo "for $3"; cat "$6") > "$5""#;
        for (name, text) in [("date", date.as_str()), ("age", age)] {
            fs::write(programs.join(name), format!("#!/bin/sh\n{text}\n")).unwrap();
            let mode = fs::Permissions::from_mode(0o755);
            fs::set_permissions(programs.join(name), mode).unwrap();
        }
        std::os::unix::fs::symlink(kith().get_program(), programs.join("kith")).unwrap();
        let program = Program::start(&folder.path().join("data"));
        Self { folder, program }
    }

    /// Runs the script on a day, such as `2026-03-01`.
    fn run(&self, day: &str, settings: &[(&str, &str)]) -> Output {
        fs::write(self.folder.path().join("day"), day).unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/kith-daily-backup");
        let path = format!("{}:/usr/bin:/bin", self.folder.path().join("bin").display());
        let mut command = Command::new("sh");
        command.arg(script).arg(self.backups()).env("PATH", path);
        command.env("KITH_DATA", self.folder.path().join("data"));
        command.envs(settings.iter().copied()).output().unwrap()
    }

    /// Seconds since 1970 of the last backup, as the server's metrics show them; 0 if there is none.
    fn last_backup(&self) -> u64 {
        let metrics = self.program.request_admin("/metrics").body;
        let mut lines = metrics.lines();
        let shown = lines.find_map(|line| line.strip_prefix("kith_last_backup_timestamp_seconds "));
        shown.unwrap().parse().unwrap()
    }

    fn backups(&self) -> PathBuf {
        self.folder.path().join("backups")
    }

    /// Sorted names in a folder of the backups.
    fn names(&self, folder: &str) -> Vec<String> {
        let files = fs::read_dir(self.backups().join(folder)).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }
}

/// Backups of 40 days leave those of the last 7 days and of the last 4 weeks, accessible to their owner only.
/// proves: operate-backup-daily
#[test]
fn seven_daily_and_four_weekly_backups_are_kept() {
    let daily = DailyBackup::start();
    for day in 0..40 {
        let output = daily.run(&format!("2026-03-01 + {day} days"), &[]);
        assert!(output.status.success(), "{output:?}");
    }
    let days: Vec<String> = (3..10).map(|day| format!("kith-2026-04-{day:02}.tar")).collect();
    assert_eq!(daily.names("daily"), days);
    let weeks = ["12", "13", "14", "15"].map(|week| format!("kith-2026-W{week}.tar"));
    assert_eq!(daily.names("weekly"), weeks);
    let newest = daily.backups().join("daily/kith-2026-04-09.tar");
    for path in [newest.clone(), daily.backups(), daily.backups().join("weekly")] {
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o077, 0, "{}", path.display());
    }
    let output = daily.run("2026-04-09", &[]);
    assert!(output.status.success(), "a second one of a day replaces the first: {output:?}");
    assert_eq!(daily.names("daily").len(), 7);
    let target = daily.folder.path().join("restored");
    let restored = kith().arg("restore").arg(newest).arg("--data").arg(target).output().unwrap();
    assert!(restored.status.success(), "{restored:?}");
}

/// With a recipient only the encrypted file is kept. A failed backup removes no older one.
/// proves: operate-backup-daily
#[test]
fn a_daily_backup_is_encrypted_for_its_recipient() {
    let daily = DailyBackup::start();
    assert_eq!(daily.last_backup(), 0);
    let output = daily.run("2026-03-01", &[("KITH_BACKUP_RECIPIENT", "age1abc")]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(daily.names("daily"), ["kith-2026-03-01.tar.age"]);
    assert_eq!(daily.names(""), ["daily", "weekly"], "no file without encryption is left");
    let text = fs::read(daily.backups().join("daily/kith-2026-03-01.tar.age")).unwrap();
    assert!(text.starts_with(b"for age1abc\n"));
    let last = daily.last_backup();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    assert!((now - 600..=now).contains(&last), "{last}");
    fs::write(daily.folder.path().join("bin/age"), "#!/bin/sh\nexit 1\n").unwrap();
    let failed = daily.run("2026-03-02", &[("KITH_BACKUP_RECIPIENT", "age1abc")]);
    assert!(!failed.status.success());
    assert_eq!(daily.names(""), ["daily", "weekly"]);
    assert_eq!(daily.names("daily"), ["kith-2026-03-01.tar.age"]);
    assert_eq!(daily.last_backup(), last, "a failed backup is none");
}
