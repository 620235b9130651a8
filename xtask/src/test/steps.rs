//! Steps of the test suite.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;

use anyhow::{Result, anyhow};

use crate::browser::{component_tests, e2e};
use crate::services::postgres::{self, Cluster};
use crate::services::s3_server::Bucket;
use crate::services::{caddy, chromium};
use crate::support::cargo::{self, Profile};
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
    /// The step beside which this one runs, in a process of its own; `None` to run alone.
    pub(crate) beside: Option<&'static str>,
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

/// All steps in order: quick ones first, and installations before long builds.
pub(crate) const STEPS: &[Step] = &[
    step("fmt", "Rust is formatted", |_| cargo::format_check()),
    beside("web-install", step("tidy", "the project's rules", |_| tidy::command(&[]))),
    beside("web-install", step("words", "no retired words", |_| words::command(&[]))),
    step("web-install", "the web app's dependencies", |_| web_app::install()),
    step("links", "links in Markdown resolve", |_| web_app::script("links", &[])),
    step("web-types", "TypeScript", |_| web_app::script("typecheck", &[])),
    step("web-lint", "the web app's linter", |_| web_app::script("lint", &[])),
    step("web-texts", "texts are translated", |_| web_app::script("texts:check", &[])),
    step("web-format", "the web app is formatted", |_| web_app::script("format:check", &[])),
    step("web-build", "the web app, compressed", |_| web_app::build()),
    beside("build", step("postgres", "PostgreSQL starts", |setup| setup.postgres().map(drop))),
    beside("build", step("s3", "an S3 server starts", |setup| setup.s3().map(drop))),
    beside("build", step("fuzzer", "schemathesis is installed", |_| fuzz_api::install())),
    beside(
        "build",
        browser_step("browser", "Chromium is installed", |_| chromium::find_or_install().map(drop)),
    ),
    beside(
        "build",
        step("web-tests", "the web app's unit tests", |_| web_app::script("test", &[])),
    ),
    beside(
        "build",
        browser_step("web-components", "components in Chromium", |_| component_tests::run_tests()),
    ),
    step("build", "all Rust code, compiled by Clippy", |_| build_and_lint()),
    // proves: wire-openapi-drift
    step("openapi", "generated files are up to date", |_| generate::check_drift(&build_all()?)),
    step("rust-tests", "Rust tests on all engines", rust_tests),
    beside(
        "bench",
        step("fuzz-api", "responses match the OpenAPI document", |_| fuzz_api::step(&build_all()?)),
    ),
    step("bench", "the performance harness works", |_| bench::step(&build_all()?)),
    beside("bench", browser_step("firefox", "the main job in Firefox", main_job_in_firefox)),
    browser_step("e2e", "the real binary in Chromium", end_to_end),
];

const fn step(
    name: &'static str,
    about: &'static str,
    run: fn(&mut SharedServers) -> Result<()>,
) -> Step {
    Step { name, about, needs_browser: false, beside: None, run }
}

const fn browser_step(
    name: &'static str,
    about: &'static str,
    run: fn(&mut SharedServers) -> Result<()>,
) -> Step {
    Step { needs_browser: true, ..step(name, about, run) }
}

const fn beside(name: &'static str, step: Step) -> Step {
    Step { beside: Some(name), ..step }
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

/// Test programs that run at the same time, each with about as many tests as there are cores.
const PROGRAMS_AT_A_TIME: usize = 3;

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
    // The tests of the API take longest, so they start first; many others wait for a timeout or a clock.
    let mut programs = cargo::test_programs()?;
    programs.sort_by_key(|program| program.name != "api");
    let remaining = Mutex::new(programs.into_iter());
    let run_remaining = || -> Result<()> {
        loop {
            let next = remaining.lock().map_err(|_| anyhow!("another thread panicked"))?.next();
            let Some(program) = next else { return Ok(()) };
            let mut tests = process::command(&program.file, &[]);
            // When no other program is left, the tests of the API wait for databases for a fifth of the time.
            let threads = cores + usize::from(program.name == "api");
            tests.current_dir(&program.folder).env("RUST_TEST_THREADS", threads.to_string());
            tests.envs(storage.iter().chain(&variables).cloned());
            process::run_buffered(&mut tests)?;
        }
    };
    thread::scope(|scope| {
        let threads = [(); PROGRAMS_AT_A_TIME].map(|()| scope.spawn(run_remaining));
        threads.into_iter().try_for_each(|thread| {
            thread.join().map_err(|_| anyhow!("a thread panicked")).flatten()
        })
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
