//! What a restore does not bring back, and where it does not go.

use crate::backup::{Network, backup, names, restore};
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

/// Who was logged out since the backup was made does not come back with it.
/// proves: operate-restore-sessions
#[test]
fn a_restored_network_has_no_sessions() {
    let network = Network::start();
    let (file, data) = (network.file("kith.tar"), network.file("elsewhere"));
    backup(&network.data(), &file).unwrap();
    let told = restore(&file, &data).unwrap();
    assert!(told.contains("sessions ended: 1, "), "{told}");
    let restored = Program::start(&data);
    let [there, here] = [&network.program, &restored]
        .map(|one| one.ask("GET", "/api/auth/me", &network.cookie, "").status);
    assert_eq!((there, here), (200, 401));
}

/// Who owns the folder, or can write into it, would have the key.
/// proves: operate-restore-own
#[test]
fn a_folder_that_others_can_write_to_is_not_filled() {
    let network = Network::start();
    let (file, data) = (network.file("kith.tar"), network.file("elsewhere"));
    backup(&network.data(), &file).unwrap();
    std::fs::create_dir(&data).unwrap();
    let allow = |mode| {
        std::fs::set_permissions(&data, Permissions::from_mode(mode)).unwrap();
    };
    for mode in [0o777, 0o770, 0o1777] {
        allow(mode);
        let complaint = restore(&file, &data).unwrap_err();
        assert!(
            complaint.contains("others can write into it"),
            "{complaint}"
        );
        assert_eq!(names(&data), [""; 0]);
    }
    allow(0o755);
    restore(&file, &data).unwrap();
}

/// The folder is found missing when it is looked for, and is there when it is made.
/// proves: operate-restore-own
#[test]
fn a_folder_that_appears_meanwhile_is_not_filled() {
    let network = Network::start();
    let (file, data) = (network.file("kith.tar"), network.file("elsewhere"));
    backup(&network.data(), &file).unwrap();
    std::fs::create_dir(&data).unwrap();
    std::fs::set_permissions(&data, Permissions::from_mode(0o777)).unwrap();
    let complaint = restore(&file, &network.file("missing/../elsewhere")).unwrap_err();
    assert!(complaint.contains("cannot be made: "), "{complaint}");
    assert_eq!(names(&data), [""; 0]);
    let serve = network.file("missing-too/../elsewhere");
    let args = ["serve", "--data", serve.to_str().unwrap()];
    let complaint = crate::command::complaint(&[&args[..], &["--listen", "192.0.2.1:1"]].concat());
    assert!(complaint.contains("cannot be made: "), "{complaint}");
    assert_eq!(names(&data), [""; 0]);
}

/// Who could put another file in the place of the copy would have the database, or leave none.
/// proves: operate-backup-own
#[test]
fn a_backup_goes_where_nobody_exchanges_files() {
    let network = Network::start();
    let out = network.file("out");
    std::fs::create_dir(&out).unwrap();
    let file = out.join("kith.tar");
    let allow = |mode| std::fs::set_permissions(&out, Permissions::from_mode(mode)).unwrap();
    for mode in [0o777, 0o770] {
        allow(mode);
        let complaint = backup(&network.data(), &file).unwrap_err();
        assert!(complaint.contains("its folder belongs to"), "{complaint}");
        assert_eq!(names(&out), [""; 0]);
    }
    allow(0o1777);
    backup(&network.data(), &file).unwrap();
    assert_eq!(names(&out), ["kith.tar"]);
    allow(0o755);
    // Only root can give a folder away, and is then who must not write there.
    if chown(&out, Some(65_534), None).is_ok() {
        let complaint = backup(&network.data(), &out.join("more.tar")).unwrap_err();
        assert!(complaint.contains("its folder belongs to"), "{complaint}");
    }
}

