//! Account of the cluster: PostgreSQL does not run as root.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::support::process;

/// Accounts to use instead of root.
const UNPRIVILEGED: [&str; 2] = ["postgres", "nobody"];

/// Account that runs the server's programs.
pub(super) enum Account {
    /// Account of this process.
    Current,
    /// Unprivileged account, used if this process is root.
    Other {
        /// Account name.
        name: &'static str,
        /// Numeric user id.
        user: u32,
        /// Numeric group id.
        group: u32,
    },
}

impl Account {
    /// Chooses the current account, or one of `UNPRIVILEGED` if this process is root.
    pub(super) fn choose() -> Result<Self> {
        if !process::is_root() {
            return Ok(Self::Current);
        }
        for name in UNPRIVILEGED {
            if let (Some(user), Some(group)) = (numeric_id("-u", name), numeric_id("-g", name)) {
                return Ok(Self::Other { name, user, group });
            }
        }
        bail!(
            "PostgreSQL does not run as root, and this system has none of the accounts {}",
            UNPRIVILEGED.join(", ")
        );
    }

    /// Changes the owner of a file or folder to the account.
    pub(super) fn chown(&self, path: &Path) -> Result<()> {
        if let Self::Other { name, user, group } = self {
            std::os::unix::fs::chown(path, Some(*user), Some(*group))
                .with_context(|| format!("cannot give {} to {name}", path.display()))?;
        }
        Ok(())
    }

    /// Builds a command that runs `program` as the account.
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
    process::stdout_of(&mut process::command("id", &[which, name]))?.parse().ok()
}
