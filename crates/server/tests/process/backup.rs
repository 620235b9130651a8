//! Backing up a running server, and restoring from the archive.

use crate::program::{Program, kith};
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs a command; returns its standard output, or all output as the error.
fn execute(command: &mut Command) -> Result<String, String> {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let (out, complaint) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr));
    let complaint = complaint.unwrap();
    assert!(!complaint.contains("panicked"), "{complaint}");
    if status.success() { Ok(out) } else { Err(format!("{out}{complaint}")) }
}

pub(crate) fn backup(data: &Path, file: &Path) -> Result<String, String> {
    execute(kith().arg("backup").arg(file).arg("--data").arg(data))
}

pub(crate) fn restore(file: &Path, data: &Path) -> Result<String, String> {
    execute(kith().arg("restore").arg(file).arg("--data").arg(data))
}

pub(crate) fn file_names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let file_names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    file_names.collect()
}

fn post(program: &Program, cookie: &str, body: &str) -> serde_json::Value {
    let posted = program.request("POST", "/api/posts", cookie, body);
    assert_eq!(posted.status, 201, "{}", posted.body);
    serde_json::from_str(&posted.body).unwrap()
}

/// Posts an image; returns the post.
fn post_image(program: &Program, cookie: &str) -> serde_json::Value {
    let mut file = Vec::new();
    PngEncoder::new(&mut file)
        .write_image(&[90; 60 * 40 * 3], 60, 40, ExtendedColorType::Rgb8)
        .unwrap();
    let upload = program.request("POST", "/api/objects/upload", cookie, "{}");
    let upload: serde_json::Value = serde_json::from_str(&upload.body).unwrap();
    let url = upload["uploadURL"].as_str().unwrap();
    let (_, path) = url.split_once("/api/").unwrap();
    assert_eq!(program.put_file(&format!("/api/{path}"), &file).status, 200);
    post(program, cookie, &format!("{{\"content\": \"a picture\", \"imageUrls\": [\"{url}\"]}}"))
}

/// A server whose founder has posted an image.
pub(crate) struct Deployment {
    folder: tempfile::TempDir,
    pub(crate) program: Program,
    pub(crate) cookie: String,
    pub(crate) image: String,
}

impl Deployment {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    fn start_with(settings: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut program = Program::start_with(&folder.path().join("data"), settings);
        let printed = program.read_line();
        let cookie = program.log_in(&printed);
        let picture = post_image(&program, &cookie);
        let image = picture["images"][0]["url"].as_str().unwrap().to_owned();
        Self { folder, program, cookie, image }
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// The archive contains everything acknowledged before the backup began, while members keep
/// writing.
/// proves: operate-backup, operate-restore
#[test]
fn a_running_server_is_backed_up_and_restored_elsewhere() {
    let deployment = Deployment::start();
    let (program, cookie) = (&deployment.program, deployment.cookie.as_str());
    let post = |n: usize| post(program, cookie, &format!("{{\"content\": \"post {n}\"}}"));
    let before = (0..20).map(post).collect::<Vec<_>>();
    let (file, done) = (deployment.file("kith.tar"), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut written = 0;
            while !done.load(Ordering::Relaxed) {
                written += 1;
                post(1_000 + written);
            }
            written
        });
        let output = backup(&deployment.data(), &file).unwrap();
        done.store(true, Ordering::Relaxed);
        assert!(output.contains("image files: "), "{output}");
        assert!(writer.join().unwrap() > 0, "nothing was written meanwhile");
    });
    let entries = file_names(deployment.folder.path());
    assert_eq!(entries.len(), 2, "only the data and the backup: {entries:?}");

    let elsewhere = deployment.file("elsewhere");
    let output = execute(
        kith().arg("restore").arg(&file).arg("--data").arg(&elsewhere).arg("--keep-sessions"),
    )
    .unwrap();
    assert!(!output.contains("sessions ended"), "{output}");
    assert!(output.contains("images in use: 1, missing files: 0"), "{output}");
    assert!(output.contains("counts: correct"), "{output}");
    let mut file_names = file_names(&elsewhere);
    file_names.sort();
    assert_eq!(file_names, ["kith.db", "media", "secret.key"]);

    let restored = Program::start(&elsewhere);
    for post in &before {
        let path = format!("/api/posts/{}/thread", post["id"].as_str().unwrap());
        let reply = restored.request("GET", &path, cookie, "");
        assert_eq!(reply.status, 200, "{}", reply.body);
        assert!(reply.body.contains(post["content"].as_str().unwrap()));
    }
    let [there, here] =
        [program, &restored].map(|one| one.request("GET", &deployment.image, "", ""));
    assert_eq!(here.status, 200);
    assert_eq!(here.body, there.body, "the same image");
    let code = kith()
        .args(["member", "sign-in", "founder", "--public-url"])
        .arg(format!("http://{}", restored.address))
        .arg("--data")
        .arg(&elsewhere)
        .output()
        .unwrap();
    restored.log_in(String::from_utf8(code.stdout).unwrap().trim());
}

