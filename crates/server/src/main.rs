//! Entry point: allocator, async runtime and command line.

use futures_util::future::LocalBoxFuture;
use kith::cli;
use kith::platform::output::print_stderr;
use kith::platform::telemetry;
use kith_images::worker;
use std::process::ExitCode;

/// Cloning pages of posts is mostly allocation, for which mimalloc needs a fifth of the system allocator's time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // Files contain members' data and keys, which other users of the machine must not read.
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    // The image worker starts before any file is opened and while there is one thread.
    if std::env::args_os().nth(1).is_some_and(|first| first == worker::ARGUMENT) {
        return worker::run(kith_images::process);
    }
    let cli = match cli::parse(std::env::args_os().collect()) {
        Ok(cli) => cli,
        Err(error) => {
            print_stderr(format_args!("kith: {error}"));
            return ExitCode::FAILURE;
        }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("The runtime could not start: {error}."));
    // Boxed, because each runtime entry point would otherwise compile its own copy of every command.
    let log = cli.log_settings();
    let command: LocalBoxFuture<'_, _> = Box::pin(cli.execute());
    let result =
        telemetry::init_logging(&log).and(runtime).and_then(|runtime| runtime.block_on(command));
    if let Err(error) = &result {
        telemetry::eprint(&format!("kith: {error}\n"));
    }
    telemetry::flush();
    result.map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS)
}
