//! Storing, reading and removing objects.

use bytes::Bytes;
use kith_storage::{Created, Failure};

use crate::support::{body, bytes, collect, on_both_storages, part};

on_both_storages! {
    async fn what_was_stored_is_read(scratch) {
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

    async fn what_is_not_there_is_none(scratch) {
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

    async fn more_than_the_limit_is_not_read(scratch) {
        let storage = &scratch.storage;
        storage.put("a", bytes(1000)).await.unwrap();
        assert_eq!(storage.get("a", 1000).await.unwrap(), Some(bytes(1000)));
        assert_eq!(storage.get("a", 999).await.unwrap_err(), Failure::TooLarge);
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
        for beyond in [600_000..600_001, 700_000..800_000, 5..5, 600_000..600_000] {
            assert_eq!(part(storage, "a", beyond).await, (600_000, Bytes::new()));
        }
    }

    async fn an_object_is_created_once(scratch) {
        let storage = &scratch.storage;
        let (one, other) = (bytes(300_000), bytes(299_999));
        let create = async |given: &Bytes| storage.create("a", body(given), 300_000).await.unwrap();
        assert_eq!(create(&one).await, Created::New(300_000));
        assert_eq!(create(&one).await, Created::Same);
        assert_eq!(create(&other).await, Created::Different);
        let mut altered = one.to_vec();
        altered[299_999] ^= 1;
        assert_eq!(create(&altered.into()).await, Created::Different);
        assert_eq!(storage.get("a", 300_000).await.unwrap(), Some(one));
    }

    async fn deleting_twice_is_fine(scratch) {
        let storage = &scratch.storage;
        storage.put("a/b", bytes(10)).await.unwrap();
        storage.delete("a/b").await.unwrap();
        assert_eq!(storage.size("a/b").await.unwrap(), None);
        storage.delete("a/b").await.unwrap();
        storage.delete("never/there").await.unwrap();
    }
}
