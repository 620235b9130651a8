//! Checks the image worker process, its sandbox, and the files of images.

use crate::features::media;
use crate::ops::doctor::Check;
use crate::ops::doctor::data_dir::open_unchanged;
use crate::platform::config::Settings;
use kith_storage::Storage;

/// Checks that the data folder has all files of the images that posts and profiles show. Files in S3 are not checked:
/// each would take a request.
pub(super) async fn files(settings: &Settings) -> Check {
    const NAME: &str = "image files";
    const ADVICE: &str =
        "Restore the files from a backup. If images are stored in S3, set KITH_STORAGE_URL.";
    if !settings.storage_url.is_empty() {
        return Check::ok(NAME, "not checked, they are stored in S3");
    }
    let Some(db) = open_unchanged(settings).await else {
        return Check::warn(NAME, "not checked", "See the database above.");
    };
    let report = match Storage::open("", &settings.store.data.join("media")).await {
        Ok(storage) => media::verify_files(&db, &storage, |_| ()).await,
        Err(error) => Err(error),
    };
    db.close().await;
    match report {
        Ok(report) => match report.missing.first() {
            None => Check::ok(NAME, format!("those of {} images exist", report.images)),
            Some(first) => {
                let found = format!("{} are missing, the first is {first}", report.missing.len());
                Check::fail(NAME, found, ADVICE)
            }
        },
        Err(error) => Check::fail(NAME, error.trim_end_matches('.'), ADVICE),
    }
}

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
