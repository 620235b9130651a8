//! Backing a running network up, and what can be restored from it.

use crate::program::{Program, kith};
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs a command and answers what it printed, or its complaint.
fn run(command: &mut Command) -> Result<String, String> {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    let (out, complaint) = (
        String::from_utf8(stdout).unwrap(),
        String::from_utf8(stderr),
    );
    let complaint = complaint.unwrap();
    assert!(!complaint.contains("panicked"), "{complaint}");
    if status.success() {
        Ok(out)
    } else {
        Err(format!("{out}{complaint}"))
    }
}

pub(crate) fn backup(data: &Path, file: &Path) -> Result<String, String> {
    run(kith().arg("backup").arg(file).arg("--data").arg(data))
}

pub(crate) fn restore(file: &Path, data: &Path) -> Result<String, String> {
    run(kith().arg("restore").arg(file).arg("--data").arg(data))
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

fn post(program: &Program, cookie: &str, body: &str) -> serde_json::Value {
    let posted = program.ask("POST", "/api/posts", cookie, body);
    assert_eq!(posted.status, 201, "{}", posted.body);
    serde_json::from_str(&posted.body).unwrap()
}

/// Posts a picture; answers the post.
fn post_picture(program: &Program, cookie: &str) -> serde_json::Value {
    let mut file = Vec::new();
    PngEncoder::new(&mut file)
        .write_image(&[90; 60 * 40 * 3], 60, 40, ExtendedColorType::Rgb8)
        .unwrap();
    let asked = program.ask("POST", "/api/objects/upload", cookie, "{}");
    let asked: serde_json::Value = serde_json::from_str(&asked.body).unwrap();
    let url = asked["uploadURL"].as_str().unwrap();
    let (_, path) = url.split_once("/api/").unwrap();
    assert_eq!(program.send(&format!("/api/{path}"), &file).status, 200);
    post(
        program,
        cookie,
        &format!("{{\"content\": \"a picture\", \"imageUrls\": [\"{url}\"]}}"),
    )
}

/// A network with a picture in it, and its backup.
pub(crate) struct Network {
    folder: tempfile::TempDir,
    pub(crate) program: Program,
    pub(crate) cookie: String,
    pub(crate) image: String,
}

impl Network {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    fn start_with(settings: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut program = Program::start_with(&folder.path().join("data"), settings);
        let printed = program.line();
        let cookie = program.log_in(&printed);
        let picture = post_picture(&program, &cookie);
        let image = picture["images"][0]["url"].as_str().unwrap().to_owned();
        Self {
            folder,
            program,
            cookie,
            image,
        }
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// What was answered before the backup began is in it, while others go on writing.
/// proves: operate-backup, operate-restore
#[test]
fn a_running_network_is_backed_up_and_restored_elsewhere() {
    let network = Network::start();
    let (program, cookie) = (&network.program, network.cookie.as_str());
    let post = |n: usize| post(program, cookie, &format!("{{\"content\": \"post {n}\"}}"));
    let before = (0..20).map(post).collect::<Vec<_>>();
    let (file, done) = (network.file("kith.tar"), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut written = 0;
            while !done.load(Ordering::Relaxed) {
                written += 1;
                post(1_000 + written);
            }
            written
        });
        let told = backup(&network.data(), &file).unwrap();
        done.store(true, Ordering::Relaxed);
        assert!(told.contains("image files: "), "{told}");
        assert!(writer.join().unwrap() > 0, "nobody wrote meanwhile");
    });
    let left = names(network.folder.path());
    assert_eq!(left.len(), 2, "only the data and the backup: {left:?}");

    let elsewhere = network.file("elsewhere");
    let told = run(kith()
        .arg("restore")
        .arg(&file)
        .arg("--data")
        .arg(&elsewhere)
        .arg("--keep-sessions"))
    .unwrap();
    assert!(!told.contains("sessions ended"), "{told}");
    assert!(
        told.contains("images in use: 1, missing files: 0"),
        "{told}"
    );
    assert!(told.contains("counts: correct"), "{told}");
    let mut names = names(&elsewhere);
    names.sort();
    assert_eq!(names, ["kith.db", "media", "secret.key"]);

    let restored = Program::start(&elsewhere);
    for post in &before {
        let path = format!("/api/posts/{}/thread", post["id"].as_str().unwrap());
        let reply = restored.ask("GET", &path, cookie, "");
        assert_eq!(reply.status, 200, "{}", reply.body);
        assert!(reply.body.contains(post["content"].as_str().unwrap()));
    }
    let [there, here] = [program, &restored].map(|one| one.ask("GET", &network.image, "", ""));
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

/// Images at S3 stay there: the archive holds none, and restoring looks for each in the bucket.
/// proves: operate-backup-s3
#[test]
fn images_at_s3_stay_there() {
    let bucket = std::env::var("KITH_TEST_S3").unwrap_or_else(|_| {
        panic!("KITH_TEST_S3 is not set: run `cargo xtask test`, or `cargo xtask s3 -- cargo test`")
    });
    let (bucket, query) = bucket.split_once('?').unwrap();
    let url = |place: &str| format!("{bucket}/backup-{}-{place}?{query}", std::process::id());
    let (here, empty) = (url("here"), url("empty"));
    let network = Network::start_with(&["--storage-url", &here]);
    let file = network.file("kith.tar");
    let with = |command: &str, store: &str, data: &Path| {
        let mut kith = kith();
        kith.arg(command).arg(&file).arg("--data").arg(data);
        run(kith.args(["--storage-url", store]))
    };
    let told = with("backup", &here, &network.data()).unwrap();
    assert!(
        told.contains("images: not included, they are stored in S3"),
        "{told}"
    );
    let elsewhere = network.file("elsewhere");
    let complaint = restore(&file, &elsewhere).unwrap_err();
    assert!(complaint.contains("set --storage-url to the bucket"));
    assert!(!elsewhere.exists(), "{complaint}");
    let complaint = with("restore", &empty, &network.file("lacking")).unwrap_err();
    assert!(complaint.contains("missing: images/"), "{complaint}");
    let told = with("restore", &here, &elsewhere).unwrap();
    let whole = "images in use: 1, missing files: 0";
    assert!(told.contains(whole), "{told}");
    assert!(told.contains("counts: correct"), "{told}");
    let restored = Program::start_with(&elsewhere, &["--storage-url", &here]);
    let image = restored.ask("GET", &network.image, "", "");
    assert_eq!(image.status, 200, "{}", image.body);
}

#[test]
fn a_script_reads_what_was_done() {
    let network = Network::start();
    let file = network.file("kith.tar");
    let of = |args: &[&str], file: &Path, data: &Path| {
        let told = run(kith().args(args).arg(file).arg("--data").arg(data)).unwrap();
        serde_json::from_str::<serde_json::Value>(&told).unwrap()
    };
    let made = of(&["backup", "--json"], &file, &network.data());
    assert_eq!(made["bytes"], std::fs::metadata(&file).unwrap().len());
    let found = of(&["restore", "--json"], &file, &network.file("elsewhere"));
    assert_eq!(found["databaseBytes"], made["databaseBytes"]);
    assert_eq!(found["mediaFiles"], made["mediaFiles"]);
    assert_eq!(found["images"], 1);
    assert_eq!(found["wrongCounts"], serde_json::json!([]));
}

/// Wherever an archive breaks off or changes, nothing of it stays.
#[test]
fn a_broken_archive_leaves_nothing() {
    let network = Network::start();
    let file = network.file("kith.tar");
    backup(&network.data(), &file).unwrap();
    let whole = std::fs::read(&file).unwrap();
    let (broken, data) = (network.file("broken.tar"), network.file("elsewhere"));
    let refused = |bytes: &[u8], why: &str| {
        std::fs::write(&broken, bytes).unwrap();
        let complaint = restore(&broken, &data).unwrap_err();
        assert!(
            complaint.contains("broken.tar cannot be restored: "),
            "{complaint}"
        );
        assert!(complaint.contains(why), "{complaint}");
        assert!(!data.exists(), "{complaint}");
    };
    refused(b"", "not a Kith backup");
    refused(&b"something else\n".repeat(2_000), "not a Kith backup");
    for part in 1..10 {
        refused(&whole[..whole.len() * part / 10], "it breaks off");
    }
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    refused(&damaged, "it is damaged");
    let mut foreign = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.as_old_mut().name[..10].copy_from_slice(b"../outside");
    header.set_size(0);
    header.set_cksum();
    foreign.append(&header, &b""[..]).unwrap();
    refused(&foreign.into_inner().unwrap(), "not a Kith backup");
    restore(&file, &data).unwrap();
}

#[test]
fn only_an_empty_folder_is_filled() {
    let network = Network::start();
    let (file, data) = (network.file("kith.tar"), network.file("elsewhere"));
    backup(&network.data(), &file).unwrap();
    std::fs::DirBuilder::new()
        .mode(0o700)
        .create(&data)
        .unwrap();
    std::fs::write(data.join("note"), "mine").unwrap();
    let complaint = restore(&file, &data).unwrap_err();
    assert!(complaint.contains("is not empty"), "{complaint}");
    assert_eq!(names(&data), ["note"]);
    std::fs::remove_file(data.join("note")).unwrap();
    restore(&file, &data).unwrap();
    let complaint = restore(&network.file("missing.tar"), &network.file("third")).unwrap_err();
    assert!(
        complaint.contains("missing.tar cannot be restored"),
        "{complaint}"
    );
    assert!(!network.file("third").exists());
}

#[test]
fn a_backup_that_cannot_be_written_leaves_nothing() {
    let network = Network::start();
    let out = network.file("out");
    std::fs::create_dir(&out).unwrap();
    let file = out.join("kith.tar");
    // No file may have more than 100 KiB: the next best to a full disk.
    let small = r#"trap '' XFSZ; ulimit -f 200; exec "$@""#;
    let mut limited = Command::new("sh");
    limited.args(["-c", small, "sh", env!("CARGO_BIN_EXE_kith"), "backup"]);
    limited.arg(&file).arg("--data").arg(network.data());
    let complaint = run(&mut limited).unwrap_err();
    assert!(
        complaint.contains("kith: The database cannot be copied: "),
        "{complaint}"
    );
    assert_eq!(names(&out), [""; 0]);
    for (file, why) in [
        (
            Path::new("/dev/null/kith.tar"),
            "/dev/null/kith.tar cannot be written",
        ),
        (network.file("data/secret.key").as_path(), "already exists"),
    ] {
        let complaint = backup(&network.data(), file).unwrap_err();
        assert!(complaint.contains(why), "{complaint}");
    }
    let complaint = backup(&network.file("nowhere"), &file).unwrap_err();
    assert!(complaint.contains("There is no network in "), "{complaint}");
    backup(&network.data(), &file).unwrap();
}

/// The network is restored all the same, and the operator learns what it lacks.
/// proves: operate-backup-images
#[test]
fn a_missing_image_is_named() {
    let network = Network::start();
    let file = network.file("kith.tar");
    let mut folders = vec![network.data().join("media")];
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
    let complaint = backup(&network.data(), &file).unwrap_err();
    assert!(complaint.contains("give --storage-url"), "{complaint}");
    let complaint = restore(&file, &network.file("elsewhere")).unwrap_err();
    let missing = complaint.matches("missing: images/").count();
    assert!(removed > 0 && missing == removed, "{complaint}");
    assert!(
        complaint.contains("was incomplete or inconsistent when it was made"),
        "{complaint}"
    );
    drop(Program::start(&network.file("elsewhere")));
}

/// An export asks for the images where the server keeps them, and does without none that it should have.
/// proves: export-operator-store
#[test]
fn an_export_has_images_from_where_they_are() {
    let network = Network::start();
    let export = |file: &str, storage: &str| {
        let mut kith = kith();
        kith.args(["member", "export", "founder"]);
        kith.arg(network.file(file))
            .args(["--storage-url", storage]);
        run(kith.arg("--data").arg(network.data()))
    };
    export("here.zip", "").unwrap();
    let here = std::fs::read(network.file("here.zip")).unwrap();
    let hash = network.image.split('/').nth(2).unwrap();
    let name = format!("media/{hash}.webp").into_bytes();
    assert!(here.windows(name.len()).any(|part| part == name));
    let nowhere = "s3://kith?endpoint=http://127.0.0.1:1";
    let complaint = export("away.zip", nowhere).unwrap_err();
    assert!(!complaint.contains("unexpected argument"), "{complaint}");
    assert!(!network.file("away.zip").exists(), "half an export is none");
}

#[test]
fn postgres_has_tools_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kith.tar");
    for (command, word) in [("backup", "pg_dump"), ("restore", "PostgreSQL")] {
        let data = folder.path().join("data");
        let mut kith = kith();
        kith.args([command, "--database-url", "postgres://localhost/kith"]);
        let complaint = run(kith.arg(&file).arg("--data").arg(data)).unwrap_err();
        assert!(complaint.contains(word), "{complaint}");
        assert_eq!(names(folder.path()), [""; 0]);
    }
}
