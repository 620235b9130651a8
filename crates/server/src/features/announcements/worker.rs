//! Worker that queues the mails of an announcement.

use crate::features::members;
use crate::features::settings::{self, MailProgress};
use crate::platform::Platform;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use crate::platform::jobs::{self, Job};
use kith_db::Tx;
use std::time::Duration;

/// Time between two polls.
const POLL_INTERVAL: Duration = Duration::from_secs(10);
/// Mails queued per transaction.
const BATCH: usize = 100;

/// Queues mails until the process ends. Safe to run on several nodes.
pub async fn run_worker(platform: Platform) {
    loop {
        if let Err(error) = enqueue_mails(&platform).await {
            tracing::warn!(%error, "some mails of an announcement could not be queued");
        }
        platform.clock.sleep(POLL_INTERVAL).await;
    }
}

/// Queues the mails of an announcement to all active members, in batches.
pub async fn enqueue_mails(platform: &Platform) -> kith_db::Result<()> {
    loop {
        let db = platform.db.reader();
        let Some(progress) = settings::load_mail_progress(&db).await? else {
            return Ok(());
        };
        let members = members::list_active(&db, progress.after, BATCH).await?;
        drop(db);
        let now = platform.now();
        let job =
            |member: &Id| Job::announcement_mail(platform.id(), *member, progress.version, now);
        let jobs = members.iter().map(job).collect();
        let next = members.last().copied();
        platform.db.write(EnqueueBatch { progress, jobs, next, now }).await?;
        platform.mail.notify_one();
    }
}

/// Transaction that queues a batch, unless another node has queued it.
struct EnqueueBatch {
    progress: MailProgress,
    jobs: Vec<Job>,
    /// Last member of the batch; `None` at the end.
    next: Option<Id>,
    now: Millis,
}

impl kith_db::Write for EnqueueBatch {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        if self.progress.advance(tx, self.next, self.now).await? {
            for job in &self.jobs {
                jobs::enqueue(tx, job).await?;
            }
        }
        Ok(())
    }
}
