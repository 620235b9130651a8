//! Storing, reading and deleting objects.

use bytes::Bytes;
use kith_storage::StorageError;

use crate::support::{bytes, collect, on_both_storages, part};

on_both_storages! {
    async fn a_stored_object_is_read(scratch) {
        let storage = &scratch.storage;
        let given = bytes(700_001);
        storage.put("a/b/whole.webp", given.clone()).await.unwrap();
        assert_eq!(storage.size("a/b/whole.webp").await.unwrap(), Some(700_001));
        let got = storage.get("a/b/whole.webp", 700_001).await.unwrap().unwrap();
        assert_eq!(got, given);
        let object = storage.read("a/b/whole.webp", None).await.unwrap().unwrap();
        assert_eq!((object.size, object.range.clone()), (700_001, 0..700_001));
        assert_eq!(collect(object).await.unwrap(), given);
    }

    async fn a_missing_object_is_none(scratch) {
        let storage = &scratch.storage;
        storage.put("a/b", Bytes::from_static(b"b")).await.unwrap();
        for key in ["a/c", "a", "a/b/c", "b"] {
            assert_eq!(storage.size(key).await.unwrap(), None, "{key}");
            assert_eq!(storage.get(key, 10).await.unwrap(), None, "{key}");
            assert!(storage.read(key, None).await.unwrap().is_none(), "{key}");
            assert!(storage.read(key, Some(0..1)).await.unwrap().is_none(), "{key}");
        }
    }

    async fn storing_again_replaces(scratch) {
        let storage = &scratch.storage;
        storage.put("a", bytes(10)).await.unwrap();
        storage.put("a", bytes(7)).await.unwrap();
        assert_eq!(storage.get("a", 10).await.unwrap(), Some(bytes(7)));
        storage.put("a", Bytes::new()).await.unwrap();
        assert_eq!(storage.size("a").await.unwrap(), Some(0));
        assert_eq!(storage.get("a", 10).await.unwrap(), Some(Bytes::new()));
    }

    async fn an_object_above_the_limit_is_not_read(scratch) {
        let storage = &scratch.storage;
        storage.put("a", bytes(1000)).await.unwrap();
        assert_eq!(storage.get("a", 1000).await.unwrap(), Some(bytes(1000)));
        assert_eq!(storage.get("a", 999).await.unwrap_err(), StorageError::TooLarge);
    }

    async fn ranges_are_read(scratch) {
        let storage = &scratch.storage;
        let given = bytes(600_000);
        storage.put("a", given.clone()).await.unwrap();
        for (from, to) in [(0, 1), (299_999, 300_002), (1, 599_999), (599_500, 600_000), (0, 600_000)] {
            let expected = given.slice(from..to);
            let got = part(storage, "a", from as u64..to as u64).await;
            assert_eq!(got, (600_000, expected), "{from}..{to}");
        }
        assert_eq!(part(storage, "a", 599_999..700_000).await, (600_000, given.slice(599_999..)));
    }

    async fn deleting_is_idempotent(scratch) {
        let storage = &scratch.storage;
        storage.put("a/b", bytes(10)).await.unwrap();
        storage.delete("a/b").await.unwrap();
        assert_eq!(storage.size("a/b").await.unwrap(), None);
        storage.delete("a/b").await.unwrap();
        storage.delete("never/there").await.unwrap();
    }

    async fn readers_see_the_old_or_the_new_object(scratch) {
        let storage = &scratch.storage;
        let (one, other) = (Bytes::from(vec![1; 300_000]), Bytes::from(vec![2; 200_000]));
        storage.put("a", one.clone()).await.unwrap();
        let write = async {
            for _ in 0..20 {
                storage.put("a", other.clone()).await.unwrap();
                storage.put("a", one.clone()).await.unwrap();
            }
        };
        let read = async {
            for _ in 0..40 {
                let object = storage.read("a", None).await.unwrap().unwrap();
                let size = object.size;
                let got = collect(object).await.unwrap();
                assert!(got == one || got == other, "{} of {size} bytes", got.len());
                let got = storage.get("a", 300_000).await.unwrap().unwrap();
                assert!(got == one || got == other);
            }
        };
        tokio::join!(write, read);
    }

    async fn a_working_storage_is_ready_and_keeps_no_test_object(scratch) {
        scratch.storage.ready().await.unwrap();
        scratch.storage.probe().await.unwrap();
        assert_eq!(scratch.storage.list(None, 10).await.unwrap(), []);
        assert_eq!(scratch.temporary_files(), Vec::<String>::new());
    }
}
