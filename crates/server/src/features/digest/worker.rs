//! Worker that queues the digests that are due.

use crate::features::digest::{WEEK, store};
use crate::features::sessions;
use crate::platform::Platform;
use crate::platform::clock::Millis;
use crate::platform::jobs::{self, Job};
use kith_db::Tx;
use std::time::Duration;
use store::DueDigest;

/// Time between two polls.
const POLL_INTERVAL: Duration = Duration::from_mins(1);

/// Queues digests until the process ends. Safe to run on several nodes.
pub async fn run_worker(platform: Platform) {
    loop {
        if let Err(error) = enqueue_due(&platform).await {
            tracing::warn!(%error, "some digests could not be queued");
        }
        platform.clock.sleep(POLL_INTERVAL).await;
    }
}

/// Queues all digests that are due, in batches, to members who were not here for a week.
pub async fn enqueue_due(platform: &Platform) -> kith_db::Result<()> {
    loop {
        let now = platform.now();
        let db = platform.db.reader();
        let due = store::load_due(&db, now).await?;
        if due.is_empty() {
            return Ok(());
        }
        let mut batch = Vec::with_capacity(due.len());
        for digest in due {
            let was_here = sessions::was_here_since(&db, digest.member, now - WEEK, now).await?;
            let job = (!was_here).then(|| Job::digest_mail(platform.id(), digest.member, now));
            batch.push((digest, job));
        }
        drop(db);
        platform.db.write(EnqueueDigests { batch, now }).await?;
        platform.mail.notify_one();
    }
}

/// Transaction that claims due digests and queues their mails. A digest without a job is skipped this week.
struct EnqueueDigests {
    batch: Vec<(DueDigest, Option<Job>)>,
    now: Millis,
}

impl kith_db::Write for EnqueueDigests {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        for (digest, job) in &self.batch {
            if digest.claim(tx, self.now).await?
                && let Some(job) = job
            {
                jobs::enqueue(tx, job).await?;
            }
        }
        Ok(())
    }
}
