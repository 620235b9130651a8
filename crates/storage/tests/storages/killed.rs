//! Effects of `kill -9`.

use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant, SystemTime};

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use kith_storage::Storage;

use crate::support::{body, bytes, temporary_bytes};

/// Variable with the folder of the inner test, which is killed.
const VICTIM: &str = "KITH_STORAGE_VICTIM";

/// Starts the test `name` as the process to be killed.
fn victim(name: &str, folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name])
        .env(VICTIM, folder)
        .spawn()
        .unwrap()
}

fn kill(mut victim: Child) {
    assert!(victim.try_wait().unwrap().is_none(), "it ended by itself");
    victim.kill().unwrap();
    victim.wait().unwrap();
}

/// Waits for a condition on the disk.
fn wait(what: &str, mut happened: impl FnMut() -> bool) {
    let start = Instant::now();
    while !happened() {
        assert!(start.elapsed() < Duration::from_secs(30), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[tokio::test]
async fn half_an_incoming_object_is_invisible_and_deleted_later() {
    if let Some(folder) = std::env::var_os(VICTIM) {
        let storage = Storage::open("", Path::new(&folder)).await.unwrap();
        let half = body(&bytes(600_000)).chain(stream::pending());
        storage.create("in/a", half, 1_000_000).await.unwrap();
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let storage = Storage::open("", folder.path()).await.unwrap();
    let name = "killed::half_an_incoming_object_is_invisible_and_deleted_later";
    let victim = victim(name, folder.path());
    wait("it never wrote", || temporary_bytes(folder.path()) > 200_000);
    assert_eq!(storage.size("in/a").await.unwrap(), None);
    kill(victim);
    assert_eq!(storage.size("in/a").await.unwrap(), None);
    assert_eq!(storage.list(None, 10).await.unwrap(), []);
    assert!(temporary_bytes(folder.path()) > 200_000, "this test shows nothing");
    let incoming = folder.path().join("media/incoming");
    for entry in std::fs::read_dir(incoming).unwrap() {
        let file = std::fs::File::open(entry.unwrap().path()).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_hours(2)).unwrap();
    }
    Storage::open("", folder.path()).await.unwrap();
    assert_eq!(temporary_bytes(folder.path()), 0);
}

#[tokio::test]
async fn a_replaced_object_is_the_old_or_the_new_one() {
    let (one, other) = (Bytes::from(vec![1; 500_000]), Bytes::from(vec![2; 400_000]));
    if let Some(folder) = std::env::var_os(VICTIM) {
        let storage = Storage::open("", Path::new(&folder)).await.unwrap();
        loop {
            storage.put("a", one.clone()).await.unwrap();
            storage.put("a", other.clone()).await.unwrap();
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let storage = Storage::open("", folder.path()).await.unwrap();
    let name = "killed::a_replaced_object_is_the_old_or_the_new_one";
    for round in 0..10_u64 {
        storage.delete("a").await.unwrap();
        let victim = victim(name, folder.path());
        // The writer is at a different point each time.
        wait("it never wrote", || temporary_bytes(folder.path()) > 0);
        std::thread::sleep(Duration::from_millis(20 + 7 * round));
        kill(victim);
        match storage.get("a", 500_000).await.unwrap() {
            Some(got) => assert!(got == one || got == other, "{} bytes", got.len()),
            None => assert_eq!(storage.size("a").await.unwrap(), None),
        }
    }
}
