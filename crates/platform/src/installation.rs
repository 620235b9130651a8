//! Secret key of the installation. The database has its fingerprint, so that no server starts with another key: links
//! and sessions that one server issues must work on all.

use crate::config::DatabaseArgs;
use crate::crypto::SecretKey;
use kith_db::{Db, Result, Sql, Tx, Write, params, sql};

/// Name of the fingerprint in the table.
const NAME: &str = "key";

const FIND: Sql = sql!("select value from network_facts where name = $1");
const INSERT: Sql =
    sql!("insert into network_facts (name, value) values ($1, $2) on conflict (name) do nothing");

/// Loads the key of a server, or creates it in a new network. An error is a sentence for the operator.
pub(crate) async fn load_server_key(
    store: &DatabaseArgs,
    db: &Db,
) -> std::result::Result<SecretKey, String> {
    let data = store.data.display();
    let database_error = |error| format!("The fingerprint of the key cannot be read: {error}.");
    let expected = find_fingerprint(db).await.map_err(database_error)?;
    if expected.is_some() && !store.key_file().is_file() {
        return Err(format!(
            "KITH_DATA: {data} has no secret.key, but the network has one: copy the file from another node or a \
             backup. If it is lost, follow \"A key leaked\" in docs/admin/incidents.md."
        ));
    }
    let key = SecretKey::load(&store.key_file());
    let key =
        key.map_err(|error| format!("KITH_DATA: the key in {data} cannot be read: {error}."))?;
    let fingerprint = key.fingerprint();
    let expected = match expected {
        Some(expected) => expected,
        None => db.write(SetFingerprint(fingerprint.clone())).await.map_err(database_error)?,
    };
    if expected != fingerprint {
        return Err(format!(
            "KITH_DATA: secret.key in {data} is not this network's: copy the file from another node or a backup. If \
             you replaced the key, follow \"A key leaked\" in docs/admin/incidents.md."
        ));
    }
    Ok(key)
}

/// Returns the fingerprint of the network's key; `None` before the first start.
pub async fn find_fingerprint(db: &Db) -> Result<Option<String>> {
    db.opt(&FIND, params![NAME], |row| row.text(0)).await
}

/// Stores the fingerprint unless there is one.
struct SetFingerprint(String);

impl Write for SetFingerprint {
    /// The stored fingerprint.
    type Out = String;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> Result<String> {
        tx.exec(&INSERT, params![NAME, &self.0]).await?;
        tx.one(&FIND, params![NAME], |row| row.text(0)).await
    }
}
