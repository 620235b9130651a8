//! The process: an allocator, a runtime, the command line.

use clap::Parser;
use futures_util::future::LocalBoxFuture;
use kith::cli::Cli;
use kith::platform::telemetry;
use kith_images::worker;
use std::process::ExitCode;

/// Cloning pages of posts is mostly allocation; this allocator does it in a fifth of the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // Other accounts of the machine must not read the files, which hold members' data and keys.
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    // Before anything is opened, and while there is one thread.
    if std::env::args_os()
        .nth(1)
        .is_some_and(|first| first == worker::ARGUMENT)
    {
        return worker::run(kith_images::process);
    }
    let cli = Cli::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("The runtime could not start: {error}."));
    // In a box: each way in which a runtime waits would bring its own copy of every command.
    let command: LocalBoxFuture<'_, _> = Box::pin(cli.run());
    let result = telemetry::init_logging()
        .and(runtime)
        .and_then(|runtime| runtime.block_on(command));
    if let Err(sentence) = &result {
        telemetry::eprint(&format!("kith: {sentence}\n"));
    }
    telemetry::flush();
    result.map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS)
}
