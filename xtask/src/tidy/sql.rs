//! Rules for access to tables: features use each other's functions, never each other's tables.

use super::tree::{Source, Tree, in_folders};
use super::{Finding, line_at, mask};

/// A table and the files and folders below `src` of the crates `platform` and `server` whose SQL may name it.
struct Owned {
    table: &'static str,
    by: &'static [&'static str],
}

/// Owner of each table.
const OWNERS: &[Owned] = &[
    // Trending tags and vouches exclude suspended members within one aggregate query.
    owned("members", &["features/members", "features/tags/trending.rs", "features/waitlist"]),
    owned("usernames", &["features/members"]),
    owned("search_terms", &["features/members"]),
    owned("emails", &["features/auth"]),
    owned("login_links", &["features/auth"]),
    owned("email_changes", &["features/auth"]),
    owned("sessions", &["features/sessions"]),
    owned("ended_sessions", &["features/sessions"]),
    owned("follows", &["features/relationships/follows"]),
    owned("followers", &["features/relationships/follows"]),
    owned("blocks", &["features/relationships"]),
    owned("blockers", &["features/relationships"]),
    owned("mutes", &["features/relationships"]),
    owned("invites", &["features/invites"]),
    owned("member_invites", &["features/invites"]),
    owned("waitlist", &["features/waitlist"]),
    owned("vouches", &["features/waitlist"]),
    owned("posts", &["features/posts"]),
    owned("author_posts", &["features/posts"]),
    owned("replies", &["features/posts"]),
    owned("likes", &["features/posts"]),
    owned("member_likes", &["features/posts"]),
    owned("reposts", &["features/posts"]),
    owned("poll_choices", &["features/posts"]),
    owned("poll_votes", &["features/posts"]),
    owned("idempotency_keys", &["features/posts"]),
    owned("tag_posts", &["features/tags"]),
    owned("notifications", &["features/notifications"]),
    // Whether a type is pushed is asked within one query, with every notification.
    owned("notification_settings", &["features/notifications", "features/push/queue.rs"]),
    owned("muted_conversations", &["features/notifications"]),
    owned("quiet_hours", &["features/notifications"]),
    owned("push_subscriptions", &["features/push"]),
    owned("push_queue", &["features/push"]),
    owned("digests", &["features/digest"]),
    owned("uploads", &["features/media"]),
    owned("images", &["features/media"]),
    owned("image_sources", &["features/media"]),
    owned("report_cases", &["features/moderation"]),
    owned("reports", &["features/moderation"]),
    owned("case_evidence", &["features/moderation"]),
    owned("moderation_notices", &["features/moderation/notices"]),
    owned("removed_posts", &["features/posts"]),
    owned("audit_log", &["features/moderation"]),
    owned("audit_head", &["features/moderation"]),
    owned("exports", &["features/account/export"]),
    owned("deletions", &["features/account/deletion"]),
    owned("network_settings", &["features/settings"]),
    owned("jobs", &["jobs.rs"]),
    owned("leases", &["node_lease.rs"]),
    owned("network_facts", &["installation.rs"]),
    owned("network_limits", &["network_limit.rs"]),
    owned("clock_marks", &["clock/watermark.rs"]),
];

const fn owned(table: &'static str, by: &'static [&'static str]) -> Owned {
    Owned { table, by }
}

/// SQL keywords before a table name.
const BEFORE_TABLE: &[&str] = &["from", "into", "update", "join", "table"];

/// Checks that the database crate names no table of the migrations.
pub(super) fn database_names_no_table(tree: &Tree) -> Vec<Finding> {
    let migrations = tree.sources.iter().filter(|source| source.path.starts_with("migrations/"));
    let mut tables = Vec::new();
    for migration in migrations {
        let text = migration.text.to_lowercase();
        tables.extend(names_after(&text, &["table", "exists"]).map(|(_, name)| name.to_owned()));
    }
    let mut findings = Vec::new();
    for source in product(tree, "crates/db/src/") {
        for (line, table) in tables_named(source) {
            if tables.contains(&table) {
                let sentence = format!("`db` must not know the table `{table}`");
                findings.push(Finding::new(&source.path, line, sentence));
            }
        }
    }
    findings
}

/// Checks that only the owner of a table names it in SQL.
pub(super) fn tables_have_owners(tree: &Tree) -> Vec<Finding> {
    foreign_tables(tree, OWNERS)
}

fn foreign_tables(tree: &Tree, owners: &[Owned]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for folder in ["crates/platform/src/", "crates/server/src/"] {
        for source in product(tree, folder) {
            let place = &source.path[folder.len()..];
            for (line, table) in tables_named(source) {
                let Some(owned) = owners.iter().find(|owned| owned.table == table) else {
                    continue;
                };
                if !in_folders(place, owned.by) {
                    let owners = owned.by.join(", ");
                    let sentence = format!("the table `{table}` belongs to {owners}");
                    findings.push(Finding::new(&source.path, line, sentence));
                }
            }
        }
    }
    findings
}

fn product<'a>(tree: &'a Tree, folder: &'a str) -> impl Iterator<Item = &'a Source> {
    tree.sources.iter().filter(move |source| source.is_product() && source.path.starts_with(folder))
}

/// Tables named in a file's SQL, with line numbers.
fn tables_named(source: &Source) -> Vec<(usize, String)> {
    let shipped = mask::without_tests_of(&source.text);
    // ASCII only: other letters may change their length and shift offsets.
    let text = mask::comments(&shipped).to_ascii_lowercase();
    names_after(&text, BEFORE_TABLE)
        // `join!(members::…` names a module.
        .filter(|(at, name)| !text[at + name.len()..].starts_with("::"))
        .map(|(at, name)| (line_at(&text, at), name.to_owned()))
        .collect()
}

/// Words directly after one of `words`, with their offsets.
fn names_after<'a>(text: &'a str, words: &'a [&str]) -> impl Iterator<Item = (usize, &'a str)> {
    let mut before = "";
    text.split(|character: char| !super::is_word(character)).filter_map(move |word| {
        if word.is_empty() {
            return None;
        }
        let found = words.contains(&before);
        before = word;
        found.then(|| (word.as_ptr() as usize - text.as_ptr() as usize, word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_database_naming_a_table_is_found() {
        let tree = Tree::of(&[
            ("migrations/0001_posts.sql", "CREATE TABLE IF NOT EXISTS posts (id bigint);\n"),
            (
                "crates/db/src/lib.rs",
                "// from posts\nsql(\"select 1 from applied\");\nsql(\"select 1\n from posts\");\n",
            ),
        ]);
        let findings = database_names_no_table(&tree);
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].line, 4);
    }

    #[test]
    fn another_features_sql_is_found() {
        let owners = [Owned { table: "likes", by: &["features/posts/"] }];
        let text = "sql!(\"update likes set a = 1\")";
        let tree = Tree::of(&[
            ("crates/server/src/features/posts/likes.rs", text),
            ("crates/server/src/features/follows.rs", text),
            ("crates/platform/src/jobs.rs", text),
        ]);
        let findings = foreign_tables(&tree, &owners);
        let paths: Vec<_> = findings.iter().map(|found| found.path.as_str()).collect();
        assert_eq!(paths, ["crates/platform/src/jobs.rs", "crates/server/src/features/follows.rs"]);
    }
}
