//! Rules of `cases.txt`.

/// Rules for a page.
#[derive(Default)]
pub(super) struct PageCases {
    pub(super) path: String,
    /// Whether the page starts the server itself.
    pub(super) has_no_server: bool,
    /// Whether the page makes databases, whose names are the same on each such page.
    pub(super) has_postgres: bool,
    pub(super) cases: Vec<Case>,
}

/// A text, and a rule for the commands that contain it.
pub(super) struct Case {
    /// Text that the block contains as well, or nothing.
    pub(super) block: &'static str,
    pub(super) command: &'static str,
    pub(super) rule: Rule,
}

#[derive(Clone, Copy)]
pub(super) enum Rule {
    Replace(&'static str, &'static str),
    Before(&'static str),
    Prints(&'static str),
    Fails(&'static str),
    NotRun(&'static str),
}

pub(super) fn read() -> Vec<PageCases> {
    let mut pages: Vec<PageCases> = Vec::new();
    let mut at = ("", "");
    for line in include_str!("cases.txt").lines() {
        let text = line.trim_start();
        match (line.len() - text.len(), text) {
            (_, "") => {}
            (_, comment) if comment.starts_with("# ") || comment == "#" => {}
            (0, page) => pages.push(PageCases {
                path: page.split(' ').next().unwrap().to_owned(),
                has_no_server: page.contains("[no server]"),
                has_postgres: page.contains("[postgres]"),
                cases: Vec::new(),
            }),
            (4, found) => at = found.split_once(" => ").unwrap_or(("", found)),
            (_, rule) => {
                let case = Case { block: at.0, command: at.1, rule: parse(rule) };
                pages.last_mut().unwrap().cases.push(case);
            }
        }
    }
    pages
}

fn parse(rule: &'static str) -> Rule {
    let (name, text) = rule.split_once(':').unwrap();
    let text = text.trim_start();
    match name {
        "replace" => {
            let (from, to) = text.split_once(" => ").unwrap();
            Rule::Replace(from, to)
        }
        "before" => Rule::Before(text),
        "prints" => Rule::Prints(text),
        "fails" => Rule::Fails(text),
        "not run" => Rule::NotRun(text),
        _ => panic!("{rule}"),
    }
}
