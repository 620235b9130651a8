//! The append-only audit log.

use super::{act, decide, first_case, remove, report};
use crate::harness::{Browser, Server, on_both_engines};
use axum::http::Method;
use kith::features::moderation::{self, ChainStatus};
use kith::ops::doctor::{self, Verdict};
use kith_db::{Sql, Tx, sql};
use serde_json::json;

const UPDATE: Sql = sql!("update audit_log set note = 'nothing happened' where seq = 2");
const DELETE: Sql = sql!("delete from audit_log where seq = 2");
const DELETE_LAST: Sql = sql!("delete from audit_log where seq = (select max(seq) from audit_log)");
const MOVE_HEAD: Sql = sql!("update audit_head set seq = seq + 1");
const REPLACE: Sql = Sql {
    sqlite: "insert or replace into audit_log (part, seq, at, action, detail, note, hash) values (0, 2, 0, 1, '', '', '')",
    postgres: "insert into audit_log (part, seq, at, action, detail, note, hash) values (0, 2, 0, 1, '', '', '')
        on conflict (part, seq) do update set note = ''",
};
const DROPS: [Sql; 2] = [
    Sql {
        sqlite: "drop trigger audit_log_keeps_rows",
        postgres: "drop trigger audit_log_keeps_rows on audit_log",
    },
    Sql {
        sqlite: "drop trigger audit_log_loses_no_rows",
        postgres: "drop trigger audit_log_is_not_emptied on audit_log",
    },
];
const TRUNCATE: Sql = Sql { sqlite: "delete from audit_log", postgres: "truncate audit_log" };

/// Any statement, as run by an attacker with access to the database.
struct Tamper(&'static Sql);

impl kith_db::Write for Tamper {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(self.0, &[]).await.map(drop)
    }
}

async fn tamper(server: &Server, sql: &'static Sql) -> Result<(), kith_db::Error> {
    server.state.db.write(Tamper(sql)).await
}

async fn proof(server: &Server) -> ChainStatus {
    let reader = server.state.db.reader();
    moderation::verify_audit_log(&reader).await.unwrap()
}

/// Some moderation actions, by a moderator and by the operator.
async fn moderate(server: &Server) -> crate::harness::Browser {
    let (kim, ada) = (server.admin("kim").await, server.member("ada").await);
    let post = ada.write("bad").await;
    report(&kim, &post, "spam").await;
    remove(&kim, &post).await.expect(204);
    act(&kim, Method::PUT, &ada.id().await, "suspension").await.expect(204);
    kim
}

/// The id of the first row that was altered.
async fn broken(server: &Server) -> i64 {
    match proof(server).await {
        ChainStatus::Broken { row, .. } => row,
        ChainStatus::Intact { .. } => panic!("nothing was found"),
    }
}

