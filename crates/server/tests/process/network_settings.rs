//! `kith settings`, which changes the network's name, texts and pages.

use crate::command::expect_failure;
use crate::operator::{run_command, run_json};
use crate::program::{Program, kith};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

/// proves: identity-operator
#[test]
fn an_operator_changes_the_settings_while_the_server_runs() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let program = Program::start(data);
    let site = || -> serde_json::Value {
        let reply = program.request("GET", "/api/site", "", "");
        serde_json::from_str(&reply.body).unwrap()
    };
    assert_eq!(site()["name"], "Kith");
    run_command(data, &["settings", "set", "name", " Rookery "]);
    assert_eq!(site()["name"], "Rookery");
    run_command(data, &["settings", "set", "rules", "# Rules\n\nBe kind."]);
    assert_eq!(run_command(data, &["settings", "get", "name"]), "Rookery\n");
    assert_eq!(run_command(data, &["settings", "get"]), "name\tRookery\nrules\t# Rules\n");
    let exported = run_command(data, &["settings", "export"]);
    let file = data.join("settings.json");
    std::fs::write(&file, &exported).unwrap();
    run_command(data, &["settings", "set", "name", ""]);
    assert_eq!(site()["name"], "Kith");
    run_command(data, &["settings", "import", file.to_str().unwrap()]);
    assert_eq!(
        (&site()["name"], &site()["pages"]),
        (&"Rookery".into(), &serde_json::json!(["rules"]))
    );
    let log = run_json(data, &["audit", "list"]);
    let details = log.as_array().unwrap().iter().map(|row| row["detail"].as_str().unwrap());
    assert_eq!(details.collect::<Vec<_>>(), ["name", "name", "rules", "name"]);
}

/// A missing `- <` would show members the name of the file as the rules.
/// proves: identity-operator-file
#[test]
fn the_path_of_a_file_is_no_page() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    drop(Program::start(data));
    let file = data.join("my rules.md");
    std::fs::write(&file, "# Rules").unwrap();
    let (path, data_path) = (file.to_str().unwrap(), data.to_str().unwrap());
    for name in ["rules", "terms", "privacy", "imprint"] {
        let error = expect_failure(&["settings", "set", name, path, "--data", data_path]);
        let sentence = format!(
            "{path} is a file. To set its text, run: kith settings set {name} - < '{path}'"
        );
        assert!(error.contains(&sentence), "{error}");
    }
    assert_eq!(run_command(data, &["settings", "get"]), "");
    // A word may be the name of a folder, and other settings may be the name of a file.
    run_command(data, &["settings", "set", "rules", "media"]);
    run_command(data, &["settings", "set", "description", path]);
}

/// A PNG with `side` pixels a side, in Base64.
fn picture(side: u32) -> String {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let pixels = image::RgbImage::from_fn(side, side, |x, y| {
        image::Rgb([x.to_le_bytes()[0], y.to_le_bytes()[0], 90])
    });
    pixels.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    STANDARD.encode(bytes.into_inner())
}

/// The icon moves to another network with the other settings.
/// proves: identity-operator-icon
#[test]
fn an_exported_file_contains_the_icon() {
    let folder = tempfile::tempdir().unwrap();
    let [ours, theirs] = ["ours", "theirs"].map(|name| folder.path().join(name));
    let programs = [&ours, &theirs].map(|data| Program::start(data));
    let file = folder.path().join("settings.json");
    let path = file.to_str().unwrap();
    let write = |settings: serde_json::Value| std::fs::write(&file, settings.to_string()).unwrap();
    let icon_of = |program: &Program| {
        let site = program.request("GET", "/api/site", "", "").body;
        serde_json::from_str::<serde_json::Value>(&site).unwrap()["iconUrl"].clone()
    };
    let audit = || run_json(&ours, &["audit", "list"]).as_array().unwrap().len();

    write(json!({"name": "Rookery", "icon": picture(300)}));
    run_command(&ours, &["settings", "import", path]);
    let url = icon_of(&programs[0]);
    let shown = programs[0].request("GET", url.as_str().unwrap(), "", "");
    assert!(shown.status == 200 && shown.head.contains("image/webp"), "{}", shown.head);

    let exported = run_command(&ours, &["settings", "export"]);
    std::fs::write(&file, &exported).unwrap();
    let before = audit();
    run_command(&ours, &["settings", "import", path]);
    assert_eq!((icon_of(&programs[0]), audit()), (url, before), "the same icon stays as it is");
    run_command(&theirs, &["settings", "import", path]);
    assert!(icon_of(&programs[1]).is_string());
    let doctor = kith().args(["doctor", "--json", "--data"]).arg(&theirs).output().unwrap();
    let checks: serde_json::Value = serde_json::from_slice(&doctor.stdout).unwrap();
    let images = checks.as_array().unwrap().iter().find(|check| check["name"] == "images");
    assert_eq!(images.unwrap()["verdict"], "ok");

    for (icon, sentence) in [
        (picture(100), "at least 192 pixels"),
        (STANDARD.encode("no image"), "icon: "),
        ("?".to_owned(), "icon is not the Base64 of an image."),
    ] {
        write(json!({"name": "Nest", "icon": icon}));
        let error =
            expect_failure(&["settings", "import", path, "--data", theirs.to_str().unwrap()]);
        assert!(error.contains(sentence), "{error}");
    }
    assert_eq!(run_command(&theirs, &["settings", "get"]), "name\tRookery\n");
    write(json!({}));
    run_command(&theirs, &["settings", "import", path]);
    assert_eq!(icon_of(&programs[1]), serde_json::Value::Null);
}
