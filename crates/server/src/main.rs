//! The process: an allocator, a runtime, the command line.

use clap::Parser;
use futures_util::future::LocalBoxFuture;
use kith::{cli::Cli, output, telemetry};
use std::process::ExitCode;

/// Cloning pages of posts is mostly allocation; this allocator does it in a fifth of the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // Whatever it makes holds what members wrote, or what lets somebody in: no other account of
    // the machine reads it, also in a folder that somebody else made.
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    let cli = Cli::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("The runtime could not start: {error}."));
    // In a box: each way in which a runtime waits would bring its own copy of every command.
    let command: LocalBoxFuture<'_, _> = Box::pin(cli.run());
    let result = telemetry::log()
        .and(runtime)
        .and_then(|runtime| runtime.block_on(command));
    let is_read = telemetry::flush();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            // Who does not read the log would let this wait without end.
            if is_read {
                output::aside(format_args!("kith: {sentence}"));
            }
            ExitCode::FAILURE
        }
    }
}
