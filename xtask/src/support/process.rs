//! Runs other programs; errors contain the command line.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use super::paths::root;

/// Builds a command of `kith`, such as `serve`, with its data in `folder`. Drops the caller's `KITH_*`
/// variables.
pub(crate) fn kith(binary: &Path, name: &str, folder: &Path, database: Option<&str>) -> Command {
    let mut command = command(binary, &[name]);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("KITH_") {
            command.env_remove(name);
        }
    }
    command.env("KITH_DATA", folder.join("data"));
    if let Some(database) = database {
        command.env("KITH_DATABASE_URL", database);
    }
    command
}

/// Builds a command that runs in the repository's root without standard input.
pub(crate) fn command(program: impl AsRef<Path>, arguments: &[&str]) -> Command {
    let mut command = Command::new(program.as_ref());
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    // Build scripts that watch the variables of this package would otherwise run again.
    for (name, _) in std::env::vars_os() {
        let describes_xtask = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_CRATE_", "CARGO_BIN_"];
        if name
            .to_str()
            .is_some_and(|name| describes_xtask.iter().any(|start| name.starts_with(start)))
        {
            command.env_remove(name);
        }
    }
    // A build that is used once is neither changed nor debugged.
    if std::env::var_os("CI").is_some() {
        command.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "0");
    }
    command
}

/// Runs a command and shows its output; fails unless it succeeds.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| start_error(command))?;
    if !status.success() {
        bail!("`{}` failed ({status})", command_line(command));
    }
    Ok(())
}

/// Runs a command and shows its output once it has ended, for commands that run at the same time; fails unless it
/// succeeds.
pub(crate) fn run_buffered(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| start_error(command))?;
    let text =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    println!("{}", text.concat());
    if !output.status.success() {
        bail!("`{}` failed ({})", command_line(command), output.status);
    }
    Ok(())
}

/// Runs a command and returns its standard output; standard error is shown.
pub(crate) fn output(command: &mut Command) -> Result<Vec<u8>> {
    let output = command.stderr(Stdio::inherit()).output().with_context(|| start_error(command))?;
    if !output.status.success() {
        bail!("`{}` failed ({})", command_line(command), output.status);
    }
    Ok(output.stdout)
}

/// Trimmed standard output of a command, or `None` if it fails.
pub(crate) fn stdout_of(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// Path of a program in `PATH`.
pub(crate) fn find_program(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// Whether this process runs as root.
pub(crate) fn is_root() -> bool {
    stdout_of(&mut command("id", &["-u"])).as_deref() == Some("0")
}

/// Reads a file; `None` if it does not exist.
pub(crate) fn read_optional(file: &Path) -> Result<Option<String>> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
    }
}

/// Formats a command as a shell command line.
fn command_line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

fn start_error(command: &Command) -> String {
    format!("cannot start `{}`", command_line(command))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_command_is_named_in_the_error() {
        let error = run(&mut command("sh", &["-c", "exit 3"])).expect_err("it exits with 3");
        assert!(error.to_string().starts_with("`sh -c exit 3` failed"), "{error}");
    }

    #[test]
    fn a_missing_program_is_an_error() {
        assert!(run(&mut command("kith-no-such-program", &[])).is_err());
        assert!(stdout_of(&mut command("kith-no-such-program", &[])).is_none());
        assert!(find_program("kith-no-such-program").is_none());
    }

    #[test]
    fn output_is_captured() {
        let printed = output(&mut command("echo", &["hello"])).expect("echo works");
        assert_eq!(printed, b"hello\n");
    }
}
