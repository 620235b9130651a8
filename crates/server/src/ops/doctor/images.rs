//! Checks the image worker process and its sandbox.

use crate::features::media;
use crate::ops::doctor::Check;
use crate::platform::config::Settings;

pub(super) async fn worker(settings: &Settings) -> Check {
    const NAME: &str = "images";
    let sandbox = match media::test_worker(&settings.image_worker).await {
        Ok(sandbox) => sandbox,
        Err(error) => {
            return Check::fail(
                NAME,
                format!("the process that decodes images does not work: {error}"),
                "Allow the server's account to start its own program and to lower its resource limits, and mount /proc.",
            );
        }
    };
    let missing = match (sandbox.landlock, sandbox.seccomp) {
        (true, true) => {
            let found = "decoded in a process with resource limits, Landlock and a seccomp filter";
            return Check::ok(NAME, found);
        }
        (false, true) => "Landlock",
        (true, false) => "a seccomp filter",
        (false, false) => "Landlock and a seccomp filter",
    };
    Check::warn(
        NAME,
        format!("decoded in a process with resource limits, without {missing}"),
        "Use a Linux kernel with both (5.13 or later, Landlock in /sys/kernel/security/lsm), and allow their system calls where a container or systemd filters them.",
    )
}
