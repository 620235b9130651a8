//! Files and folders of the local storage.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use kith_storage::Storage;

use crate::support::{bytes, collect, files};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// The only file below the folder.
fn only_file(folder: &Path) -> PathBuf {
    let mut path = folder.join("media");
    loop {
        let entries = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
        let inside: Vec<PathBuf> = entries.filter(|path| !path.ends_with("incoming")).collect();
        assert_eq!(inside.len(), 1, "{inside:?}");
        path.clone_from(&inside[0]);
        if path.is_file() {
            return path;
        }
    }
}

#[tokio::test]
async fn only_the_owner_may_read_the_folder() {
    let parent = tempfile::tempdir().unwrap();
    let data = parent.path().join("data");
    let storage = Storage::open("", &data).await.unwrap();
    storage.put("a/b.webp", bytes(1)).await.unwrap();
    let file = only_file(&data);
    assert!(file.ends_with("a@b.webp"), "{}", file.display());
    assert_eq!(mode(&file), 0o600);
    let folders = file.ancestors().skip(1).take(4);
    for folder in folders.collect::<Vec<_>>().into_iter().chain([&*data.join("media/incoming")]) {
        assert_eq!(mode(folder), 0o700, "{}", folder.display());
    }
}

#[tokio::test]
async fn a_symlink_at_an_objects_path_is_not_followed() {
    let scratch = files().await;
    let storage = &scratch.storage;
    let secret = scratch.folder.path().join("secret.key");
    fs::write(&secret, "secret").unwrap();
    storage.put("a", bytes(10)).await.unwrap();
    let file = only_file(scratch.folder.path());
    fs::remove_file(&file).unwrap();
    symlink(&secret, &file).unwrap();
    assert_eq!(storage.get("a", 100).await.unwrap(), None);
    assert_eq!(storage.size("a").await.unwrap(), None);
    assert!(storage.read("a", None).await.unwrap().is_none());
    assert_eq!(storage.list(None, 10).await.unwrap(), []);
    // Writing replaces the symlink, not its target.
    storage.put("a", bytes(10)).await.unwrap();
    assert_eq!(storage.get("a", 100).await.unwrap(), Some(bytes(10)));
    assert_eq!(fs::read_to_string(&secret).unwrap(), "secret");
}

#[tokio::test]
async fn foreign_files_are_not_listed() {
    let scratch = files().await;
    scratch.storage.put("a", bytes(10)).await.unwrap();
    let folder = only_file(scratch.folder.path()).parent().unwrap().to_owned();
    fs::write(folder.join(".DS_Store"), "").unwrap();
    fs::write(folder.join("Notes.txt"), "").unwrap();
    fs::create_dir(folder.join("b")).unwrap();
    fs::create_dir(scratch.folder.path().join("media/lost+found")).unwrap();
    let listed = scratch.storage.list(None, 10).await.unwrap();
    assert_eq!(listed, [("a".to_owned(), 10)]);
}

#[tokio::test]
async fn a_replaced_or_deleted_object_is_read_to_its_end() {
    let scratch = files().await;
    let storage = &scratch.storage;
    let given = bytes(1_000_000);
    storage.put("a", given.clone()).await.unwrap();
    let before = storage.read("a", None).await.unwrap().unwrap();
    storage.put("a", bytes(5)).await.unwrap();
    let replaced = storage.read("a", None).await.unwrap().unwrap();
    storage.delete("a").await.unwrap();
    assert_eq!(collect(before).await.unwrap(), given);
    assert_eq!(collect(replaced).await.unwrap(), bytes(5));
}

#[tokio::test]
async fn only_old_temporary_files_are_deleted_at_start() {
    let scratch = files().await;
    let incoming = scratch.folder.path().join("media/incoming");
    let (old, young) = ("0123456789abcdef", "0123456789abcdee");
    for (name, minutes) in [(old, 61), (young, 59), ("of another user!", 61)] {
        let file = File::create(incoming.join(name)).unwrap();
        let then = SystemTime::now() - Duration::from_mins(minutes);
        file.set_modified(then).unwrap();
    }
    Storage::open("", scratch.folder.path()).await.unwrap();
    let mut left = scratch.temporary_files();
    left.sort();
    assert_eq!(left, [young, "of another user!"]);
}

/// A command run as root must not delete files outside through a symlink of the server's account.
#[tokio::test]
async fn cleanup_follows_no_symlinks() {
    let scratch = files().await;
    let incoming = scratch.folder.path().join("media/incoming");
    fs::remove_dir_all(&incoming).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("0123456789abcdef");
    let then = SystemTime::now() - Duration::from_mins(61);
    File::create(&file).unwrap().set_modified(then).unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), &incoming).unwrap();
    let error = Storage::open("", scratch.folder.path()).await.unwrap_err();
    assert!(error.contains("is a symbolic link"), "{error}");
    assert!(file.exists());
}

#[tokio::test]
async fn an_unusable_folder_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("media"), "").unwrap();
    let error = Storage::open("", folder.path()).await.unwrap_err();
    assert!(error.starts_with("the folder of objects "), "{error}");
    assert!(error.contains("/media cannot be used: "), "{error}");
}

#[tokio::test]
async fn a_deleted_folder_is_not_ready() {
    let scratch = files().await;
    fs::remove_dir_all(scratch.folder.path().join("media")).unwrap();
    for result in [scratch.storage.ready().await, scratch.storage.probe().await] {
        let text = result.unwrap_err().to_string();
        assert!(text.starts_with("the object storage is not available: "), "{text}");
    }
}

#[tokio::test]
async fn files_are_sent_through_the_server() {
    let scratch = files().await;
    let presigned =
        scratch.storage.presign_put("a", 1, "image/webp", Duration::from_mins(1), 0).await.unwrap();
    assert_eq!(presigned, None);
    assert_eq!(scratch.storage.upload_origin(), None);
}
