//! Child processes that never outlive this process.

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};

use anyhow::{Context as _, Result};

/// Waits until standard input closes, which happens on drop *or when this process is killed*. Then it
/// sends signal `$1` to process group `$2` and removes folder `$3`.
const REAPER: &str = r#"
trap '' INT TERM HUP
cat >/dev/null
kill -s "$1" -- "-$2" 2>/dev/null
tries=0
while kill -s 0 -- "-$2" 2>/dev/null; do
  tries=$((tries + 1))
  if [ "$tries" -gt 100 ]; then kill -s KILL -- "-$2" 2>/dev/null; break; fi
  sleep 0.1
done
if [ -n "$3" ]; then rm -rf -- "$3"; fi
"#;

/// A child process in its own process group. It ends on drop, and also after a panic, Ctrl+C or
/// `kill -9` of this process.
pub(crate) struct ChildGuard {
    child: Child,
    reaper: Child,
    reaper_stdin: Option<ChildStdin>,
}

impl ChildGuard {
    /// Starts `command`. On drop its process group gets `signal` (such as `"TERM"`) and after 10 s `KILL`;
    /// then `folder` is removed.
    pub(crate) fn start(
        command: &mut Command,
        signal: &str,
        folder: Option<&Path>,
    ) -> Result<Self> {
        let name = command.get_program().to_string_lossy().into_owned();
        let mut child =
            command.process_group(0).spawn().with_context(|| format!("cannot start `{name}`"))?;
        let reaper = Command::new("sh")
            .args(["-c", REAPER, "reaper", signal, &child.id().to_string()])
            .arg(folder.unwrap_or(Path::new("")))
            .process_group(0)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        match reaper {
            Ok(mut reaper) => Ok(Self { reaper_stdin: reaper.stdin.take(), child, reaper }),
            Err(error) => {
                child.kill().ok();
                child.wait().ok();
                Err(error).context("cannot start `sh`")
            }
        }
    }

    /// Process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Exit status, or `None` while the process runs.
    pub(crate) fn exit_status(&mut self) -> Result<Option<ExitStatus>> {
        Ok(self.child.try_wait()?)
    }

    /// The child process, for access to its pipes.
    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.child
    }
}

impl Drop for ChildGuard {
    fn drop(&mut self) {
        drop(self.reaper_stdin.take());
        self.child.wait().ok();
        self.reaper.wait().ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::process;

    fn runs(id: u32) -> bool {
        process::run(&mut process::command("sh", &["-c", &format!("kill -0 {id} 2>/dev/null")]))
            .is_ok()
    }

    #[test]
    fn dropping_stops_the_process_and_removes_the_folder() {
        let folder = std::env::temp_dir().join(format!("kith-child_guard-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("temp folder");
        let child_guard =
            ChildGuard::start(&mut process::command("sleep", &["60"]), "TERM", Some(&folder))
                .expect("sleep starts");
        let id = child_guard.id();
        assert!(runs(id));
        drop(child_guard);
        assert!(!runs(id));
        assert!(!folder.exists());
    }

    #[test]
    fn an_early_exit_is_noticed() {
        let mut child_guard = ChildGuard::start(&mut process::command("true", &[]), "TERM", None)
            .expect("true starts");
        for _ in 0..100 {
            if child_guard.exit_status().expect("status").is_some() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        panic!("`true` never ended");
    }
}
