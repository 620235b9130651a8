//! Separate cores for a server and the load generator.

use crate::server::Server;
use anyhow::{Context as _, Result, ensure};
use std::process::{Command, Stdio};

/// Keeps a server on the first half of the cores and this process on the others until it is dropped, so that neither
/// waits for a core that the other one uses.
#[derive(Debug)]
pub struct SeparateCores {
    processes: [u32; 2],
    cores: usize,
}

impl SeparateCores {
    /// Fails on a machine with one core or without the program `taskset`.
    pub fn assign(server: &Server) -> Result<Self> {
        let cores = std::thread::available_parallelism()?.get();
        ensure!(cores > 1, "there is one core");
        let separate = Self { processes: [server.id(), std::process::id()], cores };
        let [server, load_generator] = separate.processes;
        move_to_cores(server, 0, cores / 2)?;
        move_to_cores(load_generator, cores / 2, cores)?;
        Ok(separate)
    }
}

impl Drop for SeparateCores {
    fn drop(&mut self) {
        for process in self.processes {
            move_to_cores(process, 0, self.cores).ok();
        }
    }
}

/// Moves all threads of a process to the cores from `first` to before `end`.
fn move_to_cores(process: u32, first: usize, end: usize) -> Result<()> {
    let mut command = Command::new("taskset");
    command.args(["-a", "-c", "-p", &format!("{first}-{}", end - 1), &process.to_string()]);
    let status = command.stdout(Stdio::null()).status().context("`taskset` did not start")?;
    ensure!(status.success(), "`taskset` failed");
    Ok(())
}
