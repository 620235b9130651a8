//! `cargo xtask gen`: the OpenAPI text and the web client's types, both from the server's code.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use crate::support::cargo::{self, Profile};
use crate::support::{paths, process, web_app};

/// Writes both files anew.
pub(crate) fn command(_arguments: &[String]) -> Result<()> {
    let text = describe(&cargo::build(Profile::Debug)?)?;
    fs::write(description(), text)
        .with_context(|| format!("{} can't be written", description().display()))?;
    web_app::script("gen", &[])
}

/// Fails when a committed file is not what the code says. Leaves the files as they were.
pub(crate) fn check_drift(binary: &Path) -> Result<()> {
    let said = describe(binary)?;
    let committed = fs::read(description())
        .with_context(|| format!("{} can't be read", description().display()))?;
    ensure!(
        said == committed,
        "web/src/api/openapi.json is not what the server says: run `cargo xtask gen`"
    );
    let types = paths::web().join("src/api/schema.gen.ts");
    let before = process::read_optional(&types)?;
    web_app::script("gen", &[])?;
    let after = process::read_optional(&types)?;
    if let Some(before) = &before {
        fs::write(&types, before)?;
    }
    ensure!(
        before == after && before.is_some(),
        "web/src/api/schema.gen.ts does not match openapi.json: run `cargo xtask gen`"
    );
    Ok(())
}

fn describe(binary: &Path) -> Result<Vec<u8>> {
    process::output(&mut process::command(binary, &["openapi"]))
}

fn description() -> PathBuf {
    paths::web().join("src/api/openapi.json")
}
