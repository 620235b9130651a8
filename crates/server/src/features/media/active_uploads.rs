//! Files that are coming in at this moment: one for each address, and none for ever.

use crate::features::media::MediaState;
use crate::http::middleware::guard::UPLOAD_TIMEOUT;
use crate::platform::ids::Id;
use axum::body::{Body, Bytes};
use futures_util::{Stream, StreamExt as _, TryStreamExt as _, future, stream};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Which address is taking a file. Without it, many at one address would each fill the disk.
#[derive(Debug, Default)]
pub struct Arrivals {
    // The number of an arrival, and what ends it when it is dropped.
    coming: Mutex<HashMap<Id, (u64, oneshot::Sender<()>)>>,
    count: AtomicU64,
}

/// The connection is dead or too slow, or the same file is sent again by a browser whose connection broke.
#[derive(Debug, Clone, Copy)]
pub(super) struct Broken;

/// An entry, until it is dropped.
struct Coming {
    app: Arc<MediaState>,
    upload: Id,
    number: u64,
}

impl Drop for Coming {
    fn drop(&mut self) {
        let mut coming = self.app.arrivals.lock();
        if coming.get(&self.upload).map(|entry| entry.0) == Some(self.number) {
            coming.remove(&self.upload);
        }
    }
}

impl Arrivals {
    fn lock(&self) -> MutexGuard<'_, HashMap<Id, (u64, oneshot::Sender<()>)>> {
        self.coming.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bytes that come for an upload. The one before at the same address breaks off.
pub(super) fn begin(
    app: &Arc<MediaState>,
    upload: Id,
    body: Body,
) -> impl Stream<Item = Result<Bytes, Broken>> + use<> {
    let number = app.arrivals.count.fetch_add(1, Ordering::Relaxed);
    let (end, ended) = oneshot::channel();
    app.arrivals.lock().insert(upload, (number, end));
    let coming = Coming {
        app: Arc::clone(app),
        upload,
        number,
    };
    let is_over = Arc::new(AtomicBool::new(false));
    let over = is_over.clone();
    let clock = app.clock.clone();
    let stop = async move {
        tokio::select! {
            () = clock.sleep(UPLOAD_TIMEOUT) => {}
            // Another took its place, or it has come.
            _ = ended => {}
        }
        over.store(true, Ordering::Relaxed);
    };
    let last = stream::once(async move {
        drop(coming);
        is_over.load(Ordering::Relaxed).then_some(Err(Broken))
    });
    let bytes = body.into_data_stream().map_err(|_| Broken);
    bytes
        .take_until(Box::pin(stop))
        .chain(last.filter_map(future::ready))
}
