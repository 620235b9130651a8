//! A full disk.

use std::path::Path;
use std::process::Command;

use bytes::Bytes;
use kith_storage::{Storage, StorageError};

use crate::support::{body, bytes, temporary_bytes};

/// Variable with the folder of the inner test, which runs on a full disk.
const FOLDER: &str = "KITH_STORAGE_FULL";

/// Runs a command on its own disk of 2 MiB, where the system allows this to ordinary accounts.
const SMALL_DISK: &str =
    r#"mount -t tmpfs -o size=2m kith "$KITH_STORAGE_FULL" || exit 99; exec "$@""#;

/// Runs a command with a file size limit of 1 MiB, if there can be no small disk.
const SMALL_FILES: &str = r#"trap '' XFSZ; ulimit -f 2048; exec "$@""#;

/// Runs this test again in the environment of a shell command.
fn run_again(shell: &mut Command, folder: &Path) -> Option<i32> {
    let status = shell
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "full::a_full_disk_is_reported_and_leaves_nothing"])
        .env(FOLDER, folder)
        .status();
    status.ok()?.code()
}

#[tokio::test]
async fn a_full_disk_is_reported_and_leaves_nothing() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return on_a_full_disk(Path::new(&folder)).await;
    }
    let parent = tempfile::tempdir().unwrap();
    let disk = parent.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let own = ["--user", "--map-root-user", "--mount", "sh", "-c", SMALL_DISK, "sh"];
    let mut code = run_again(Command::new("unshare").args(own), &disk);
    if !has_begun(&disk) {
        code = run_again(Command::new("sh").args(["-c", SMALL_FILES, "sh"]), &disk);
    }
    assert!(has_begun(&disk));
    assert_eq!(code, Some(0));
}

/// Whether the inner test began, which distinguishes its failure from the shell's.
fn has_begun(disk: &Path) -> bool {
    disk.with_file_name("began").exists()
}

async fn on_a_full_disk(disk: &Path) {
    std::fs::write(disk.with_file_name("began"), "").unwrap();
    let storage = Storage::open("", disk).await.unwrap();
    storage.put("before", bytes(1000)).await.unwrap();
    let large = Bytes::from(vec![7; 3 * 1024 * 1024]);
    assert_eq!(storage.put("large", large.clone()).await.unwrap_err(), StorageError::Full);
    let created = storage.create("large", body(&large), u64::MAX).await;
    assert_eq!(created.unwrap_err(), StorageError::Full);
    assert_eq!(storage.put("before", large).await.unwrap_err(), StorageError::Full);
    assert_eq!(storage.get("before", 1000).await.unwrap(), Some(bytes(1000)));
    assert_eq!(storage.list(None, 10).await.unwrap(), [("before".to_owned(), 1000)]);
    assert_eq!(temporary_bytes(disk), 0);
    storage.put("after", bytes(1000)).await.unwrap();
}
