//! `cargo xtask release`: the files of a release, in `dist/release`.

mod elf;
pub(crate) mod package;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};

use crate::support::cargo::{self, Profile};
use crate::support::{paths, process, web_app};
use crate::{dist, supply_chain};

/// Parsed arguments.
#[derive(Debug, Default, PartialEq, Eq)]
struct Args {
    /// Built program to package instead of building one.
    binary: Option<PathBuf>,
    /// Whether to build `dist/kith` alone, as the Dockerfile does.
    only_binary: bool,
}

/// Builds the program from a clean checkout, and writes a Debian package, an archive, SBOMs and checksums.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    let args = parse_args(arguments)?;
    if args.only_binary {
        let binary = build()?;
        println!("{}", binary.display());
        return Ok(());
    }
    let binary = if let Some(binary) = args.binary {
        binary
    } else {
        check_checkout()?;
        build()?
    };
    let folder = paths::root().join("dist/release");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let built = package::Built::read(&binary)?;
    println!("kith {} for {}", built.version, built.architecture);
    println!("needs {}", built.requirements());
    let package = built.write_package(&folder)?;
    built.write_archive(&folder)?;
    supply_chain::write_sboms(&folder)?;
    write_checksums(&folder)?;
    println!("{}", package.display());
    Ok(())
}

/// Builds the web app and `dist/kith`, without its symbols.
fn build() -> Result<PathBuf> {
    web_app::build()?;
    dist::copy_to_dist(&cargo::build(Profile::Release)?)
}

/// Checks that the build contains exactly what a commit contains.
fn check_checkout() -> Result<()> {
    let arguments = ["-c", "safe.directory=*", "status", "--porcelain"];
    let changed = process::output(&mut process::command("git", &arguments))
        .context("a release is built from a git checkout; --binary packages a built program")?;
    let changed = String::from_utf8_lossy(&changed);
    ensure!(changed.is_empty(), "commit or remove these files first:\n{}", changed.trim_end());
    Ok(())
}

/// Writes the SHA-256 sums of all files of the folder for `sha256sum --check`.
fn write_checksums(folder: &Path) -> Result<()> {
    let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name()));
    let mut names = names.collect::<Result<Vec<_>>>()?;
    names.sort();
    let mut command = process::command("sha256sum", &["--"]);
    let sums = process::output(command.args(names).current_dir(folder))?;
    fs::write(folder.join("SHA256SUMS"), sums)?;
    Ok(())
}

fn parse_args(arguments: &[String]) -> Result<Args> {
    let mut args = Args::default();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--only-binary" => args.only_binary = true,
            "--binary" => {
                let path = words.next().context("`--binary` takes the path of a built kith")?;
                args.binary = Some(fs::canonicalize(path).with_context(|| format!("no {path}"))?);
            }
            other => bail!("unknown flag `{other}`; known: --binary PATH and --only-binary"),
        }
    }
    ensure!(
        args.binary.is_none() || !args.only_binary,
        "--binary and --only-binary exclude each other"
    );
    Ok(args)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::arguments;

    /// The Dockerfile cannot be built without a registry, so this test compares its command with this program.
    #[test]
    fn the_dockerfile_builds_the_binary_of_a_release() {
        let file = fs::read_to_string(paths::root().join("deploy/Dockerfile")).expect("the file");
        let flags = file.split_once("cargo xtask release ").expect("the command").1;
        let flags: Vec<String> =
            flags.lines().next().unwrap_or_default().split(' ').map(str::to_owned).collect();
        assert!(parse_args(&flags).expect("known flags").only_binary);
        assert!(file.contains("COPY --from=build /build/dist/kith "), "{file}");
    }

    #[test]
    fn the_command_line_is_parsed() {
        let read = |words: &[&str]| parse_args(&arguments(words));
        assert_eq!(read(&[]).expect("no flag"), Args::default());
        assert!(read(&["--only-binary"]).expect("a flag").only_binary);
        let args = read(&["--binary", "/bin/sh"]).expect("a file");
        assert!(args.binary.is_some_and(|path| path.is_absolute()));
        let wrong = [
            &["--binary"][..],
            &["--binary", "/no/such/file"],
            &["--binary", "/bin/sh", "--only-binary"],
            &["--fast"],
        ];
        for words in wrong {
            assert!(read(words).is_err(), "{words:?}");
        }
    }
}
