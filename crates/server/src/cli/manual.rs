//! `kith man` and `kith completions`.

use crate::platform::output::print_line;
use clap::{Args, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// Existing folder to write a page for each command to, such as `kith-backup.1`. Default: print the page of `kith`.
    folder: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// Shell that reads the script.
    shell: Shell,
}

/// Writes the manual pages to a folder, or prints the page of `kith`.
pub(super) fn print_manual(args: &ManArgs) -> Result<(), String> {
    // `kith help` repeats what `--help` of each command prints.
    let mut command = super::Cli::command().disable_help_subcommand(true);
    command.build();
    match &args.folder {
        Some(folder) => write_pages(&command, folder),
        None => print_line!("{}", render_page(&command)?.1.trim_end()),
    }
}

/// Prints the completion script of a shell.
pub(super) fn print_completions(args: &CompletionsArgs) -> Result<(), String> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::Cli::command(), "kith", &mut script);
    print_line!("{}", String::from_utf8_lossy(&script).trim_end())
}

/// Writes the pages of a command and its subcommands.
fn write_pages(command: &clap::Command, folder: &Path) -> Result<(), String> {
    let (name, page) = render_page(command)?;
    let file = folder.join(name);
    fs::write(&file, page).and_then(|()| make_readable(&file)).map_err(|error| {
        format!("The manual page {} could not be written: {error}.", file.display())
    })?;
    command.get_subcommands().try_for_each(|subcommand| write_pages(subcommand, folder))
}

/// Lets all accounts read a page, despite the process's umask.
fn make_readable(file: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    fs::set_permissions(file, std::os::unix::fs::PermissionsExt::from_mode(0o644))?;
    Ok(())
}

/// File name and text of a command's page.
fn render_page(command: &clap::Command) -> Result<(String, String), String> {
    let source = concat!("kith ", env!("CARGO_PKG_VERSION"));
    let page = Man::new(command.clone()).source(source).manual("Kith");
    let mut text = Vec::new();
    page.render(&mut text).map_err(|error| format!("{error}."))?;
    Ok((page.get_filename(), String::from_utf8_lossy(&text).into_owned()))
}