/// An archive like another one, with some entries replaced and the sums right again.
fn rewritten(archive: &[u8], replaced: &[(&str, &[u8])]) -> Vec<u8> {
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
fn a_network_of_nobody_is_not_restored() {
    let network = Network::start();
    let (file, data) = (network.file("kith.tar"), network.file("elsewhere"));
    backup(&network.data(), &file).unwrap();
    let whole = std::fs::read(&file).unwrap();
    let path = network.file("other.db");
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
    let deserted = std::fs::read(&path).unwrap();
    for (database, why) in [
        (&b""[..], "the archive does not contain a Kith database"),
        (&foreign, "the archive does not contain a Kith database"),
        (&deserted, "its database has no members"),
    ] {
        std::fs::write(&file, rewritten(&whole, &[("kith.db", database)])).unwrap();
        let complaint = restore(&file, &data).unwrap_err();
        assert!(complaint.contains(why), "{complaint}");
        assert!(!data.exists(), "{complaint}");
    }
}

/// No name in a backup is so long that an entry before it must say it. Whatever reads such an entry takes it into
/// memory, however long it is.
/// proves: operate-restore-names
#[test]
fn a_name_that_is_told_beside_its_entry_is_none_of_a_backup() {
    let network = Network::start();
    let (file, data) = (network.file("kith.tar"), network.file("elsewhere"));
    backup(&network.data(), &file).unwrap();
    let whole = std::fs::read(&file).unwrap();
    for (kind, said) in [
        (tar::EntryType::GNULongName, &b"kith-backup.json"[..]),
        (tar::EntryType::XHeader, b"25 path=kith-backup.json\n"),
    ] {
        let mut before = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(said.len() as u64);
        before.append_data(&mut header, "beside", said).unwrap();
        // Without the two blocks of its end.
        let before = before.into_inner().unwrap();
        let before = &before[..before.len() - 1_024];
        std::fs::write(&file, [before, &whole].concat()).unwrap();
        let complaint = restore(&file, &data).unwrap_err();
        assert!(complaint.contains("not a Kith backup"), "{complaint}");
        assert!(!data.exists());
    }
}

/// A backup that has no key of 32 bytes would never be restored. Nothing is waited for, and no link is followed.
/// proves: operate-backup-key
#[test]
fn a_key_that_is_none_is_not_backed_up() {
    let network = Network::start();
    let (key, kept) = (network.file("data/secret.key"), network.file("kept"));
    std::fs::rename(&key, &kept).unwrap();
    let ways: [&dyn Fn(); 5] = [
        &|| std::fs::write(&key, [7; 31]).unwrap(),
        &|| std::fs::write(&key, [7; 33]).unwrap(),
        &|| std::os::unix::fs::symlink(&kept, &key).unwrap(),
        &|| pipe(&key),
        &|| {},
    ];
    for (at, lay) in ways.into_iter().enumerate() {
        lay();
        let file = network.file("kith.tar");
        let complaint = backup(&network.data(), &file).unwrap_err();
        let expected = "kith: The key cannot be copied: ";
        assert!(complaint.contains(expected), "{at}: {complaint}");
        assert!(!file.exists());
        let _ = std::fs::remove_file(&key);
    }
    std::fs::rename(&kept, &key).unwrap();
    backup(&network.data(), &network.file("kith.tar")).unwrap();
}

/// proves: operate-backup-key
#[test]
fn a_pipe_in_the_place_of_a_lock_keeps_no_command_waiting() {
    let mut network = Network::start();
    network.program.signal("TERM");
    assert!(network.program.wait().success());
    let lock = network.file("data/kith.lock");
    std::fs::remove_file(&lock).unwrap();
    pipe(&lock);
    let mut command = kith();
    command.args(["member", "list", "--data"]);
    let output = command.arg(network.data()).output().unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.contains("cannot be locked"), "{complaint}");
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// An archive from elsewhere sends a terminal no commands.
/// proves: operate-restore-words
#[test]
fn what_an_archive_says_is_printed_as_text() {
    let network = Network::start();
    let file = network.file("kith.tar");
    backup(&network.data(), &file).unwrap();
    let whole = std::fs::read(&file).unwrap();
    for (format, key) in [(1, "restored"), (2, "refused")] {
        let said = serde_json::json!({"format": format, "kith": "\u{1b}]0;x\u{7}mine", "madeAt": "now\u{9b}2J",
            "mediaAtStore": false});
        let said = said.to_string();
        let archive = rewritten(&whole, &[("kith-backup.json", said.as_bytes())]);
        std::fs::write(&file, archive).unwrap();
        let told = restore(&file, &network.file(key));
        assert_eq!(told.is_ok(), format == 1, "{told:?}");
        let told = told.unwrap_or_else(|complaint| complaint);
        assert!(told.contains("mine"), "{told}");
        let is_command = |c: char| c.is_control() && c != '\n';
        assert!(!told.contains(is_command), "{told:?}");
    }
}

/// An export is as large as what its member wrote, and can be made again: it is no part of a backup.
/// proves: operate-backup-exports
#[test]
fn an_export_keeps_no_backup_from_being_made() {
    let network = Network::start();
    let (file, data) = (network.file("kith.tar"), network.file("elsewhere"));
    let folder = network.data().join("media/exports/0000000000000001");
    std::fs::create_dir_all(&folder).unwrap();
    let export = std::fs::File::create(folder.join("0000000000000002-0.zip")).unwrap();
    export.set_len((64 << 20) + 1).unwrap();
    backup(&network.data(), &file).unwrap();
    assert!(file.metadata().unwrap().len() < 64 << 20);
    restore(&file, &data).unwrap();
    assert!(!data.join("media/exports").exists());
}

/// `kith` as a shell starts it: `SIGHUP` ends it, also where these tests were started by `nohup`, whose children ignore
/// that signal.
fn kith_that_hears_hangups() -> Command {
    let plain = kith();
    if !cfg!(target_os = "linux") {
        return plain;
    }
    let mut command = Command::new("env");
    command.arg("--default-signal=HUP").arg(plain.get_program());
    for (name, _) in plain.get_envs() {
        command.env_remove(name);
    }
    command
}

/// What is half restored holds the key and every address.
/// proves: operate-restore-ended
#[test]
fn a_restore_that_is_ended_leaves_nothing() {
    let network = Network::start();
    let (file, data) = (network.file("kith.tar"), network.file("elsewhere"));
    let made = Command::new("mkfifo").arg(&file).status().unwrap();
    assert!(made.success());
    for signal in ["INT", "TERM", "HUP"] {
        let mut restoring = kith_that_hears_hangups()
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
        let begun = kith()
            .args(["serve", "--data"])
            .arg(&data)
            .output()
            .unwrap();
        let complaint = String::from_utf8(begun.stderr).unwrap();
        assert!(complaint.contains("part of a restore"), "{complaint}");
        let id = restoring.id().to_string();
        let told = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(told.unwrap().success());
        assert_eq!(restoring.wait().unwrap().code(), Some(1), "{signal}");
        assert!(!data.exists(), "{signal}");
        drop(slow);
    }
}

/// What is half written is nowhere under the name of an export.
/// proves: operate-restore-ended
#[test]
fn an_export_that_is_ended_leaves_nothing() {
    let network = Network::start();
    let file = network.file("ada.zip");
    let part = network.file(".ada.zip.part");
    // A store that takes calls and never answers.
    let store = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("s3://kith?endpoint=http://{}", store.local_addr().unwrap());
    for signal in ["INT", "TERM"] {
        // As `nohup` starts what is to go on when its terminal has gone.
        let mut exporting = Command::new("sh")
            .args(["-c", "trap '' HUP; exec \"$0\" \"$@\""])
            .arg(kith().get_program())
            .args(["member", "export", "founder"])
            .arg(&file)
            .args(["--storage-url", &url, "--data"])
            .arg(network.data())
            .env("AWS_ACCESS_KEY_ID", "kith")
            .env("AWS_SECRET_ACCESS_KEY", "secret")
            .spawn()
            .unwrap();
        while !part.exists() {
            assert!(exporting.try_wait().unwrap().is_none(), "it ended");
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(!file.exists(), "it is not whole yet");
        let id = exporting.id().to_string();
        let tell = |signal: &str| {
            let told = Command::new("kill").args(["-s", signal, &id]).status();
            assert!(told.unwrap().success());
        };
        tell("HUP");
        std::thread::sleep(Duration::from_millis(300));
        assert!(exporting.try_wait().unwrap().is_none() && part.exists());
        tell(signal);
        assert_eq!(exporting.wait().unwrap().code(), Some(1), "{signal}");
        assert!(!part.exists() && !file.exists(), "{signal}");
    }
}