/// Images in S3 stay there: the archive contains none, and a restore looks each up in the bucket.
/// proves: operate-backup-s3
#[test]
fn images_in_s3_are_not_archived() {
    let bucket = std::env::var("KITH_TEST_S3").unwrap_or_else(|_| {
        panic!("KITH_TEST_S3 is not set: run `cargo xtask test`, or `cargo xtask s3 -- cargo test`")
    });
    let (bucket, query) = bucket.split_once('?').unwrap();
    let url = |place: &str| format!("{bucket}/backup-{}-{place}?{query}", std::process::id());
    let (here, empty) = (url("here"), url("empty"));
    let deployment = Deployment::start_with(&["--storage-url", &here]);
    let file = deployment.file("kith.tar");
    let run_with_storage = |command: &str, store: &str, data: &Path| {
        let mut kith = kith();
        kith.arg(command).arg(&file).arg("--data").arg(data);
        execute(kith.args(["--storage-url", store]))
    };
    let output = run_with_storage("backup", &here, &deployment.data()).unwrap();
    assert!(output.contains("images: not included, they are stored in S3"), "{output}");
    let elsewhere = deployment.file("elsewhere");
    let complaint = restore(&file, &elsewhere).unwrap_err();
    assert!(complaint.contains("set --storage-url to the bucket"));
    assert!(!elsewhere.exists(), "{complaint}");
    let complaint = run_with_storage("restore", &empty, &deployment.file("lacking")).unwrap_err();
    assert!(complaint.contains("missing: images/"), "{complaint}");
    let output = run_with_storage("restore", &here, &elsewhere).unwrap();
    let whole = "images in use: 1, missing files: 0";
    assert!(output.contains(whole), "{output}");
    assert!(output.contains("counts: correct"), "{output}");
    let restored = Program::start_with(&elsewhere, &["--storage-url", &here]);
    let image = restored.request("GET", &deployment.image, "", "");
    assert_eq!(image.status, 200, "{}", image.body);
}

#[test]
fn backup_and_restore_report_in_json() {
    let deployment = Deployment::start();
    let file = deployment.file("kith.tar");
    let run_json = |args: &[&str], file: &Path, data: &Path| {
        let output = execute(kith().args(args).arg(file).arg("--data").arg(data)).unwrap();
        serde_json::from_str::<serde_json::Value>(&output).unwrap()
    };
    let made = run_json(&["backup", "--json"], &file, &deployment.data());
    assert_eq!(made["bytes"], std::fs::metadata(&file).unwrap().len());
    let found = run_json(&["restore", "--json"], &file, &deployment.file("elsewhere"));
    assert_eq!(found["databaseBytes"], made["databaseBytes"]);
    assert_eq!(found["mediaFiles"], made["mediaFiles"]);
    assert_eq!(found["images"], 1);
    assert_eq!(found["wrongCounts"], serde_json::json!([]));
}

/// Whether an archive is truncated or damaged, a restore leaves nothing behind.
#[test]
fn a_failed_restore_leaves_nothing() {
    let deployment = Deployment::start();
    let file = deployment.file("kith.tar");
    backup(&deployment.data(), &file).unwrap();
    let whole = std::fs::read(&file).unwrap();
    let (broken, data) = (deployment.file("broken.tar"), deployment.file("elsewhere"));
    let assert_rejected = |bytes: &[u8], why: &str| {
        std::fs::write(&broken, bytes).unwrap();
        let complaint = restore(&broken, &data).unwrap_err();
        assert!(complaint.contains("broken.tar cannot be restored: "), "{complaint}");
        assert!(complaint.contains(why), "{complaint}");
        assert!(!data.exists(), "{complaint}");
    };
    assert_rejected(b"", "not a Kith backup");
    assert_rejected(&b"something else\n".repeat(2_000), "not a Kith backup");
    for part in 1..10 {
        assert_rejected(&whole[..whole.len() * part / 10], "it breaks off");
    }
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    assert_rejected(&damaged, "it is damaged");
    let mut foreign = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.as_old_mut().name[..10].copy_from_slice(b"../outside");
    header.set_size(0);
    header.set_cksum();
    foreign.append(&header, &b""[..]).unwrap();
    assert_rejected(&foreign.into_inner().unwrap(), "not a Kith backup");
    restore(&file, &data).unwrap();
}

#[test]
fn a_restore_requires_an_empty_folder() {
    let deployment = Deployment::start();
    let (file, data) = (deployment.file("kith.tar"), deployment.file("elsewhere"));
    backup(&deployment.data(), &file).unwrap();
    std::fs::DirBuilder::new().mode(0o700).create(&data).unwrap();
    std::fs::write(data.join("note"), "mine").unwrap();
    let complaint = restore(&file, &data).unwrap_err();
    assert!(complaint.contains("is not empty"), "{complaint}");
    assert_eq!(file_names(&data), ["note"]);
    std::fs::remove_file(data.join("note")).unwrap();
    restore(&file, &data).unwrap();
    let complaint =
        restore(&deployment.file("missing.tar"), &deployment.file("third")).unwrap_err();
    assert!(complaint.contains("missing.tar cannot be restored"), "{complaint}");
    assert!(!deployment.file("third").exists());
}

