//! Checks the hash chain of the audit log.

use crate::features::moderation::{self, ChainStatus};
use crate::ops::doctor::Check;
use crate::platform::config::Settings;
use crate::platform::migrations::MIGRATIONS;
use kith_db::{Db, Depth};

pub(super) async fn audit_log(settings: &Settings) -> Check {
    const NAME: &str = "audit log";
    let config = settings.store.database();
    if settings.store.is_new() {
        return Check::warn(NAME, "it does not exist yet", "The first start creates it.");
    }
    // Opening would migrate the schema, which a check must not do.
    match kith_db::health(&config, MIGRATIONS, Depth::Shallow).await {
        Ok(health) if health.missing == 0 => {}
        Ok(_) => {
            let advice = "The next start of this version creates it.";
            return Check::warn(NAME, "the database schema is older than the audit log", advice);
        }
        Err(_) => {
            return Check::warn(NAME, "not checked", "See the database above.");
        }
    }
    let verification = async {
        let db = Db::open_as_is(&config, MIGRATIONS).await?;
        let status = moderation::verify_audit_log(&db.reader()).await;
        db.close().await;
        status
    };
    match verification.await {
        Ok(ChainStatus::Intact { rows, .. }) => {
            Check::ok(NAME, format!("{rows} rows, each unchanged since it was written"))
        }
        Ok(ChainStatus::Broken { row, why }) => Check::fail(
            NAME,
            format!("row {row}: {why}"),
            "The database was changed outside of Kith. Keep a copy of it, compare it with a backup, and find out who changed it.",
        ),
        Err(error) => Check::fail(NAME, error.to_string(), "See the database above."),
    }
}
