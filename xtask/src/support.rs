//! Building blocks of the commands: processes, files and packages.

pub(crate) mod apt;
pub(crate) mod cargo;
pub(crate) mod child;
pub(crate) mod fingerprint;
pub(crate) mod http;
pub(crate) mod paths;
pub(crate) mod prerequisites;
pub(crate) mod process;
pub(crate) mod watch;
pub(crate) mod web_app;

/// Builds the arguments of a command from literals.
#[cfg(test)]
pub(crate) fn arguments(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}
