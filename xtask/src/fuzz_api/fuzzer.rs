//! Runs schemathesis with the settings and rules in `xtask/fuzz-api`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::server::TestServer;
use crate::services::python;
use crate::support::{paths, process};

/// An installed schemathesis.
pub(super) struct Fuzzer {
    python: PathBuf,
    settings: PathBuf,
}

impl Fuzzer {
    /// Installs the pinned packages if they are missing.
    pub(super) fn install() -> Result<Self> {
        let settings = paths::root().join("xtask/fuzz-api");
        let requirements = settings.join("requirements.txt");
        let python = python::environment("fuzz-api", &requirements)?.join("bin/python");
        Ok(Self { python, settings })
    }

    /// Creates content and writes the dictionaries; returns the founder's session.
    pub(super) fn seed(&self, server: &TestServer) -> Result<String> {
        let script = self.settings.join("seed.py");
        let mut seed = self.command(server);
        seed.env("KITH_DATA", server.folder.join("data"));
        if let Some(database) = &server.database {
            seed.env("KITH_DATABASE_URL", database);
        }
        process::run(
            seed.arg(script)
                .env("KITH_FUZZ_BINARY", &server.binary)
                .env("KITH_FUZZ_URL", &server.url)
                .env("KITH_FUZZ_CODE", &server.code)
                .env("KITH_FUZZ_ADDRESSES", server.sign_in_links.join(" ")),
        )?;
        // Schemathesis looks for dictionaries beside its settings.
        let settings = "schemathesis.toml";
        fs::copy(self.settings.join(settings), server.folder.join(settings))?;
        Ok(fs::read_to_string(server.folder.join("session"))?)
    }

    /// Runs all phases and returns the number of cases; fails on a finding.
    pub(super) fn pass(
        &self,
        server: &TestServer,
        session: &str,
        seed: u32,
        examples: u32,
        rest: &[String],
    ) -> Result<u64> {
        let report = server.folder.join("report.json");
        let description = format!("{}/api/openapi.json", server.url);
        let mut run = self.command(server);
        run.args(["-m", "schemathesis.cli", "--no-color"])
            .args(["run", &description])
            .args(["--seed", &seed.to_string()])
            .args(["--max-examples", &examples.to_string()])
            .args(["--report", "json", "--report-json-path"])
            .arg(&report)
            .args(rest)
            .env("SCHEMATHESIS_HOOKS", "hooks")
            .env("KITH_FUZZ_SESSION", session);
        process::run(&mut run)?;
        parse_generated_cases(&fs::read_to_string(report)?)
    }

    /// Builds a command in the server's folder, which is removed with the server.
    fn command(&self, server: &TestServer) -> Command {
        let mut command = process::command(&self.python, &[]);
        command
            .current_dir(&server.folder)
            .env("KITH_FUZZ_FOLDER", &server.folder)
            .env("PYTHONPATH", &self.settings)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("NO_PROXY", "127.0.0.1");
        command
    }
}

/// Reads the number of cases from the JSON report.
fn parse_generated_cases(report: &str) -> Result<u64> {
    let (_, rest) = report
        .split_once("\"generated\":")
        .context("the report of the fuzzer lacks the number of cases")?;
    let digits = rest.trim_start();
    let end = digits.find(|one: char| !one.is_ascii_digit());
    Ok(digits[..end.unwrap_or(digits.len())].parse()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_cases_is_read_from_the_report() {
        let report = "{\"test_cases\": {\"generated\": 1727, \"errored\": 0}}";
        assert_eq!(parse_generated_cases(report).expect("a number"), 1727);
        assert!(parse_generated_cases("{}").is_err());
    }
}
