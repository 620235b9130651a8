//! A primary and its synchronous standby.

use std::path::Path;
use std::process::ExitStatus;

use anyhow::{Context as _, Result, ensure};

use super::account::Account;
use super::{Cluster, REPLICATED_SETTINGS, programs};
use crate::support::process;

/// A primary that acknowledges a commit when its standby has it, too.
pub(crate) struct ReplicatedCluster {
    primary: Cluster,
    standby: Cluster,
}

impl ReplicatedCluster {
    /// Starts an empty primary and a standby, both without durability; installs PostgreSQL if missing.
    pub(crate) fn start() -> Result<Self> {
        let disk = Path::new(super::DISK);
        let primary = Cluster::start_in(disk, REPLICATED_SETTINGS, super::init_cluster)?;
        let standby = Cluster::start_in(disk, REPLICATED_SETTINGS, |programs, account, folder| {
            copy_primary(programs, account, folder, primary.port)
        })?;
        let pair = Self { primary, standby };
        // Now that there is a standby, commits wait for it.
        pair.execute("alter system set synchronous_standby_names = '*'")?;
        pair.execute("select pg_reload_conf()")?;
        Ok(pair)
    }

    /// URL of the primary's database `postgres`.
    pub(crate) fn primary_url(&self) -> &str {
        self.primary.url()
    }

    /// URL of both servers, of which a client uses the one that accepts writes.
    pub(crate) fn url(&self) -> String {
        let (primary, standby) = (self.primary.port, self.standby.port);
        format!("postgres://postgres@127.0.0.1:{primary},127.0.0.1:{standby}/postgres")
    }

    /// Name and status of a server that has exited.
    pub(crate) fn find_exited(&mut self) -> Result<Option<(&'static str, ExitStatus)>> {
        let primary = self.primary.exit_status()?.map(|status| ("the primary", status));
        let standby = self.standby.exit_status()?.map(|status| ("the standby", status));
        Ok(primary.or(standby))
    }

    fn execute(&self, sql: &str) -> Result<()> {
        let psql = programs::find_or_install()?.join("psql");
        let mut command = process::command(psql, &[self.primary_url(), "-Xq", "-c", sql]);
        let output = command.output().context("cannot start psql")?;
        let error = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{sql}: {}", error.trim());
        Ok(())
    }
}

/// Copies the primary's data folder and marks it as a standby's.
fn copy_primary(programs: &Path, account: &Account, folder: &Path, port: u16) -> Result<()> {
    let output = account
        .command(&programs.join("pg_basebackup"))
        .args(["-h", "127.0.0.1", "-p", &port.to_string(), "-U", "postgres"])
        .args(["-R", "-X", "stream", "--checkpoint=fast", "--no-sync", "-D"])
        .arg(folder.join("data"))
        .current_dir(folder)
        .output()
        .context("cannot start pg_basebackup")?;
    let error = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "pg_basebackup failed: {}", error.trim());
    Ok(())
}
