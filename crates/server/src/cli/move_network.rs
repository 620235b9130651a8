//! `kith move`.

use crate::cli::{DataArgs, no_network_error, remove_temporary_files_on_signal};
use crate::ops::backup::ProgressReporter;
use crate::ops::move_network::{self, MoveReport, MoveTarget};
use crate::platform::output::print_line;
use clap::Args;

/// Arguments of `kith move`.
#[derive(Debug, Args)]
pub(super) struct MoveArgs {
    /// Target: the URL of an empty PostgreSQL database, postgres://, or `sqlite` for the data folder.
    #[arg(long, env = "KITH_MOVE_TO", hide_env_values = true)]
    to: MoveTarget,
    #[command(flatten)]
    data: DataArgs,
}

/// Moves the network to the other engine.
pub(super) async fn move_network(args: MoveArgs) -> Result<(), String> {
    remove_temporary_files_on_signal();
    if args.data.store.is_new() {
        return Err(no_network_error(&args.data.store));
    }
    let (store, storage_url) = (&args.data.store, &args.data.storage_url);
    let mut progress = ProgressReporter::start(true);
    let moved = move_network::move_network(store, storage_url, &args.to, &mut progress);
    let report = moved.await?;
    drop(progress);
    print_report(&report, &args.to)?;
    if report.media.missing.is_empty() && report.wrong_counts.is_empty() {
        return Ok(());
    }
    Err("Everything was moved, but the network was incomplete or inconsistent before.".to_owned())
}

fn print_report(report: &MoveReport, target: &MoveTarget) -> Result<(), String> {
    print_line!("rows: {}, all compared", report.rows)?;
    print_line!(
        "images in use: {}, missing files: {}",
        report.media.images,
        report.media.missing.len()
    )?;
    for file in &report.media.missing {
        print_line!("missing: {}", kith_text::clean_line(file))?;
    }
    if report.wrong_counts.is_empty() {
        print_line!("counts: correct")?;
    }
    for wrong in &report.wrong_counts {
        print_line!("wrong count: {} in {} rows", wrong.what, wrong.places)?;
    }
    if let Some(kept) = &report.kept {
        print_line!("kept: {}", kept.display())?;
    }
    match target {
        MoveTarget::Postgres(_) => {
            print_line!("Start the server with KITH_DATABASE_URL set to the target.")
        }
        MoveTarget::Sqlite => print_line!("Start the server without KITH_DATABASE_URL."),
    }
}
