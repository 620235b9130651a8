//! Limit of open files. Each connection uses one, and a second one while it uploads an image.

/// File descriptors reserved for databases, images in transfer and the log.
const RESERVED: usize = 512;
/// Target limit, equal to `LimitNOFILE` of the systemd unit.
const TARGET: u64 = 65_536;

/// Raises the limit of open files and returns the number of connections it allows, at most `wanted`. At the common
/// default of 1,024, connections could use up all file descriptors.
pub fn raise_for_connections(wanted: usize) -> usize {
    let Some(files) = raise_limit() else {
        return wanted;
    };
    let allowed = (files.saturating_sub(RESERVED) / 2).max(files / 4);
    if allowed < wanted {
        tracing::warn!(
            connections = allowed,
            files,
            "fewer connections: the limit of open files is too low (ulimit -n)"
        );
    }
    allowed.min(wanted)
}

/// Raises the soft limit to the target or the hard limit. Returns the limit; `None` if unlimited.
#[cfg(unix)]
fn raise_limit() -> Option<usize> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let current = limit.current?;
    let target = limit.maximum.unwrap_or(TARGET).min(TARGET);
    if current >= target {
        return usize::try_from(current).ok();
    }
    let raised = Rlimit { current: Some(target), ..limit };
    let files = setrlimit(Resource::Nofile, raised).map_or(current, |()| target);
    usize::try_from(files).ok()
}

#[cfg(not(unix))]
fn raise_limit() -> Option<usize> {
    None
}
