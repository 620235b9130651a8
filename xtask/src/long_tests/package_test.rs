//! `cargo xtask package-test`: the Debian package, the container image and the book's commands on a Debian system of their own.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};

use crate::release::package::Built;
use crate::support::cargo::{self, Profile};
use crate::support::{apt, paths, process, web_app};

const RELEASE: &str = "bookworm";
/// Dependencies and suggestions of the package that a minimal system lacks.
const PACKAGES: &str = "ca-certificates,systemd,age";

/// Installs two packages of one program, an older and a newer one, and runs the commands of the book and the Dockerfile.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    ensure!(process::is_root(), "the test mounts a Debian system: run it as root");
    let binary = match arguments {
        [] => {
            web_app::ensure_dist_folder()?;
            cargo::build(Profile::Debug)?
        }
        [flag, path] if flag == "--binary" => {
            fs::canonicalize(path).with_context(|| format!("no {path}"))?
        }
        _ => bail!("known: --binary PATH"),
    };
    let base = base_system()?;
    let folder = paths::target().join("package-test");
    fs::create_dir_all(&folder)?;
    // Symbols of a debug build would take most of the time.
    let stripped = folder.join("kith");
    process::run(process::command("strip", &["-o"]).arg(&stripped).arg(&binary))?;
    let mut built = Built::read(&stripped)?;
    let new = built.write_package(&folder)?;
    "0.0.1".clone_into(&mut built.version);
    let old = built.write_package(&folder)?;
    run_script("package.sh", &[&base, &old, &new])?;
    run_script("book.sh", &[&base, &new])?;
    run_script("image.sh", &[&base, &stripped])
}

/// Runs a script whose mounts end with it.
fn run_script(name: &str, arguments: &[&Path]) -> Result<()> {
    let script = format!("xtask/package-test/{name}");
    println!("{script}");
    let unshare = ["--mount", "--propagation", "private", "--", "sh", &script];
    process::run(process::command("unshare", &unshare).args(arguments))
}

/// Folder of a minimal Debian, made once.
fn base_system() -> Result<PathBuf> {
    let folder = paths::target().join(format!("debian-{RELEASE}"));
    if folder.join("bin/sh").exists() {
        return Ok(folder);
    }
    if process::find_program("debootstrap").is_none() {
        ensure!(apt::is_available(), "debootstrap is missing: install it");
        apt::update()?;
        apt::install(&["debootstrap"])?;
    }
    let unfinished = folder.with_extension("part");
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished)?;
    }
    println!("making a minimal Debian in {}", folder.display());
    let include = format!("--include={PACKAGES}");
    let mut command = process::command("debootstrap", &["--variant=minbase", &include, RELEASE]);
    // Without a URL, debootstrap takes the mirror that it is configured for.
    process::run(command.arg(&unfinished).stdout(std::process::Stdio::null()))?;
    fs::rename(&unfinished, &folder)?;
    Ok(folder)
}
