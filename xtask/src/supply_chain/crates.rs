//! The crates that the binary is made of, as a `CycloneDX` document.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use crate::{process, root};

/// What `cargo metadata` knows, as a document: the crate `kith` and all that it is built with and of.
pub(super) fn list() -> Result<Value> {
    let mut command = process::command("cargo", &["metadata", "--format-version", "1", "--locked"]);
    let output = command.current_dir(root::root()).output()?;
    if !output.status.success() {
        bail!(
            "cargo metadata: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    let metadata = serde_json::from_slice(&output.stdout).context("cargo metadata is no JSON")?;
    document(&metadata).context("cargo metadata lacks the crate kith")
}

fn document(metadata: &Value) -> Option<Value> {
    let packages = metadata["packages"].as_array()?;
    let packages = packages.iter().map(|one| Some((one["id"].as_str()?, one)));
    let packages = packages.collect::<Option<BTreeMap<_, _>>>()?;
    let nodes = metadata["resolve"]["nodes"].as_array()?;
    let nodes = nodes.iter().map(|one| Some((one["id"].as_str()?, one)));
    let nodes = nodes.collect::<Option<BTreeMap<_, _>>>()?;
    let root = packages
        .iter()
        .find(|(_, package)| package["name"] == "kith");
    let (root, _) = root?;
    let (mut reached, mut waiting) = (BTreeSet::from([*root]), vec![*root]);
    let mut edges = Vec::new();
    while let Some(id) = waiting.pop() {
        let needed = needed_by(nodes.get(id)?);
        let names = needed.iter().map(|needed| address(packages[needed]));
        edges.push(json!({"ref": address(packages[id]), "dependsOn": names.collect::<Vec<_>>()}));
        waiting.extend(needed.into_iter().filter(|needed| reached.insert(needed)));
    }
    let parts = reached.iter().filter(|id| *id != root);
    let parts = parts.map(|id| component("library", packages[id]));
    Some(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": component("application", packages[root])},
        "components": parts.collect::<Vec<_>>(),
        "dependencies": edges,
    }))
}

/// The crates that another one is built with or of; those of its tests are not in the binary.
fn needed_by(node: &Value) -> Vec<&str> {
    let needed = node["deps"].as_array().into_iter().flatten();
    let needed = needed.filter(|one| {
        let kinds = one["dep_kinds"].as_array();
        kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"] != "dev"))
    });
    needed.filter_map(|one| one["pkg"].as_str()).collect()
}

fn component(kind: &str, package: &Value) -> Value {
    let mut component = json!({
        "type": kind,
        "bom-ref": address(package),
        "name": package["name"],
        "version": package["version"],
        "purl": address(package),
    });
    // An expression by the rules of SPDX; old crates write a slash for OR.
    if let Some(licence) = package["license"].as_str() {
        let expression = licence.replace('/', " OR ");
        component["licenses"] = json!([{"expression": expression}]);
    }
    component
}

fn address(package: &Value) -> String {
    let text = |name: &str| package[name].as_str().unwrap_or_default();
    format!("pkg:cargo/{}@{}", text("name"), text("version"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_tests_need_is_not_listed() {
        let package = |name: &str| json!({"id": name, "name": name, "version": "1.0.0", "license": "MIT/Apache-2.0"});
        let needs = |name: &str, kind: Value| json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
        let node = |name: &str, deps: Value| json!({"id": name, "deps": deps});
        let packages = ["kith", "a", "b", "c", "d"].map(package);
        let metadata = json!({
            "packages": packages,
            "resolve": {"nodes": [
                node("kith", json!([needs("a", Value::Null), needs("b", json!("dev"))])),
                node("a", json!([needs("c", json!("build"))])),
                node("b", json!([needs("d", Value::Null)])),
                node("c", json!([])),
                node("d", json!([])),
            ]},
        });
        let document = document(&metadata).unwrap();
        let listed = document["components"].as_array().unwrap();
        let listed = listed.iter().map(|one| one["purl"].as_str().unwrap());
        assert_eq!(
            listed.collect::<Vec<_>>(),
            ["pkg:cargo/a@1.0.0", "pkg:cargo/c@1.0.0"]
        );
        let licence = &document["components"][0]["licenses"][0]["expression"];
        assert_eq!(licence, "MIT OR Apache-2.0");
        assert_eq!(
            document["dependencies"][0]["dependsOn"],
            json!(["pkg:cargo/a@1.0.0"])
        );
    }
}
