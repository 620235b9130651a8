//! `cargo xtask coverage`: maps the statements of `docs/product.md` to the tests that prove them.
//!
//! Each statement has an id, and tests name the ids in `proves:` comments. The command writes a page
//! with the mapping, and a rule of tidy checks that the page is up to date.

mod annotations;
mod statements;
mod table;

use std::fs;

use annotations::Annotation;
use anyhow::{Context, Result, bail};
use statements::Section;
use table::Proofs;

use super::Finding;
use super::tree::Tree;
use crate::support::paths;

const PRODUCT: &str = "docs/product.md";
const COVERAGE: &str = "docs/spec-coverage.md";

/// Statements, annotations of the tests, and findings about the statements.
struct Coverage {
    sections: Vec<Section>,
    annotations: Vec<Annotation>,
    findings: Vec<Finding>,
}

/// Writes the page and prints all findings.
pub(crate) fn command(_arguments: &[String]) -> Result<()> {
    let coverage = Coverage::of(&Tree::load()?);
    let path = paths::root().join(COVERAGE);
    fs::write(&path, coverage.page()).with_context(|| format!("cannot write {COVERAGE}"))?;
    println!("{COVERAGE} is written.");
    for finding in coverage.all_findings() {
        println!("{finding}");
    }
    match coverage.all_findings().len() {
        0 => Ok(()),
        1 => bail!("one finding"),
        count => bail!("{count} findings"),
    }
}

/// Checks that statements and tests agree and that the page is up to date.
pub(super) fn agrees(tree: &Tree) -> Vec<Finding> {
    let coverage = Coverage::of(tree);
    let mut findings = coverage.all_findings();
    let page = coverage.page();
    let present = text_of(tree, COVERAGE);
    if page != present {
        let same = |(old, new): &(&str, &str)| old == new;
        let line = 1 + present.lines().zip(page.lines()).take_while(same).count();
        let sentence = "this page is out of date: run `cargo xtask coverage`";
        findings.push(Finding::new(COVERAGE, line, sentence));
    }
    findings
}

fn text_of<'a>(tree: &'a Tree, path: &str) -> &'a str {
    let found = tree.sources.iter().find(|source| source.path == path);
    found.map_or("", |source| &source.text)
}

impl Coverage {
    fn of(tree: &Tree) -> Self {
        let (sections, findings) = statements::parse(PRODUCT, text_of(tree, PRODUCT));
        let annotations = tree.sources.iter().flat_map(annotations::find).collect();
        Self { sections, annotations, findings }
    }

    /// Annotations of tests by statement id.
    fn proofs(&self) -> Proofs<'_> {
        let mut proofs = Proofs::new();
        for annotation in self.annotations.iter().filter(|annotation| annotation.test.is_some()) {
            proofs.entry(annotation.id.as_str()).or_default().push(annotation);
        }
        proofs
    }

    fn page(&self) -> String {
        table::page(&self.sections, &self.proofs())
    }

    /// All findings about statements and annotations.
    fn all_findings(&self) -> Vec<Finding> {
        let mut findings: Vec<Finding> = self.findings.clone();
        let proofs = self.proofs();
        let statements = || self.sections.iter().flat_map(|section| &section.statements);
        for annotation in &self.annotations {
            let mut complain = |sentence: String| {
                findings.push(Finding::new(&annotation.path, annotation.line, sentence));
            };
            if !statements().any(|statement| statement.id == annotation.id) {
                complain(format!("{PRODUCT} has no statement `{}`", annotation.id));
            }
            if annotation.test.is_none() {
                complain("`proves:` belongs in the comment above a test that runs".to_owned());
            }
        }
        for statement in statements() {
            let id = &statement.id;
            let proof = proofs.get(id.as_str()).and_then(|annotations| annotations.first());
            let sentence = match (proof, &statement.not_yet) {
                (Some(annotation), Some(_)) => {
                    format!("`{id}` is proven in {}: remove `(not yet: …)`", annotation.path)
                }
                (None, None) => {
                    format!(
                        "no test proves `{id}`: annotate one, or end the line with `(not yet: why)`"
                    )
                }
                _ => continue,
            };
            findings.push(Finding::new(PRODUCT, statement.line, sentence));
        }
        findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: &str = "crates/server/tests/api/posts.rs";

    fn tree(product: &[&str], test: &[&str]) -> Tree {
        let (product, test) = (product.join("\n"), test.join("\n"));
        let files = [(PRODUCT, product.as_str()), (TEST, test.as_str())];
        let page = Coverage::of(&Tree::of(&files)).page();
        Tree::of(&[files[0], files[1], (COVERAGE, page.as_str())])
    }

    fn places(tree: &Tree) -> Vec<(String, usize)> {
        let mut findings = agrees(tree);
        findings.sort();
        let places = findings.into_iter();
        places.map(|found| (found.path, found.line)).collect()
    }

    fn at(path: &str, line: usize) -> (String, usize) {
        (path.to_owned(), line)
    }

    const ANNOTATED: [&str; 3] = ["/// proves: a", "#[test]", "fn one() {}"];

    #[test]
    fn agreement_gives_no_findings() {
        let product = ["## Posts", "- **a** So.", "- **b** So. (not yet: no test)"];
        assert_eq!(places(&tree(&product, &ANNOTATED)), []);
    }

    #[test]
    fn every_disagreement_is_found() {
        let unproven = ["## Posts", "- **a** So.", "- **b** So."];
        assert_eq!(places(&tree(&unproven, &ANNOTATED)), [at(PRODUCT, 3)]);
        let proven = ["## Posts", "- **a** So. (not yet: no test)"];
        assert_eq!(places(&tree(&proven, &ANNOTATED)), [at(PRODUCT, 2)]);
        let unknown = ["## Posts", "- **b** So. (not yet: no test)"];
        assert_eq!(places(&tree(&unknown, &ANNOTATED)), [at(TEST, 1)]);
        let product = ["## Posts", "- **a** So. (not yet: no test)"];
        let helper = ["/// proves: a", "fn helper() {}"];
        assert_eq!(places(&tree(&product, &helper)), [at(TEST, 1)]);
    }

    #[test]
    fn a_page_that_is_out_of_date_is_found() {
        let product = ["## Posts", "- **a** So."].join("\n");
        let test = ANNOTATED.join("\n");
        let files = [(PRODUCT, product.as_str()), (TEST, test.as_str())];
        assert_eq!(places(&Tree::of(&files)), [at(COVERAGE, 1)]);
        let page = Coverage::of(&Tree::of(&files)).page();
        let edited = page.replace("So.", "Not so.");
        let line = 1 + page.lines().take_while(|line| !line.contains("So.")).count();
        let files = [files[0], files[1], (COVERAGE, edited.as_str())];
        assert_eq!(places(&Tree::of(&files)), [at(COVERAGE, line)]);
    }
}
