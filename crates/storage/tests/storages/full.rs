//! A disk that takes no more.

use std::path::Path;
use std::process::Command;

use bytes::Bytes;
use kith_storage::{Storage, StorageError};

use crate::support::{body, bytes, temporary_bytes};

/// Names the folder, and by its presence makes the test look at a disk that is full.
const FOLDER: &str = "KITH_STORAGE_FULL";

/// Runs what follows on a disk of 2 MiB of its own, where the system lets an ordinary account
/// make one.
const SMALL_DISK: &str =
    r#"mount -t tmpfs -o size=2m kith "$KITH_STORAGE_FULL" || exit 99; exec "$@""#;

/// Runs what follows so that no file may have more than 1 MiB: elsewhere the next best.
const SMALL_FILES: &str = r#"trap '' XFSZ; ulimit -f 2048; exec "$@""#;

/// The test again, in surroundings that a shell makes.
fn again(shell: &mut Command, folder: &Path) -> Option<i32> {
    let status = shell
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "full::a_full_disk_is_full_and_nothing_stays"])
        .env(FOLDER, folder)
        .status();
    status.ok()?.code()
}

#[tokio::test]
async fn a_full_disk_is_full_and_nothing_stays() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return on_a_full_disk(Path::new(&folder)).await;
    }
    let parent = tempfile::tempdir().unwrap();
    let disk = parent.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let own = [
        "--user",
        "--map-root-user",
        "--mount",
        "sh",
        "-c",
        SMALL_DISK,
        "sh",
    ];
    let mut code = again(Command::new("unshare").args(own), &disk);
    if !has_begun(&disk) {
        code = again(Command::new("sh").args(["-c", SMALL_FILES, "sh"]), &disk);
    }
    assert!(has_begun(&disk));
    assert_eq!(code, Some(0));
}

/// Whether the inner test began, which separates its failure from one of the shell.
fn has_begun(disk: &Path) -> bool {
    disk.with_file_name("began").exists()
}

async fn on_a_full_disk(disk: &Path) {
    std::fs::write(disk.with_file_name("began"), "").unwrap();
    let storage = Storage::open("", disk).await.unwrap();
    storage.put("before", bytes(1000)).await.unwrap();
    let large = Bytes::from(vec![7; 3 * 1024 * 1024]);
    assert_eq!(
        storage.put("large", large.clone()).await.unwrap_err(),
        StorageError::Full
    );
    let created = storage.create("large", body(&large), u64::MAX).await;
    assert_eq!(created.unwrap_err(), StorageError::Full);
    assert_eq!(
        storage.put("before", large).await.unwrap_err(),
        StorageError::Full
    );
    assert_eq!(
        storage.get("before", 1000).await.unwrap(),
        Some(bytes(1000))
    );
    assert_eq!(
        storage.list(None, 10).await.unwrap(),
        [("before".to_owned(), 1000)]
    );
    assert_eq!(temporary_bytes(disk), 0);
    storage.put("after", bytes(1000)).await.unwrap();
}
