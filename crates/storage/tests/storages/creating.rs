//! Creation of objects from streams.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt as _, future, stream};
use kith_storage::{CreateOutcome, Storage, StorageError};

use crate::support::{Broken, Scratch, body, bytes, on_both_storages};

/// Checks that no object and no temporary file exists.
async fn assert_nothing_stays(scratch: &Scratch) {
    assert_eq!(scratch.storage.size("in/a").await.unwrap(), None);
    assert_eq!(scratch.storage.list(None, 10).await.unwrap(), []);
    assert_eq!(scratch.temporary_files(), Vec::<String>::new());
}

on_both_storages! {
    async fn an_object_is_created_once(scratch) {
        let storage = &scratch.storage;
        let (one, other) = (bytes(300_000), bytes(299_999));
        let create = async |given: &Bytes| storage.create("a", body(given), 300_000).await.unwrap();
        assert_eq!(create(&one).await, CreateOutcome::New(300_000));
        assert_eq!(create(&one).await, CreateOutcome::Same);
        assert_eq!(create(&other).await, CreateOutcome::Different);
        let mut altered = one.to_vec();
        altered[299_999] ^= 1;
        assert_eq!(create(&altered.into()).await, CreateOutcome::Different);
        assert_eq!(storage.get("a", 300_000).await.unwrap(), Some(one));
        assert_eq!(scratch.temporary_files(), Vec::<String>::new());
    }

    async fn an_empty_object_is_created(scratch) {
        let storage = &scratch.storage;
        let nothing = Bytes::new();
        assert_eq!(storage.create("a", body(&nothing), 0).await.unwrap(), CreateOutcome::New(0));
        assert_eq!(storage.create("a", body(&nothing), 0).await.unwrap(), CreateOutcome::Same);
        assert_eq!(storage.create("a", body(&bytes(1)), 1).await.unwrap(), CreateOutcome::Different);
        assert_eq!(storage.size("a").await.unwrap(), Some(0));
    }

    async fn one_byte_over_the_limit_is_too_large(scratch) {
        let storage = &scratch.storage;
        let limit = 1_000_000;
        let over = storage.create("in/a", body(&bytes(1_000_001)), limit).await;
        assert_eq!(over.unwrap_err(), StorageError::TooLarge);
        assert_nothing_stays(&scratch).await;
        let exact = storage.create("in/a", body(&bytes(1_000_000)), limit).await;
        assert_eq!(exact.unwrap(), CreateOutcome::New(limit));
    }

    async fn an_endless_body_is_ended_at_the_limit(scratch) {
        let storage = &scratch.storage;
        let endless = stream::repeat_with(|| Ok::<_, Broken>(bytes(10_000)));
        let result = storage.create("in/a", endless, 1_000_000).await;
        assert_eq!(result.unwrap_err(), StorageError::TooLarge);
        assert_nothing_stays(&scratch).await;
    }

    async fn an_aborted_body_leaves_nothing(scratch) {
        let storage = &scratch.storage;
        let half = body(&bytes(600_000)).chain(stream::iter([Err(Broken)]));
        let result = storage.create("in/a", half, 1_000_000).await;
        assert_eq!(result.unwrap_err(), StorageError::BodyAborted);
        assert_nothing_stays(&scratch).await;
    }

    async fn an_aborted_request_leaves_nothing(scratch) {
        let storage = &scratch.storage;
        let half = body(&bytes(600_000)).chain(stream::pending());
        let mut create = Box::pin(storage.create("in/a", half, 1_000_000));
        while scratch.temporary_bytes() < 256 * 1024 {
            let short = std::time::Duration::from_millis(1);
            tokio::time::timeout(short, &mut create).await.unwrap_err();
        }
        drop(create);
        // A started write completes first.
        for _ in 0..1000 {
            if scratch.temporary_files().is_empty() {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        assert_nothing_stays(&scratch).await;
    }

    async fn of_several_concurrent_bodies_one_is_new(scratch) {
        let given: Vec<Bytes> = (0..8).map(|number| bytes(50_000 + number)).collect();
        let storage = Arc::new(scratch.storage);
        let created = create_all(&storage, &given).await;
        let new: Vec<usize> = (0..8)
            .filter(|at| matches!(created[*at], CreateOutcome::New(_)))
            .collect();
        assert_eq!(new.len(), 1, "{created:?}");
        let different = created.iter().filter(|one| **one == CreateOutcome::Different);
        assert_eq!(different.count(), 7, "{created:?}");
        assert_eq!(storage.get("a", 100_000).await.unwrap(), Some(given[new[0]].clone()));
    }

    async fn of_several_equal_bodies_one_is_new(scratch) {
        let given = vec![bytes(50_000); 8];
        let created = create_all(&Arc::new(scratch.storage), &given).await;
        assert_eq!(created.iter().filter(|one| **one == CreateOutcome::New(50_000)).count(), 1);
        assert_eq!(created.iter().filter(|one| **one == CreateOutcome::Same).count(), 7);
    }
}

/// Creates one object from each of `given`, concurrently.
async fn create_all(storage: &Arc<Storage>, given: &[Bytes]) -> Vec<CreateOutcome> {
    let tasks = given.iter().map(|given| {
        let (storage, body) = (Arc::clone(storage), body(given));
        tokio::spawn(async move { storage.create("a", body, 100_000).await.unwrap() })
    });
    let created = future::join_all(tasks.collect::<Vec<_>>()).await;
    created.into_iter().map(Result::unwrap).collect()
}
