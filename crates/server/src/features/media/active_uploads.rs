//! Tracks the uploads being received: at most one per ticket, each with a timeout.

use crate::http::middleware::timeout::UPLOAD_TIMEOUT;
use crate::platform::clock::Clock;
use crate::platform::ids::Id;
use axum::body::{Body, Bytes};
use futures_util::{Stream, StreamExt as _, TryStreamExt as _, future, stream};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Uploads being received, by ticket. Concurrent bodies for one ticket could otherwise fill the disk.
#[derive(Debug, Default)]
pub struct ActiveUploads {
    // Sequence number of the request, and the sender that aborts it when dropped.
    active: Mutex<HashMap<Id, (u64, oneshot::Sender<()>)>>,
    next_number: AtomicU64,
}

/// The upload was aborted: connection lost, timeout, or replaced by a retry for the same ticket.
#[derive(Debug, Clone, Copy)]
pub(super) struct Aborted;

/// Removes its entry when dropped, unless a later request has replaced it.
struct UploadGuard {
    active: Arc<ActiveUploads>,
    upload: Id,
    number: u64,
}

impl Drop for UploadGuard {
    fn drop(&mut self) {
        let mut active = self.active.lock();
        if active.get(&self.upload).map(|entry| entry.0) == Some(self.number) {
            active.remove(&self.upload);
        }
    }
}

impl ActiveUploads {
    fn lock(&self) -> MutexGuard<'_, HashMap<Id, (u64, oneshot::Sender<()>)>> {
        self.active.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Registers an upload and returns its body stream. Aborts an earlier request for the same ticket.
pub(super) fn receive_body(
    uploads: &Arc<ActiveUploads>,
    clock: Clock,
    upload: Id,
    body: Body,
) -> impl Stream<Item = Result<Bytes, Aborted>> + use<> {
    let number = uploads.next_number.fetch_add(1, Ordering::Relaxed);
    let (end, ended) = oneshot::channel();
    uploads.lock().insert(upload, (number, end));
    let guard = UploadGuard { active: Arc::clone(uploads), upload, number };
    let is_aborted = Arc::new(AtomicBool::new(false));
    let aborted = is_aborted.clone();
    let stop = async move {
        tokio::select! {
            () = clock.sleep(UPLOAD_TIMEOUT) => {}
            // Replaced by a later request, or complete.
            _ = ended => {}
        }
        aborted.store(true, Ordering::Relaxed);
    };
    let last = stream::once(async move {
        drop(guard);
        is_aborted.load(Ordering::Relaxed).then_some(Err(Aborted))
    });
    let bytes = body.into_data_stream().map_err(|_| Aborted);
    bytes.take_until(Box::pin(stop)).chain(last.filter_map(future::ready))
}
