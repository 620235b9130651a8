//! Finds or installs the programs of PostgreSQL.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};

use crate::support::{apt, process};

/// Folder with one subfolder per version on Debian and its derivatives.
const DEBIAN: &str = "/usr/lib/postgresql";

/// Folder of `initdb` and `postgres`: `KITH_PG_BIN`, an installed one, or a newly installed one.
pub(super) fn find_or_install() -> Result<PathBuf> {
    if let Some(chosen) = std::env::var_os("KITH_PG_BIN").filter(|path| !path.is_empty()) {
        let chosen = PathBuf::from(chosen);
        let is_complete = has_programs(&chosen);
        ensure!(is_complete, "KITH_PG_BIN names {}, which has no initdb", chosen.display());
        return Ok(chosen);
    }
    if let Some(found) = find() {
        return Ok(found);
    }
    if apt::is_available() {
        install()?;
        if let Some(found) = find() {
            return Ok(found);
        }
    }
    bail!(
        "PostgreSQL's server is missing: install it (`postgresql` on Debian), or set KITH_PG_BIN to \
         the folder of initdb"
    );
}

fn find() -> Option<PathBuf> {
    let from_pg_config = process::stdout_of(&mut process::command("pg_config", &["--bindir"]));
    let in_path =
        process::find_program("initdb").and_then(|file| file.parent().map(Path::to_path_buf));
    from_pg_config
        .map(PathBuf::from)
        .into_iter()
        .chain(newest_version(Path::new(DEBIAN)))
        .chain(in_path)
        .find(|folder| has_programs(folder))
}

/// `bin` folder of the highest version below `folder`.
fn newest_version(folder: &Path) -> Option<PathBuf> {
    let versions = fs::read_dir(folder).ok()?.filter_map(|entry| {
        let name = entry.ok()?.file_name().into_string().ok()?;
        name.parse::<u32>().ok()
    });
    versions.max().map(|version| folder.join(version.to_string()).join("bin"))
}

fn has_programs(folder: &Path) -> bool {
    folder.join("initdb").is_file() && folder.join("postgres").is_file()
}

fn install() -> Result<()> {
    apt::update()?;
    // Install the common package first and configure it not to create a cluster on port 5432.
    apt::install(&["postgresql-common"])?;
    let settings = Path::new("/etc/postgresql-common/createcluster.conf");
    if let Some(text) = process::read_optional(settings)? {
        fs::write(settings, format!("{text}\ncreate_main_cluster = false\n"))?;
    }
    apt::install(&["postgresql"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        let folder = std::env::temp_dir().join(format!("kith-pgs-{}", std::process::id()));
        for version in ["9", "15", "common"] {
            fs::create_dir_all(folder.join(version)).expect("temp folder");
        }
        assert_eq!(newest_version(&folder), Some(folder.join("15/bin")));
        assert!(newest_version(&folder.join("15")).is_none());
        fs::remove_dir_all(&folder).expect("clean up");
    }
}