#[test]
fn a_failed_backup_leaves_nothing() {
    let deployment = Deployment::start();
    let out = deployment.file("out");
    std::fs::create_dir(&out).unwrap();
    let file = out.join("kith.tar");
    // Limits files to 100 KiB, which is close to a full disk.
    let small = r#"trap '' XFSZ; ulimit -f 200; exec "$@""#;
    let mut limited = Command::new("sh");
    limited.args(["-c", small, "sh", env!("CARGO_BIN_EXE_kith"), "backup"]);
    limited.arg(&file).arg("--data").arg(deployment.data());
    let complaint = execute(&mut limited).unwrap_err();
    assert!(complaint.contains("kith: The database cannot be copied: "), "{complaint}");
    assert_eq!(file_names(&out), [""; 0]);
    for (file, why) in [
        (Path::new("/dev/null/kith.tar"), "/dev/null/kith.tar cannot be written"),
        (deployment.file("data/secret.key").as_path(), "already exists"),
    ] {
        let complaint = backup(&deployment.data(), file).unwrap_err();
        assert!(complaint.contains(why), "{complaint}");
    }
    let complaint = backup(&deployment.file("nowhere"), &file).unwrap_err();
    assert!(complaint.contains("There is no network in "), "{complaint}");
    backup(&deployment.data(), &file).unwrap();
}

/// proves: operate-backup-killed
#[test]
fn a_backup_replaces_what_a_killed_one_left() {
    let deployment = Deployment::start();
    let out = deployment.file("out");
    std::fs::create_dir(&out).unwrap();
    let file = out.join("kith.tar");
    let part = std::fs::File::create(out.join(".kith.tar.part")).unwrap();
    let copy = out.join(".kith.tar.copy");
    std::fs::create_dir(&copy).unwrap();
    std::fs::write(copy.join("kith.db"), "half").unwrap();
    part.lock().unwrap();
    let complaint = backup(&deployment.data(), &file).unwrap_err();
    assert!(complaint.contains("kith.tar cannot be written: "), "another one runs: {complaint}");
    drop(part);
    backup(&deployment.data(), &file).unwrap();
    assert_eq!(file_names(&out), ["kith.tar"]);
}

/// A restore completes without missing images and reports them to the operator.
/// proves: operate-backup-images
#[test]
fn missing_images_are_reported() {
    let deployment = Deployment::start();
    let file = deployment.file("kith.tar");
    let mut folders = vec![deployment.data().join("media")];
    let mut removed = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "webp") {
                std::fs::remove_file(path).unwrap();
                removed += 1;
            }
        }
    }
    let complaint = backup(&deployment.data(), &file).unwrap_err();
    assert!(complaint.contains("give --storage-url"), "{complaint}");
    assert_eq!(complaint.matches("missing: images/").count(), removed, "{complaint}");
    let doctor = execute(kith().args(["doctor", "--data"]).arg(deployment.data())).unwrap_err();
    assert!(doctor.contains(&format!("FAIL  image files: {removed} are missing")), "{doctor}");
    let complaint = restore(&file, &deployment.file("elsewhere")).unwrap_err();
    let missing = complaint.matches("missing: images/").count();
    assert!(removed > 0 && missing == removed, "{complaint}");
    assert!(complaint.contains("was incomplete or inconsistent when it was made"), "{complaint}");
    drop(Program::start(&deployment.file("elsewhere")));
}

/// An export reads images from the configured storage and fails if one is missing.
/// proves: export-operator-store
#[test]
fn an_export_reads_images_from_the_configured_storage() {
    let deployment = Deployment::start();
    let export = |file: &str, storage: &str| {
        let mut kith = kith();
        kith.args(["member", "export", "founder"]);
        kith.arg(deployment.file(file)).args(["--storage-url", storage]);
        execute(kith.arg("--data").arg(deployment.data()))
    };
    export("here.zip", "").unwrap();
    let here = std::fs::read(deployment.file("here.zip")).unwrap();
    let hash = deployment.image.split('/').nth(2).unwrap();
    let name = format!("media/{hash}.webp").into_bytes();
    assert!(here.windows(name.len()).any(|part| part == name));
    let nowhere = "s3://kith?endpoint=http://127.0.0.1:1";
    let complaint = export("away.zip", nowhere).unwrap_err();
    assert!(!complaint.contains("unexpected argument"), "{complaint}");
    assert!(!deployment.file("away.zip").exists(), "no partial export is left");
}

#[test]
fn a_backup_of_postgres_points_to_its_tools() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kith.tar");
    for (command, word) in [("backup", "pg_dump"), ("restore", "PostgreSQL")] {
        let data = folder.path().join("data");
        let mut kith = kith();
        kith.args([command, "--database-url", "postgres://localhost/kith"]);
        let complaint = execute(kith.arg(&file).arg("--data").arg(data)).unwrap_err();
        assert!(complaint.contains(word), "{complaint}");
        assert_eq!(file_names(folder.path()), [""; 0]);
    }
}
