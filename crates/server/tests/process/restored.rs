//! Limits of a restore: what it omits, and the folders it does not write to.

use crate::backup::{Deployment, backup, file_names, restore};
use crate::program::{Program, kith};
use kith::platform::migrations::MIGRATIONS;
use kith_db::{Config, Db};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::fs::Permissions;
use std::io::Read as _;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Sessions ended since the backup must not be restored.
/// proves: operate-restore-sessions
#[test]
fn a_restored_server_has_no_sessions() {
    let deployment = Deployment::start();
    let (file, data) = (deployment.file("kith.tar"), deployment.file("elsewhere"));
    backup(&deployment.data(), &file).unwrap();
    let printed = restore(&file, &data).unwrap();
    assert!(printed.contains("sessions ended: 1, "), "{printed}");
    let restored = Program::start(&data);
    let [there, here] = [&deployment.program, &restored]
        .map(|one| one.request("GET", "/api/auth/me", &deployment.cookie, "").status);
    assert_eq!((there, here), (200, 401));
}

/// An account that owns the folder or can write to it could read the secret key.
/// proves: operate-restore-own
#[test]
fn a_restore_rejects_a_folder_writable_by_others() {
    let deployment = Deployment::start();
    let (file, data) = (deployment.file("kith.tar"), deployment.file("elsewhere"));
    backup(&deployment.data(), &file).unwrap();
    std::fs::create_dir(&data).unwrap();
    let allow = |mode| {
        std::fs::set_permissions(&data, Permissions::from_mode(mode)).unwrap();
    };
    for mode in [0o777, 0o770, 0o1777] {
        allow(mode);
        let complaint = restore(&file, &data).unwrap_err();
        assert!(complaint.contains("others can write into it"), "{complaint}");
        assert_eq!(file_names(&data), [""; 0]);
    }
    allow(0o755);
    restore(&file, &data).unwrap();
}

/// The folder is missing when checked and exists when created.
/// proves: operate-restore-own
#[test]
fn a_restore_rejects_a_folder_that_appears_meanwhile() {
    let deployment = Deployment::start();
    let (file, data) = (deployment.file("kith.tar"), deployment.file("elsewhere"));
    backup(&deployment.data(), &file).unwrap();
    std::fs::create_dir(&data).unwrap();
    std::fs::set_permissions(&data, Permissions::from_mode(0o777)).unwrap();
    let complaint = restore(&file, &deployment.file("missing/../elsewhere")).unwrap_err();
    assert!(complaint.contains("cannot be made: "), "{complaint}");
    assert_eq!(file_names(&data), [""; 0]);
    let serve = deployment.file("missing-too/../elsewhere");
    let args = ["serve", "--data", serve.to_str().unwrap()];
    let complaint =
        crate::command::expect_failure(&[&args[..], &["--listen", "192.0.2.1:1"]].concat());
    assert!(complaint.contains("cannot be created: "), "{complaint}");
    assert_eq!(file_names(&data), [""; 0]);
}

/// An account that can replace files in the folder could read the database or delete the backup.
/// proves: operate-backup-own
#[test]
fn a_backup_rejects_a_folder_writable_by_others() {
    let deployment = Deployment::start();
    let out = deployment.file("out");
    std::fs::create_dir(&out).unwrap();
    let file = out.join("kith.tar");
    let allow = |mode| std::fs::set_permissions(&out, Permissions::from_mode(mode)).unwrap();
    for mode in [0o777, 0o770] {
        allow(mode);
        let complaint = backup(&deployment.data(), &file).unwrap_err();
        assert!(complaint.contains("its folder belongs to"), "{complaint}");
        assert_eq!(file_names(&out), [""; 0]);
    }
    allow(0o1777);
    backup(&deployment.data(), &file).unwrap();
    assert_eq!(file_names(&out), ["kith.tar"]);
    allow(0o755);
    // Only root can change the owner of a folder, and then must not write into it.
    if chown(&out, Some(65_534), None).is_ok() {
        let complaint = backup(&deployment.data(), &out.join("more.tar")).unwrap_err();
        assert!(complaint.contains("its folder belongs to"), "{complaint}");
    }
}

/// Rewrites an archive with some entries replaced and correct checksums.
fn rewrite_archive(archive: &[u8], replaced: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut out, mut sums) = (tar::Builder::new(Vec::new()), String::new());
    for entry in tar::Archive::new(archive).entries().unwrap() {
        let mut entry = entry.unwrap();
        let name = entry.path().unwrap().to_str().unwrap().to_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        if let Some((_, other)) = replaced.iter().find(|(of, _)| *of == name) {
            bytes = other.to_vec();
        }
        if name == "SHA256SUMS" {
            bytes = std::mem::take(&mut sums).into_bytes();
        } else {
            for byte in Sha256::digest(&bytes) {
                write!(sums, "{byte:02x}").unwrap();
            }
            writeln!(sums, "  {name}").unwrap();
        }
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        out.append_data(&mut header, &name, &bytes[..]).unwrap();
    }
    out.into_inner().unwrap()
}