on_both_engines! {
    /// Moderators can read names of members they suspended.
    /// proves: audit-row
    async fn suspended_members_are_named(server) {
        let kim = moderate(&server).await;
        let entries = kim.get("/api/admin/audit").await.expect(200);
        assert_eq!(entries[0]["action"], "suspend");
        assert_eq!(entries[0]["member"]["displayName"], "New member");
    }

    /// A row has actor, action, target, reason and time, newest first; the operator has no name.
    /// proves: audit-row, audit-cli, call-list-audit
    async fn an_action_is_one_row(server) {
        let kim = moderate(&server).await;
        let log = kim.get("/api/admin/audit").await.expect(200);
        let rows = log.as_array().unwrap();
        let actions = rows.iter().map(|row| row["action"].as_str().unwrap()).collect::<Vec<_>>();
        assert_eq!(actions, ["suspend", "remove_post", "create_invites", "change_role", "create_invites"]);
        assert_eq!((&rows[0]["actor"]["id"], &rows[0]["id"], &rows[0]["createdAt"]), (&json!(kim.id().await), &json!("5"), &json!("2026-11-21T09:30:00.000Z")));
        assert!(rows[1]["postId"].is_string() && rows[1]["member"] == rows[0]["member"]);
        assert_eq!(rows[1]["hasPost"], false, "it was removed");
        assert_eq!((&rows[2]["actor"], &rows[2]["detail"], &rows[3]["detail"]), (&json!(null), &json!("1"), &json!("admin")));
        let page = kim.get("/api/admin/audit?limit=2").await;
        assert_eq!(page.expect(200).as_array().unwrap()[..], rows[..2]);
        assert_eq!(kim.get(&page.next().unwrap()).await.expect(200).as_array().unwrap()[..], rows[2..4]);
        let ChainStatus::Intact { rows: count, hash } = proof(&server).await else { panic!("not whole") };
        assert_eq!((count, json!(hash)), (5, rows[0]["hash"].clone()));
    }

    /// proves: audit-append-only
    async fn rows_can_neither_be_changed_nor_deleted(server) {
        moderate(&server).await;
        let before = proof(&server).await;
        for sql in [&UPDATE, &DELETE, &DELETE_LAST, &REPLACE, &TRUNCATE] {
            let error = tamper(&server, sql).await.unwrap_err().to_string();
            assert!(error.contains("the audit log can only be added to"), "{error}");
        }
        assert_eq!(proof(&server).await, before);
    }

    /// Without the triggers the hash chain shows an alteration and the first affected row.
    /// proves: audit-chain
    async fn a_changed_row_is_found(server) {
        moderate(&server).await;
        for drop in &DROPS {
            tamper(&server, drop).await.unwrap();
        }
        tamper(&server, &UPDATE).await.unwrap();
        assert_eq!(broken(&server).await, 2);
        let checks = doctor::run_checks(&server.state.settings, &server.state.clock, None).await;
        let check = checks.iter().find(|check| check.name == "audit log").unwrap();
        assert_eq!(check.verdict, Verdict::Fail, "{check:?}");
        tamper(&server, &DELETE).await.unwrap();
        assert_eq!(broken(&server).await, 2);
    }

    /// The chain also shows a deleted last row, an emptied table, and a moved end.
    /// proves: audit-chain
    async fn a_shortened_log_is_found(server) {
        moderate(&server).await;
        for drop in &DROPS {
            tamper(&server, drop).await.unwrap();
        }
        tamper(&server, &DELETE_LAST).await.unwrap();
        assert_eq!(broken(&server).await, 5);
        tamper(&server, &TRUNCATE).await.unwrap();
        assert_eq!(broken(&server).await, 1);
    }

    /// proves: audit-chain
    async fn a_moved_end_is_found(server) {
        moderate(&server).await;
        assert!(matches!(proof(&server).await, ChainStatus::Intact { rows: 5, .. }));
        tamper(&server, &MOVE_HEAD).await.unwrap();
        assert_eq!(broken(&server).await, 6);
    }

    /// Admins cannot read in the log that reports about themselves were dismissed, nor why; others can.
    /// proves: queue-own
    async fn admins_do_not_see_reports_about_themselves(server) {
        let (kim, max) = (server.admin("kim").await, server.admin("max").await);
        let ada = server.member("ada").await;
        let post = kim.write("bad").await;
        report(&ada, &post, "hate").await;
        let case = first_case(&max).await;
        decide(&max, &case, "dismiss").await.expect(204);
        let row = async |reader: &Browser| reader.get("/api/admin/audit").await.expect(200)[0].clone();
        let (own, others) = (row(&kim).await, row(&max).await);
        assert_eq!((&others["postId"], &others["note"]), (&json!(post), &json!("why")));
        assert_eq!(others["member"]["id"], json!(kim.id().await));
        assert_eq!(others["hasPost"], true);
        let mut expected = others;
        for (field, value) in [("postId", json!(null)), ("hasPost", json!(false)), ("member", json!(null)), ("note", json!(""))] {
            expected[field] = value;
        }
        assert_eq!(own, expected);
    }
}
