//! SQL constructs that statements may use have the same result on both engines.

use crate::support::{INSERT, Insert, Then, WriteError, count, on_both_engines};
use futures_util::future::{try_join, try_join3};
use kith_db::{Db, Param, Sql, SqlIn, Tx, params, sql, sql_in};
use std::sync::Arc;

/// A write of one statement.
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

/// Inserts three rows by joined statements.
struct InsertThree([i64; 3]);

impl kith_db::Write for InsertThree {
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
/// Used by one test only, so that no connection has prepared it.
const UNPREPARED_INSERT: Sql = sql!("insert into ledger (owner, id, amount) values ($2, $1, $3)");

/// Joins an insert and an update of the same row; returns the number of updated rows.
struct InsertAndAdd(i64);

impl kith_db::Write for InsertAndAdd {
    type Out = u64;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<u64> {
        let (made, added) = (params![self.0, "ada", 1], params![self.0]);
        let made = tx.exec(&UNPREPARED_INSERT, made);
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
    /// A statement that must be prepared is not overtaken by those behind it.
    async fn joined_statements_keep_their_order(scratch) {
        let db = &scratch.db;
        assert!(exec(db, ADD, params![1]).await.is_empty());
        assert_eq!(db.write(InsertAndAdd(1)).await.unwrap(), 1);
    }

    /// Joined statements are one transaction: a failing one rolls back the others, and the connection is reusable.
    async fn joined_statements_are_one_transaction(scratch) {
        let db = &scratch.db;
        db.write(InsertThree([1, 2, 3])).await.unwrap();
        assert_eq!(count(db).await, 3);
        for _ in 0..40 {
            // More attempts than the pool has connections.
            db.write(InsertThree([4, 1, 5])).await.unwrap_err();
        }
        assert_eq!(count(db).await, 3);
        for first in 2..22 {
            db.write(InsertThree([first * 3, first * 3 + 1, first * 3 + 2])).await.unwrap();
        }
        assert_eq!(count(db).await, 63);
    }

    /// An upsert adds to the existing row, and its guard keeps a closed one.
    async fn upsert_with_excluded_and_guard(scratch) {
        let db = &scratch.db;
        assert_eq!(exec(db, UPSERT, params![1, "ada", 5]).await, [5]);
        assert_eq!(exec(db, UPSERT, params![1, "ada", 2]).await, [7]);
        let close = sql!("update ledger set closed_at = $2 where id = $1 returning id");
        assert_eq!(exec(db, close, params![1, 99]).await, [1]);
        assert!(exec(db, UPSERT, params![1, "ada", 2]).await.is_empty());
    }

    /// Nulls, text and the extreme integers are read as they were written.
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

    /// CTEs, windows, filters, row values and update-from have equal results.
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

    /// A list of any length returns each of its rows once.
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

    /// Concurrent writes each get their own result, and only successful ones stay.
    async fn an_error_rolls_back_only_its_own_write(scratch) {
        let db = Arc::new(scratch.db);
        let writes = (1..=200).map(|id| {
            let db = Arc::clone(&db);
            let then = match id % 10 { 3 => Then::Fail, 7 => Then::Panic, _ => Then::Succeed };
            tokio::spawn(async move {
                let result = db.write(Insert { id, then }).await;
                match then {
                    Then::Fail => assert!(matches!(result, Err(WriteError::ByTest))),
                    Then::Panic => assert!(matches!(result, Err(WriteError::Database(_)))),
                    _ => assert_eq!(result.unwrap(), id),
                }
            })
        });
        for write in writes.collect::<Vec<_>>() {
            write.await.unwrap();
        }
        assert_eq!(count(&db).await, 160);
        let twice = db.write(Insert { id: 1, then: Then::Succeed }).await;
        assert!(matches!(twice, Err(WriteError::Database(_))), "a key is unique");
        assert_eq!(db.write(Insert { id: 1_000, then: Then::Succeed }).await.unwrap(), 1_000);
    }
}
