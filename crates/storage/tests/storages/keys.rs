//! Keys that would leave the storage.

use std::time::Duration;

use kith_storage::StorageError;

use crate::support::{body, bytes, on_both_storages};

const WRONG: &[&str] = &[
    "",
    "/",
    "..",
    "../outside",
    "a/../../outside",
    "/tmp/outside",
    "a//b",
    "a/./b",
    "incoming/.a",
    "A",
    "a@b",
    "a%2fb",
    "a?b=c",
    "a b",
    "a\n",
];

fn is_wrong<T>(result: Result<T, StorageError>) -> bool {
    matches!(result.err(), Some(StorageError::InvalidKey(_)))
}

on_both_storages! {
    async fn every_operation_rejects_keys_that_leave_the_storage(scratch) {
        let storage = &scratch.storage;
        for key in WRONG {
            assert!(is_wrong(storage.put(key, bytes(1)).await), "{key}");
            assert!(is_wrong(storage.create(key, body(&bytes(1)), 1).await), "{key}");
            assert!(is_wrong(storage.size(key).await), "{key}");
            assert!(is_wrong(storage.get(key, 1).await), "{key}");
            assert!(is_wrong(storage.read(key, None).await), "{key}");
            assert!(is_wrong(storage.delete(key).await), "{key}");
            let presigned = storage.presign_put(key, 1, "image/webp", Duration::from_mins(1), 0);
            assert!(is_wrong(presigned.await), "{key}");
        }
        for part in ["A", "a@", "a b", "%"] {
            assert!(is_wrong(storage.list(Some(part), 1).await), "{part}");
        }
        assert_eq!(storage.list(None, 10).await.unwrap(), []);
    }

    async fn similar_keys_are_distinct(scratch) {
        let storage = &scratch.storage;
        let keys = ["a/b", "a-b", "a.b", "a_b", "ab", "a/b/c", "a/b.c"];
        for (at, key) in keys.iter().enumerate() {
            storage.put(key, bytes(at)).await.unwrap();
        }
        for (at, key) in keys.iter().enumerate() {
            assert_eq!(storage.get(key, 10).await.unwrap(), Some(bytes(at)), "{key}");
        }
        storage.delete("a/b").await.unwrap();
        assert_eq!(storage.size("a/b").await.unwrap(), None);
        assert_eq!(storage.size("a/b/c").await.unwrap(), Some(5));
    }

    async fn the_longest_key_is_stored(scratch) {
        let storage = &scratch.storage;
        let key = "k".repeat(200);
        storage.put(&key, bytes(3)).await.unwrap();
        assert_eq!(storage.get(&key, 3).await.unwrap(), Some(bytes(3)));
        assert!(is_wrong(storage.put(&"k".repeat(201), bytes(3)).await));
    }
}
