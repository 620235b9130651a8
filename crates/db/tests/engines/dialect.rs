//! Canaries: the constructs that statements may use, with one result on both engines.

use crate::support::{INSERT, Insert, Refused, Then, count, on_both_engines};
use futures_util::future::{try_join, try_join3};
use kith_db::{Db, Param, Sql, SqlIn, Tx, params, sql, sql_in};
use std::sync::Arc;

/// One statement as a write.
struct Exec(Sql, Vec<Param<'static>>);

impl kith_db::Write for Exec {
    type Out = Vec<i64>;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<Vec<i64>> {
        tx.all(&self.0, &self.1, |row| row.int(0)).await
    }
}

async fn exec(db: &Db, sql: Sql, params: &[Param<'static>]) -> Vec<i64> {
    db.write(Exec(sql, params.to_vec())).await.unwrap()
}

/// Three rows whose statements are sent at once.
struct AtOnce([i64; 3]);

impl kith_db::Write for AtOnce {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let tx = &*tx;
        let insert = |id: i64| async move { tx.exec(&INSERT, params![id, "ada", 1]).await };
        let [first, second, third] = self.0.map(insert);
        try_join3(first, second, third).await.map(drop)
    }
}

const ADD: Sql = sql!("update ledger set amount = amount + 1 where id = $1");
/// Asked by one test only, so that nobody has prepared it before.
const NEVER_ASKED: Sql = sql!("insert into ledger (owner, id, amount) values ($2, $1, $3)");

/// Adds to a row that the statement before makes; answers how many rows that were.
struct MakeAndAdd(i64);

impl kith_db::Write for MakeAndAdd {
    type Out = u64;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<u64> {
        let (made, added) = (params![self.0, "ada", 1], params![self.0]);
        let made = tx.exec(&NEVER_ASKED, made);
        let (_, added) = try_join(made, tx.exec(&ADD, added)).await?;
        Ok(added)
    }
}

const UPSERT: Sql = sql!(
    "insert into ledger (id, owner, amount) values ($1, $2, $3)
     on conflict (id) do update set amount = ledger.amount + excluded.amount
     where ledger.closed_at is null returning amount"
);

on_both_engines! {
    /// A statement that has to be prepared first is not overtaken by those behind it.
    async fn statements_at_once_keep_their_order(scratch) {
        let db = &scratch.db;
        assert!(exec(db, ADD, params![1]).await.is_empty());
        assert_eq!(db.write(MakeAndAdd(1)).await.unwrap(), 1);
    }

    /// Statements that travel together are one change: one that fails undoes those before and behind
    /// it, and what comes after on the same connection begins anew.
    async fn statements_at_once_are_one_change(scratch) {
        let db = &scratch.db;
        db.write(AtOnce([1, 2, 3])).await.unwrap();
        assert_eq!(count(db).await, 3);
        for _ in 0..40 {
            // More often than there are connections.
            db.write(AtOnce([4, 1, 5])).await.unwrap_err();
        }
        assert_eq!(count(db).await, 3);
        for first in 2..22 {
            db.write(AtOnce([first * 3, first * 3 + 1, first * 3 + 2])).await.unwrap();
        }
        assert_eq!(count(db).await, 63);
    }

    /// An upsert adds to what is there, and its guard keeps what is closed.
    async fn upsert_with_excluded_and_guard(scratch) {
        let db = &scratch.db;
        assert_eq!(exec(db, UPSERT, params![1, "ada", 5]).await, [5]);
        assert_eq!(exec(db, UPSERT, params![1, "ada", 2]).await, [7]);
        let close = sql!("update ledger set closed_at = $2 where id = $1 returning id");
        assert_eq!(exec(db, close, params![1, 99]).await, [1]);
        assert!(exec(db, UPSERT, params![1, "ada", 2]).await.is_empty());
    }

    /// Nulls, text and both ends of the integers come back as they went in.
    async fn values_round_trip(scratch) {
        let text = "🕯️ naïve\nline '\" \\ %_";
        let insert = sql!("insert into ledger (id, owner, amount, closed_at) values ($1, $2, $3, $4) returning id");
        exec(&scratch.db, insert, params![i64::MAX, text, i64::MIN, None::<i64>]).await;
        let read = sql!("select id, owner, amount, closed_at from ledger where owner = $1");
        let bound = [Param::from(text)];
        let row = scratch.db.one(&read, &bound, |row| {
            Ok((row.int(0)?, row.text(1)?, row.int(2)?, row.opt_int(3)?))
        });
        assert_eq!(row.await.unwrap(), (i64::MAX, text.to_owned(), i64::MIN, None));
        let wrong = scratch.db.one(&read, params![text], |row| row.int(3)).await;
        assert!(wrong.is_err(), "null is not a number");
    }

    /// CTEs, windows, filters, row values and update-from read alike.
    async fn common_constructs(scratch) {
        let db = &scratch.db;
        for (id, owner, amount) in [(1, "ada", 10), (2, "bob", 20), (3, "ada", 30)] {
            exec(db, UPSERT, params![id, owner, amount]).await;
        }
        let int = |sql: Sql| async move { db.all(&sql, &[], |row| row.int(0)).await.unwrap() };
        assert_eq!(int(sql!("with big as (select id from ledger where amount > 15) select id from big order by id")).await, [2, 3]);
        assert_eq!(int(sql!("select row_number() over (partition by owner order by id desc) from ledger order by id")).await, [2, 1, 1]);
        assert_eq!(int(sql!("select count(*) filter (where owner = 'ada') from ledger")).await, [2]);
        assert_eq!(int(sql!("select id from ledger where (amount, id) < (30, 3) order by amount desc, id desc limit 1")).await, [2]);
        let from = sql!(
            "update ledger set amount = totals.total
             from (select owner, cast(sum(amount) as bigint) as total from ledger group by owner) as totals
             where totals.owner = ledger.owner and ledger.id = $1 returning amount"
        );
        assert_eq!(exec(db, from, params![1]).await, [40]);
    }

    /// A list of any length finds its rows, once each.
    async fn lists_of_every_length(scratch) {
        static LIST: SqlIn = sql_in!("select id from ledger where owner = $1 and id in ($ids)");
        for id in 1..=120 {
            exec(&scratch.db, UPSERT, params![id, "ada", 1]).await;
        }
        for length in [0_i64, 1, 3, 4, 5, 20, 21, 50, 51, 120] {
            let ids = (1..=length).collect::<Vec<_>>();
            let mut found = scratch.db.all_in(&LIST, params!["ada"], &ids, |row| row.int(0)).await.unwrap();
            found.sort_unstable();
            assert_eq!(found, ids);
        }
    }

    /// Of many writes at once each gets its own answer, and only the good ones stay.
    async fn a_refusal_undoes_only_itself(scratch) {
        let db = Arc::new(scratch.db);
        let writes = (1..=200).map(|id| {
            let db = Arc::clone(&db);
            let then = match id % 10 { 3 => Then::Refuse, 7 => Then::Panic, _ => Then::Succeed };
            tokio::spawn(async move {
                let answer = db.write(Insert { id, then }).await;
                match then {
                    Then::Refuse => assert!(matches!(answer, Err(Refused::ByTest))),
                    Then::Panic => assert!(matches!(answer, Err(Refused::Database(_)))),
                    _ => assert_eq!(answer.unwrap(), id),
                }
            })
        });
        for write in writes.collect::<Vec<_>>() {
            write.await.unwrap();
        }
        assert_eq!(count(&db).await, 160);
        let twice = db.write(Insert { id: 1, then: Then::Succeed }).await;
        assert!(matches!(twice, Err(Refused::Database(_))), "a key is unique");
        assert_eq!(db.write(Insert { id: 1_000, then: Then::Succeed }).await.unwrap(), 1_000);
    }
}
