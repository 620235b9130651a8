//! Settings of a new network from the server's flags and environment.

use crate::features::settings::{SettingField, store};
use crate::http::error::Result;
use crate::platform::clock::Millis;
use crate::platform::config::Settings;
use kith_db::Tx;

/// Name and contact of a network that is about to be created.
#[derive(Debug)]
pub struct InitialSettings(Vec<(SettingField, Option<String>)>);

impl InitialSettings {
    /// Checks `KITH_NAME` and `KITH_CONTACT`.
    pub fn check(settings: &Settings) -> Result<Self> {
        let name = SettingField::Name.check(&settings.network_name)?;
        let contact = SettingField::Contact.check(&settings.network_contact)?;
        Ok(Self(vec![(SettingField::Name, name), (SettingField::Contact, contact)]))
    }

    /// Saves the settings.
    pub async fn save(&self, tx: &mut Tx, now: Millis) -> kith_db::Result<()> {
        let stored = store::load(&tx.reader()).await?;
        store::apply(tx, &stored, &self.0, now).await.map(drop)
    }
}
