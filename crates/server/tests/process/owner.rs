//! Commands that root runs beside a server that has its own account.

use crate::program::{Program, kith};
use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::{Path, PathBuf};

/// The id of an unprivileged account.
const SERVER: u32 = 65_534;

/// Lists a folder and everything in it.
fn list_recursively(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(list_recursively(&path));
        } else {
            found.push(path);
        }
    }
    found
}

/// proves: operate-owner
#[test]
fn files_created_by_root_belong_to_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let mut program = Program::start(data);
    program.signal("TERM");
    assert!(program.wait().success());
    if let Err(error) = chown(data, Some(SERVER), Some(SERVER)) {
        eprintln!("SKIPPED, since only root can change the owner of a folder: {error}");
        return;
    }
    for (command, missing) in [
        (&["doctor"][..], &["media", "outbox"][..]),
        (&["doctor"], &["media/media/incoming"]),
        (&["invite", "create"], &["kith.lock", "media"]),
        (&["member", "list"], &["kith.lock", "media"]),
    ] {
        for name in missing {
            let path = data.join(name);
            let removed = if path.is_dir() {
                std::fs::remove_dir_all(path)
            } else {
                std::fs::remove_file(path)
            };
            removed.unwrap();
        }
        for path in list_recursively(data) {
            chown(path, Some(SERVER), Some(SERVER)).unwrap();
        }
        kith().args(command).arg("--data").arg(data).output().unwrap();
        let found = list_recursively(data);
        for name in missing {
            assert!(found.contains(&data.join(name)), "{command:?} makes {name}");
        }
        for path in found {
            let owner = std::fs::symlink_metadata(&path).unwrap().uid();
            assert_eq!(owner, SERVER, "{command:?}: {}", path.display());
        }
    }
}
