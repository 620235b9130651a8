//! Steps of the test suite.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use anyhow::{Result, anyhow};

use crate::browser::{component_tests, e2e};
use crate::services::postgres::{self, Cluster};
use crate::services::s3_server::Bucket;
use crate::services::{caddy, chromium};
use crate::support::cargo::{self, Profile, TestProgram};
use crate::support::{prerequisites, process, web_app};
use crate::{bench, fuzz_api, generate, tidy, words};

/// A step of the test suite.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    /// Name for `--only`.
    pub(crate) name: &'static str,
    /// Description for the heading.
    pub(crate) about: &'static str,
    /// Whether `--no-e2e` skips the step.
    pub(crate) needs_browser: bool,
    /// Whether the step runs beside [`BUILD`], in a process of its own.
    pub(crate) is_beside_build: bool,
    /// Runs the step.
    pub(crate) run: fn(&mut SharedServers) -> Result<()>,
}

/// Servers shared by the steps; started on first use, so that each step also runs alone.
#[derive(Default)]
pub(crate) struct SharedServers {
    cluster: Option<Cluster>,
    bucket: Option<Bucket>,
}

impl SharedServers {
    fn postgres(&mut self) -> Result<&Cluster> {
        match &mut self.cluster {
            Some(cluster) => Ok(cluster),
            empty => Ok(empty.insert(Cluster::start()?)),
        }
    }

    fn s3(&mut self) -> Result<&Bucket> {
        match &mut self.bucket {
            Some(bucket) => Ok(bucket),
            empty => Ok(empty.insert(Bucket::start()?)),
        }
    }
}

/// Name of the step that compiles all Rust code.
pub(crate) const BUILD: &str = "build";

/// All steps in order: quick ones first, and installations before long builds.
pub(crate) const STEPS: &[Step] = &[
    step("fmt", "Rust is formatted", |_| cargo::format_check()),
    step("tidy", "the project's rules", |_| tidy::command(&[])),
    step("words", "no retired words", |_| words::command(&[])),
    step("web-install", "the web app's dependencies", |_| web_app::install()),
    step("links", "links in Markdown resolve", |_| web_app::script("links", &[])),
    step("web-types", "TypeScript", |_| web_app::script("typecheck", &[])),
    step("web-lint", "the web app's linter", |_| web_app::script("lint", &[])),
    step("web-texts", "texts are translated", |_| web_app::script("texts:check", &[])),
    step("web-format", "the web app is formatted", |_| web_app::script("format:check", &[])),
    beside_build(step("web-tests", "the web app's unit tests", |_| web_app::script("test", &[]))),
    step("web-build", "the web app, compressed", |_| web_app::build()),
    step("postgres", "a private PostgreSQL", |setup| setup.postgres().map(|_| ())),
    step("s3", "a private S3", |setup| setup.s3().map(|_| ())),
    browser_step("browser", "Chromium is installed", |_| chromium::find_or_install().map(|_| ())),
    beside_build(browser_step("web-components", "components in Chromium", |_| {
        component_tests::run_tests()
    })),
    step("fuzzer", "schemathesis is installed", |_| fuzz_api::install()),
    step(BUILD, "all Rust code, compiled by Clippy", |_| build_and_lint()),
    // proves: wire-openapi-drift
    step("openapi", "generated files are up to date", |_| generate::check_drift(&build_all()?)),
    step("rust-tests", "Rust tests on all engines", rust_tests),
    step("fuzz-api", "responses match the OpenAPI document", |_| fuzz_api::step(&build_all()?)),
    step("bench", "the performance harness works", |_| bench::step(&build_all()?)),
    browser_step("firefox", "the main job in Firefox", main_job_in_firefox),
    browser_step("e2e", "the real binary in Chromium", end_to_end),
];

const fn step(
    name: &'static str,
    about: &'static str,
    run: fn(&mut SharedServers) -> Result<()>,
) -> Step {
    Step { name, about, needs_browser: false, is_beside_build: false, run }
}

const fn browser_step(
    name: &'static str,
    about: &'static str,
    run: fn(&mut SharedServers) -> Result<()>,
) -> Step {
    Step { needs_browser: true, ..step(name, about, run) }
}

const fn beside_build(step: Step) -> Step {
    Step { is_beside_build: true, ..step }
}

/// Builds and lints all code; later steps use the result.
fn build_and_lint() -> Result<()> {
    cargo::lint_builds()?;
    build_all().map(drop)
}

/// Builds all targets together, so that cargo resolves features once and compiles each dependency once.
fn build_all() -> Result<PathBuf> {
    web_app::ensure_dist_folder()?;
    cargo::cargo(&["build", "--workspace", "--all-targets"])?;
    cargo::binary(Profile::Debug)
}

fn rust_tests(setup: &mut SharedServers) -> Result<()> {
    web_app::ensure_dist_folder()?;
    prerequisites::find_or_install_test_programs()?;
    let storage = setup.s3()?.environment().map(|(name, value)| (name, OsString::from(value)));
    let variables = [
        ("KITH_TEST_POSTGRES", setup.postgres()?.url().into()),
        ("KITH_PG_BIN", postgres::programs()?.into()),
        ("KITH_CADDY", caddy::find_or_install()?.into()),
    ];
    let cores = thread::available_parallelism().map_or(2, NonZeroUsize::get);
    let test = |program: &TestProgram, threads: usize| {
        let mut command = process::command(&program.file, &[]);
        command.current_dir(&program.folder).env("RUST_TEST_THREADS", threads.to_string());
        command.envs(storage.iter().chain(&variables).cloned());
        command
    };
    // The tests of the API need the processor; many of the others wait for a timeout or a clock.
    let programs = cargo::test_programs()?;
    let (api, others): (Vec<_>, Vec<_>) = programs.iter().partition(|one| one.name == "api");
    thread::scope(|scope| {
        let others = scope.spawn(|| -> Result<()> {
            for program in others {
                process::run_buffered(&mut test(program, cores))?;
            }
            Ok(())
        });
        for program in api {
            process::run(&mut test(program, 2 * cores))?;
        }
        others.join().map_err(|_| anyhow!("the thread of the other tests panicked"))?
    })?;
    cargo::cargo(&["test", "--workspace", "--doc"])
}

fn end_to_end(setup: &mut SharedServers) -> Result<()> {
    web_app::build()?;
    e2e::run_tests(&build_all()?, setup.s3()?)
}

fn main_job_in_firefox(_: &mut SharedServers) -> Result<()> {
    web_app::build()?;
    e2e::run_in_firefox(&build_all()?)
}
