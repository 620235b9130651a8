//! `cargo xtask gen`: generates the OpenAPI document, the web client's types and references of the book from the code.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use crate::docs::openapi;
use crate::support::cargo::{self, Profile};
use crate::support::{paths, process, web_app};

/// Writes all generated files.
pub(crate) fn command(_arguments: &[String]) -> Result<()> {
    let text = openapi_json(&cargo::build(Profile::Debug)?)?;
    fs::write(openapi_path(), &text)
        .with_context(|| format!("cannot write {}", openapi_path().display()))?;
    for (page, text) in openapi::pages(&String::from_utf8(text)?)? {
        fs::write(paths::root().join(page), text)
            .with_context(|| format!("cannot write {page}"))?;
    }
    let references = ["test", "--quiet", "-p", "kith", "--test", "reference"];
    process::run(cargo::command(&references).env("KITH_WRITE_REFERENCES", "1"))?;
    web_app::script("gen", &[])
}

/// Fails if a committed file differs from the code; restores the files afterwards.
pub(crate) fn check_drift(binary: &Path) -> Result<()> {
    let generated = openapi_json(binary)?;
    let committed = fs::read(openapi_path())
        .with_context(|| format!("cannot read {}", openapi_path().display()))?;
    ensure!(
        generated == committed,
        "web/src/api/openapi.json differs from the server's code: run `cargo xtask gen`"
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

fn openapi_json(binary: &Path) -> Result<Vec<u8>> {
    process::output(&mut process::command(binary, &["openapi"]))
}

fn openapi_path() -> PathBuf {
    paths::root().join(openapi::DOCUMENT)
}