/// proves: operate-restore-members
#[test]
fn a_database_without_members_is_not_restored() {
    let deployment = Deployment::start();
    let (file, data) = (deployment.file("kith.tar"), deployment.file("elsewhere"));
    backup(&deployment.data(), &file).unwrap();
    let whole = std::fs::read(&file).unwrap();
    let path = deployment.file("other.db");
    rusqlite::Connection::open(&path)
        .and_then(|other| other.execute_batch("create table members (id integer)"))
        .unwrap();
    let foreign = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let db = Db::open(&Config::sqlite(&path), MIGRATIONS).await;
        db.unwrap().close().await;
    });
    let without_members = std::fs::read(&path).unwrap();
    for (database, why) in [
        (&b""[..], "the archive does not contain a Kith database"),
        (&foreign, "the archive does not contain a Kith database"),
        (&without_members, "its database has no members"),
    ] {
        std::fs::write(&file, rewrite_archive(&whole, &[("kith.db", database)])).unwrap();
        let complaint = restore(&file, &data).unwrap_err();
        assert!(complaint.contains(why), "{complaint}");
        assert!(!data.exists(), "{complaint}");
    }
}

/// No path in a backup needs a long-name entry before it. A reader would load such an entry into
/// memory, whatever its size.
/// proves: operate-restore-names
#[test]
fn a_long_name_entry_is_rejected() {
    let deployment = Deployment::start();
    let (file, data) = (deployment.file("kith.tar"), deployment.file("elsewhere"));
    backup(&deployment.data(), &file).unwrap();
    let whole = std::fs::read(&file).unwrap();
    for (kind, content) in [
        (tar::EntryType::GNULongName, &b"kith-backup.json"[..]),
        (tar::EntryType::XHeader, b"25 path=kith-backup.json\n"),
    ] {
        let mut before = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(content.len() as u64);
        before.append_data(&mut header, "beside", content).unwrap();
        // Without the two zero blocks at the end.
        let before = before.into_inner().unwrap();
        let before = &before[..before.len() - 1_024];
        std::fs::write(&file, [before, &whole].concat()).unwrap();
        let complaint = restore(&file, &data).unwrap_err();
        assert!(complaint.contains("not a Kith backup"), "{complaint}");
        assert!(!data.exists());
    }
}

/// A backup without a key of 32 bytes could not be restored. Reading the key neither blocks on a
/// pipe nor follows a symlink.
/// proves: operate-backup-key
#[test]
fn an_invalid_key_is_not_backed_up() {
    let deployment = Deployment::start();
    let (key, kept) = (deployment.file("data/secret.key"), deployment.file("kept"));
    std::fs::rename(&key, &kept).unwrap();
    let ways: [&dyn Fn(); 5] = [
        &|| std::fs::write(&key, [7; 31]).unwrap(),
        &|| std::fs::write(&key, [7; 33]).unwrap(),
        &|| std::os::unix::fs::symlink(&kept, &key).unwrap(),
        &|| make_pipe(&key),
        &|| {},
    ];
    for (at, place_key) in ways.into_iter().enumerate() {
        place_key();
        let file = deployment.file("kith.tar");
        let complaint = backup(&deployment.data(), &file).unwrap_err();
        let expected = "kith: The key cannot be copied: ";
        assert!(complaint.contains(expected), "{at}: {complaint}");
        assert!(!file.exists());
        let _ = std::fs::remove_file(&key);
    }
    std::fs::rename(&kept, &key).unwrap();
    backup(&deployment.data(), &deployment.file("kith.tar")).unwrap();
}

/// proves: operate-backup-key
#[test]
fn a_pipe_in_place_of_the_lock_file_does_not_block() {
    let mut deployment = Deployment::start();
    deployment.program.signal("TERM");
    assert!(deployment.program.wait().success());
    let lock = deployment.file("data/kith.lock");
    std::fs::remove_file(&lock).unwrap();
    make_pipe(&lock);
    let mut command = kith();
    command.args(["member", "list", "--data"]);
    let output = command.arg(deployment.data()).output().unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.contains("cannot be locked"), "{complaint}");
}

fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Control characters in an archive are not sent to the terminal.
/// proves: operate-restore-words
#[test]
fn control_characters_of_an_archive_are_not_printed() {
    let deployment = Deployment::start();
    let file = deployment.file("kith.tar");
    backup(&deployment.data(), &file).unwrap();
    let whole = std::fs::read(&file).unwrap();
    for (format, key) in [(1, "restored"), (2, "rejected")] {
        let content = serde_json::json!({"format": format, "kith": "\u{1b}]0;x\u{7}mine", "madeAt": "now\u{9b}2J",
            "mediaAtStore": false});
        let content = content.to_string();
        let archive = rewrite_archive(&whole, &[("kith-backup.json", content.as_bytes())]);
        std::fs::write(&file, archive).unwrap();
        let printed = restore(&file, &deployment.file(key));
        assert_eq!(printed.is_ok(), format == 1, "{printed:?}");
        let printed = printed.unwrap_or_else(|complaint| complaint);
        assert!(printed.contains("mine"), "{printed}");
        let is_command = |c: char| c.is_control() && c != '\n';
        assert!(!printed.contains(is_command), "{printed:?}");
    }
}

/// Exports are not backed up: they are large and can be created again.
/// proves: operate-backup-exports
#[test]
fn exports_are_not_backed_up() {
    let deployment = Deployment::start();
    let (file, data) = (deployment.file("kith.tar"), deployment.file("elsewhere"));
    let folder = deployment.data().join("media/exports/0000000000000001");
    std::fs::create_dir_all(&folder).unwrap();
    let export = std::fs::File::create(folder.join("0000000000000002-0.zip")).unwrap();
    export.set_len((64 << 20) + 1).unwrap();
    backup(&deployment.data(), &file).unwrap();
    assert!(file.metadata().unwrap().len() < 64 << 20);
    restore(&file, &data).unwrap();
    assert!(!data.join("media/exports").exists());
}

/// Runs `kith` with the default actions of signals, even if these tests run under `nohup` or in the background.
fn kith_with_default_signals() -> Command {
    let plain = kith();
    if !cfg!(target_os = "linux") {
        return plain;
    }
    let mut command = Command::new("env");
    command.arg("--default-signal=HUP,INT,TERM").arg(plain.get_program());
    for (name, _) in plain.get_envs() {
        command.env_remove(name);
    }
    command
}

/// A partial restore contains the key and all email addresses.
/// proves: operate-restore-ended
#[test]
fn an_interrupted_restore_leaves_nothing() {
    let deployment = Deployment::start();
    let (file, data) = (deployment.file("kith.tar"), deployment.file("elsewhere"));
    let made = Command::new("mkfifo").arg(&file).status().unwrap();
    assert!(made.success());
    for signal in ["INT", "TERM", "HUP"] {
        let mut restoring = kith_with_default_signals()
            .arg("restore")
            .arg(&file)
            .arg("--data")
            .arg(&data)
            .spawn()
            .unwrap();
        let slow = std::fs::File::options().write(true).open(&file).unwrap();
        while !data.join("restoring").exists() {
            std::thread::sleep(Duration::from_millis(10));
        }
        let begun = kith().args(["serve", "--data"]).arg(&data).output().unwrap();
        let complaint = String::from_utf8(begun.stderr).unwrap();
        assert!(complaint.contains("unfinished restore"), "{complaint}");
        let id = restoring.id().to_string();
        let printed = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(printed.unwrap().success());
        assert_eq!(restoring.wait().unwrap().code(), Some(1), "{signal}");
        assert!(!data.exists(), "{signal}");
        drop(slow);
    }
}

/// A partial export is never visible under its final name.
/// proves: operate-restore-ended
#[test]
fn an_interrupted_export_leaves_nothing() {
    let deployment = Deployment::start();
    let file = deployment.file("ada.zip");
    let part = deployment.file(".ada.zip.part");
    // An S3 server that accepts connections and never responds.
    let store = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("s3://kith?endpoint=http://{}", store.local_addr().unwrap());
    for signal in ["INT", "TERM"] {
        // Ignores `SIGHUP`, as `nohup` does.
        let mut exporting = Command::new("sh")
            .args(["-c", "trap '' HUP; exec \"$0\" \"$@\""])
            .arg(kith().get_program())
            .args(["member", "export", "founder"])
            .arg(&file)
            .args(["--storage-url", &url, "--data"])
            .arg(deployment.data())
            .env("AWS_ACCESS_KEY_ID", "kith")
            .env("AWS_SECRET_ACCESS_KEY", "secret")
            .spawn()
            .unwrap();
        while !part.exists() {
            assert!(exporting.try_wait().unwrap().is_none(), "the export ended early");
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(!file.exists(), "the export is not complete yet");
        let id = exporting.id().to_string();
        let send_signal = |signal: &str| {
            let printed = Command::new("kill").args(["-s", signal, &id]).status();
            assert!(printed.unwrap().success());
        };
        send_signal("HUP");
        std::thread::sleep(Duration::from_millis(300));
        assert!(exporting.try_wait().unwrap().is_none() && part.exists());
        send_signal(signal);
        assert_eq!(exporting.wait().unwrap().code(), Some(1), "{signal}");
        assert!(!part.exists() && !file.exists(), "{signal}");
    }
}
