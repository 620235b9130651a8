//! How many files the process may have open: each connection is one, and an image that it takes another.

/// Files that are open beside those of connections: databases, images on their way, the log.
const OTHERS: usize = 512;
/// As many as the unit of systemd allows.
const WANTED: u64 = 65_536;

/// How many connections there may be at once, at most `wanted`: with each there may be an image that is sent
/// over it. The system's own bound is raised as far as it lets us; many start a process with 1,024, and at the
/// bound nothing can be opened any more, not even a database.
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
