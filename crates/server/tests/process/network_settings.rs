//! `kith settings`, which changes the network's name, texts and pages.

use crate::command::expect_failure;
use crate::operator::{run_command, run_json};
use crate::program::Program;

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
