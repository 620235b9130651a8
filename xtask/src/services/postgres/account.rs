//! The account the cluster runs as: PostgreSQL refuses to run as root.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::support::process;

/// Whom the server's programs run as.
pub(super) enum Account {
    /// The account we run as ourselves.
    Current,
    /// A less powerful one, since we are root.
    Other {
        /// Its name.
        name: &'static str,
        /// Its numeric user id.
        user: u32,
        /// Its numeric group id.
        group: u32,
    },
}

impl Account {
    /// Ours unless we are root; then `postgres` or `nobody`.
    pub(super) fn choose() -> Result<Self> {
        if !process::is_root() {
            return Ok(Self::Current);
        }
        for name in ["postgres", "nobody"] {
            if let (Some(user), Some(group)) = (numeric_id("-u", name), numeric_id("-g", name)) {
                return Ok(Self::Other { name, user, group });
            }
        }
        bail!(
            "PostgreSQL does not run as root, and this system has no account `postgres` or `nobody`"
        );
    }

    /// Makes the account the owner of a file or folder.
    pub(super) fn chown(&self, path: &Path) -> Result<()> {
        if let Self::Other { name, user, group } = self {
            std::os::unix::fs::chown(path, Some(*user), Some(*group))
                .with_context(|| format!("cannot give {} to {name}", path.display()))?;
        }
        Ok(())
    }

    /// A command that runs `program` as the account.
    pub(super) fn command(&self, program: &Path) -> Command {
        let Self::Other { name, user, group } = self else {
            return Command::new(program);
        };
        let mut command;
        if process::find_program("setpriv").is_some() {
            command = Command::new("setpriv");
            command.arg(format!("--reuid={user}"));
            command.arg(format!("--regid={group}"));
            command.arg("--clear-groups");
        } else {
            command = Command::new("runuser");
            command.args(["-u", name, "--"]);
        }
        command.arg(program);
        command
    }
}

fn numeric_id(which: &str, name: &str) -> Option<u32> {
    process::stdout_of(&mut process::command("id", &[which, name]))?
        .parse()
        .ok()
}
