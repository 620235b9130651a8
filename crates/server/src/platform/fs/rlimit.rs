//! How many files the process may have open: each connection is one, and an image that it takes another.

/// Files that are open beside those of connections: databases, images on their way, the log.
const OTHERS: usize = 512;
/// As many as the unit of systemd allows.
const WANTED: u64 = 65_536;

/// Raises the system's bound of open files and returns how many connections fit, at most `wanted`: each may send an
/// image. At the bound of 1,024 that many systems start with, not even a database can be opened.
pub(crate) fn connections(wanted: usize) -> usize {
    let Some(files) = raised() else {
        return wanted;
    };
    let room = (files.saturating_sub(OTHERS) / 2).max(files / 4);
    if room < wanted {
        tracing::warn!(
            connections = room,
            files,
            "fewer connections than usual: this process may not open more files (ulimit -n)"
        );
    }
    room.min(wanted)
}

/// The bound once it is raised; none where there is none.
#[cfg(unix)]
fn raised() -> Option<usize> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let bound = getrlimit(Resource::Nofile);
    let now = bound.current?;
    let most = bound.maximum.unwrap_or(WANTED).min(WANTED);
    if now >= most {
        return usize::try_from(now).ok();
    }
    let raised = Rlimit {
        current: Some(most),
        ..bound
    };
    let files = setrlimit(Resource::Nofile, raised).map_or(now, |()| most);
    usize::try_from(files).ok()
}

#[cfg(not(unix))]
fn raised() -> Option<usize> {
    None
}
