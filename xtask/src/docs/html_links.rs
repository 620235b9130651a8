//! Links of the built book: each leads to a file of the book, and to an element if it names one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::Result;

use super::assemble::resolve;
use crate::support::fingerprint;

/// Pages that mdBook writes for itself, with links that depend on where the book is served.
const OWN_PAGES: &[&str] = &["404.html", "toc.html"];

/// One line for each link that leads nowhere, with its page.
pub(super) fn find_broken(book: &Path) -> Result<Vec<String>> {
    let mut pages = BTreeMap::new();
    let mut files = BTreeSet::new();
    for file in fingerprint::files_below(book, &[])? {
        let name = file.strip_prefix(book)?.to_string_lossy().into_owned();
        let is_page = file.extension().is_some_and(|end| end == "html");
        if is_page && !OWN_PAGES.contains(&name.as_str()) {
            pages.insert(name.clone(), fs::read_to_string(&file)?);
        }
        files.insert(name);
    }
    Ok(broken_links(&pages, &files))
}

fn broken_links(pages: &BTreeMap<String, String>, files: &BTreeSet<String>) -> Vec<String> {
    let ids = |text: &str| attributes(text, "id").collect::<BTreeSet<_>>();
    let ids: BTreeMap<&str, BTreeSet<String>> =
        pages.iter().map(|(name, text)| (name.as_str(), ids(text))).collect();
    let mut broken = Vec::new();
    for (name, text) in pages {
        let links: BTreeSet<String> =
            attributes(text, "href").chain(attributes(text, "src")).collect();
        for link in links {
            let (path, fragment) = link.split_once('#').unwrap_or((&link, ""));
            if ["http:", "https:", "mailto:", "data:", "javascript:"]
                .iter()
                .any(|start| path.starts_with(start))
            {
                continue;
            }
            let target = if path.is_empty() { name.clone() } else { resolve(name, path) };
            let has_element = || {
                let page = ids.get(target.as_str());
                fragment.is_empty() || page.is_none_or(|ids| ids.contains(fragment))
            };
            if !files.contains(&target) || !has_element() {
                broken.push(format!("{name}: {link}"));
            }
        }
    }
    broken
}

/// Values of an attribute, with `&amp;` replaced.
fn attributes<'a>(html: &'a str, name: &str) -> impl Iterator<Item = String> + use<'a> {
    let start = format!(" {name}=\"");
    let starts: Vec<usize> = html.match_indices(&start).map(|(at, _)| at + start.len()).collect();
    let values = starts.into_iter().filter_map(|at| html[at..].split('"').next());
    values.map(|value| value.replace("&amp;", "&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_and_a_missing_element_are_found() {
        let page = "<h1 id=\"top\"></h1><a href=\"b/c.html#gone\"></a><a href=\"#top\"></a>\
                    <a href=\"lost.html\"></a><a href=\"https://host/\"></a><img src=\"d.png\">";
        let other = "<h1 id=\"here\"></h1><a href=\"../a.html#top\"></a>";
        let pages = [("a.html", page), ("b/c.html", other)];
        let pages = pages.map(|(name, text)| (name.to_owned(), text.to_owned()));
        let files = ["a.html", "b/c.html", "d.png"].map(str::to_owned);
        let found = broken_links(&BTreeMap::from(pages), &BTreeSet::from(files));
        assert_eq!(found, ["a.html: b/c.html#gone", "a.html: lost.html"]);
    }
}
