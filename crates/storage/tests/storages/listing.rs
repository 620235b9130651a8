//! Listing objects, in pages.

use futures_util::{StreamExt as _, stream};
use kith_storage::Storage;

use crate::support::{bytes, files, on_both_storages, s3};

async fn put_all(storage: &Storage, keys: &[String]) {
    let puts = stream::iter(keys.iter().enumerate());
    let puts = puts.map(async |(at, key)| storage.put(key, bytes(at % 7)).await.unwrap());
    puts.buffer_unordered(16).collect::<()>().await;
}

/// All keys, in pages of `limit`.
async fn pages(storage: &Storage, limit: usize) -> Vec<(String, u64)> {
    let mut all: Vec<(String, u64)> = Vec::new();
    loop {
        let after = all.last().map(|(key, _)| key.clone());
        let page = storage.list(after.as_deref(), limit).await.unwrap();
        assert!(page.len() <= limit);
        if page.is_empty() {
            return all;
        }
        all.extend(page);
    }
}

/// The keys and sizes that [`put_all`] stores, in list order.
fn listed(keys: &[String]) -> Vec<(String, u64)> {
    let mut listed: Vec<(String, u64)> = keys.iter().cloned().zip((0..7).cycle()).collect();
    listed.sort();
    listed
}

fn owned(keys: &[&str]) -> Vec<String> {
    keys.iter().copied().map(str::to_owned).collect()
}

on_both_storages! {
    async fn objects_are_listed_in_order_and_in_pages(scratch) {
        let storage = &scratch.storage;
        let mut keys: Vec<String> = (0..24).map(|number| format!("m/{}", number * 37 % 24)).collect();
        keys.extend(owned(&["n/1", "o-1", "o.1", "o0", "o_a", "oa"]));
        put_all(storage, &keys).await;
        let expected = listed(&keys);
        for limit in [1, 7, 30, 1000] {
            assert_eq!(pages(storage, limit).await, expected, "pages of {limit}");
        }
    }

    async fn a_list_can_begin_after_any_key(scratch) {
        let storage = &scratch.storage;
        put_all(storage, &owned(&["b/1", "b/2", "c"])).await;
        for (after, first) in [
            (None, Some("b/1")),
            (Some("a"), Some("b/1")),
            (Some("b/1"), Some("b/2")),
            (Some("b/10"), Some("b/2")),
            (Some("b/2"), Some("c")),
            (Some("c"), None),
        ] {
            let page = storage.list(after, 1).await.unwrap();
            let found = page.first().map(|(key, _)| key.as_str());
            assert_eq!(found, first, "after {after:?}");
        }
        assert_eq!(storage.list(None, 0).await.unwrap(), []);
    }

    /// SeaweedFS has folders and orders these keys differently; pages are still complete.
    async fn pages_are_complete_where_folders_have_names_like_files(scratch) {
        let storage = &scratch.storage;
        let keys = owned(&["m-1", "m.1", "m/0", "m/1", "m0", "ma/2", "m-/1"]);
        put_all(storage, &keys).await;
        for limit in [1, 2, 3, 10] {
            let mut found = pages(storage, limit).await;
            found.sort();
            assert_eq!(found, listed(&keys), "pages of {limit}");
        }
    }
}

/// Even if a key is the folder of another.
#[tokio::test]
async fn files_are_listed_in_the_order_of_their_bytes() {
    let scratch = files().await;
    let storage = &scratch.storage;
    let keys = owned(&["m", "m-1", "m.1", "m/0", "m/1", "m0", "ma/2"]);
    put_all(storage, &keys).await;
    for limit in [1, 2, 3, 10] {
        assert_eq!(pages(storage, limit).await, listed(&keys), "pages of {limit}");
    }
    let behind = storage.list(Some("m.1"), 1).await.unwrap();
    assert_eq!(behind, [("m/0".to_owned(), 3)]);
}

/// S3 lists up to a thousand keys per request.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn more_than_a_thousand_objects_are_listed_in_one_call() {
    let scratch = s3().await;
    let keys: Vec<String> = (0..1100).map(|number| format!("k{number:04}")).collect();
    put_all(&scratch.storage, &keys).await;
    let page = scratch.storage.list(None, 2000).await.unwrap();
    assert_eq!(page, listed(&keys));
}
