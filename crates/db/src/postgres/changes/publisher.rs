//! How a process on PostgreSQL announces changes: to its listener directly, to others by a row of `changes`.

use super::instrument::Plan;
use crate::change_feed::TOLD;
use crate::change_feed::freshness::Hearing;
use crate::{Change, Listener, News, Sql, Watch, error::is_retryable};
use deadpool_postgres::Object;
use futures_util::future::join;
use parking_lot::{Mutex, RwLock};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// One row per transaction: its number, process, sequence and changes. It is logged, to survive crash and fail-over.
pub(crate) const TABLE: &str = "create table if not exists changes (
    xact bigint not null, node bigint not null, seq bigint not null, told text not null,
    primary key (xact, node))";

const INSERT: &str = "insert into changes (xact, node, seq, told)
    values (pg_current_xact_id()::text::bigint, $1, $2, $3)";

/// Changes that one transaction tells one by one; more count as everything.
const MOST: usize = 4096;
/// What is told of a transaction that may have changed anything.
const ANYTHING: &str = "*";

/// Who listens in this process, and to what.
pub(crate) struct Office {
    watches: &'static [Watch],
    listener: Listener,
    pub(crate) hearing: Hearing,
    /// What became of each statement.
    plans: RwLock<HashMap<&'static str, Arc<Plan>>>,
    /// What the watches are, in short: others' numbers mean the same only if theirs are.
    dialect: String,
    /// This process, by chance.
    node: i64,
    next: AtomicI64,
    /// Own transactions of which the listener has not been told: their commit is under way, or was not
    /// answered, and then whoever sees their row tells. A few numbers of the latter stay.
    untold: Mutex<HashSet<i64>>,
}

impl std::fmt::Debug for Office {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Office")
            .field("node", &self.node)
            .finish_non_exhaustive()
    }
}

impl Office {
    pub(crate) fn new(watches: &'static [Watch], listener: Listener) -> Self {
        let digest = Sha256::digest(format!("1 {watches:?}"));
        let dialect = hex::encode(&digest[..6]);
        Self {
            watches,
            listener,
            hearing: Hearing::of_a_tail(),
            plans: RwLock::default(),
            dialect,
            node: RandomState::new().hash_one("node").cast_signed(),
            next: AtomicI64::new(0),
            untold: Mutex::default(),
        }
    }

    /// What becomes of a statement; read once.
    pub(crate) fn plan(&self, sql: &Sql) -> Arc<Plan> {
        if let Some(plan) = self.plans.read().get(sql.postgres) {
            return Arc::clone(plan);
        }
        let plan = Arc::new(Plan::of(sql.postgres, self.watches));
        self.plans.write().insert(sql.postgres, Arc::clone(&plan));
        plan
    }

    /// Tells the listener what a row of the table says, if it is news here.
    pub(crate) fn receive(&self, node: i64, seq: i64, told: &str) {
        if node != self.node || self.untold.lock().contains(&seq) {
            self.tell(self.unpack(told).as_deref());
        }
    }

    /// Tells the listener that anything may have changed.
    pub(crate) fn forget(&self) {
        self.tell(None);
    }

    /// Whether this process left rows behind for others.
    pub(crate) fn has_told(&self) -> bool {
        self.next.load(Ordering::Relaxed) > 0
    }

    fn tell(&self, changes: Option<&[Change]>) {
        (self.listener)(changes.map_or(News::Unknown, News::Changed));
    }

    fn pack(&self, changes: &[Change]) -> String {
        let mut text = self.dialect.clone();
        for change in changes {
            let sign = if change.is_gone { '-' } else { '+' };
            let _ = write!(text, " {}{sign}", change.topic);
            let last = change.row.iter().rposition(Option::is_some);
            for value in &change.row[..last.map_or(0, |last| last + 1)] {
                let value = value.map(|value| value.to_string()).unwrap_or_default();
                let _ = write!(text, "{value},");
            }
        }
        text
    }

    /// None for what may be anything.
    fn unpack(&self, told: &str) -> Option<Vec<Change>> {
        let mut words = told.split(' ');
        let changes = (words.next() == Some(&self.dialect)).then_some(words)?;
        changes.map(unpack).collect()
    }
}

fn unpack(word: &str) -> Option<Change> {
    let sign = word.find(['+', '-'])?;
    let mut row = [None; TOLD];
    for (number, value) in word[sign + 1..].split_terminator(',').enumerate() {
        let place = row.get_mut(number)?;
        if !value.is_empty() {
            *place = Some(value.parse().ok()?);
        }
    }
    Some(Change {
        topic: word[..sign].parse().ok()?,
        is_gone: word[sign..].starts_with('-'),
        row,
    })
}

#[derive(Debug)]
pub(crate) struct Teller {
    /// None while nobody listens in this process.
    office: Option<Arc<Office>>,
    changes: Mutex<Vec<Change>>,
    is_unclear: AtomicBool,
}

impl Teller {
    pub(crate) const fn new(office: Option<Arc<Office>>) -> Self {
        Self {
            office,
            changes: Mutex::new(Vec::new()),
            is_unclear: AtomicBool::new(false),
        }
    }

    pub(crate) fn plan(&self, sql: &Sql) -> Option<Arc<Plan>> {
        self.office.as_ref().map(|office| office.plan(sql))
    }

    /// Remembers what a statement did.
    pub(crate) fn hear(&self, plan: Option<&Plan>, rows: &[tokio_postgres::Row]) {
        match plan {
            None | Some(Plan::Silent) => {}
            Some(Plan::Unclear) => self.is_unclear.store(true, Ordering::Relaxed),
            Some(Plan::Told(told)) => {
                for row in rows {
                    if let Err(error) = told.read(row, &mut self.changes.lock()) {
                        tracing::error!(%error, "what a statement changed is not known");
                        self.is_unclear.store(true, Ordering::Relaxed);
                    }
                }
            }
        }
    }

    /// Ends the transaction, and tells before anybody is answered. Others' row leaves with the commit.
    pub(crate) async fn commit(self, client: &Object) -> Result<(), tokio_postgres::Error> {
        let (changes, is_unclear) = (self.changes.into_inner(), self.is_unclear.into_inner());
        let is_silent = changes.is_empty() && !is_unclear;
        let Some(office) = self.office.filter(|_| !is_silent) else {
            return client.batch_execute("commit").await;
        };
        let insert = client.prepare_cached(INSERT).await?;
        let known = !is_unclear && changes.len() <= MOST;
        let known = known.then_some(&changes[..]);
        let told = known.map_or_else(|| ANYTHING.to_owned(), |changes| office.pack(changes));
        let seq = office.next.fetch_add(1, Ordering::Relaxed);
        office.untold.lock().insert(seq);
        let leave = async { client.execute(&insert, &[&office.node, &seq, &told]).await };
        // Sent one behind the other; a refused insert makes the commit a rollback.
        let (left, committed) = join(leave, client.batch_execute("commit")).await;
        let is_undone = match &committed {
            Ok(()) => left.is_err(),
            Err(error) => error.code().is_some_and(is_retryable),
        };
        let answer = left.and(committed);
        if is_undone || answer.is_ok() {
            if answer.is_ok() {
                office.tell(known);
            }
            // Only now: had somebody seen the row before, they would have told as well.
            office.untold.lock().remove(&seq);
        } else {
            // It may have been made, or be made later: then its row tells of it once more.
            office.forget();
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OTHER: &[Watch] = &[Watch {
        topic: 0,
        table: "t",
        told: &[],
        of: &[],
        only: "",
    }];

    fn office(watches: &'static [Watch]) -> Office {
        Office::new(watches, Box::new(|_| {}))
    }

    #[test]
    fn what_is_packed_is_unpacked_by_those_who_watch_the_same() {
        let change = |topic, is_gone, row| Change {
            topic,
            is_gone,
            row,
        };
        let changes = [
            change(0, false, [Some(i64::MIN), Some(i64::MAX), None, Some(-1)]),
            change(11, true, [None; 4]),
            change(255, false, [None, Some(0), None, None]),
        ];
        let packed = office(&[]).pack(&changes);
        assert_eq!(office(&[]).unpack(&packed).as_deref(), Some(&changes[..]));
        assert_eq!(
            office(OTHER).unpack(&packed),
            None,
            "another version of the program"
        );
        assert_eq!(office(&[]).unpack(ANYTHING), None);
        assert_eq!(office(&[]).unpack(&format!("{packed} 1+x,")), None);
    }
}
