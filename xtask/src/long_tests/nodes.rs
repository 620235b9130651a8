//! `cargo xtask nodes`: the API tests with requests that go to several nodes in turn.

use anyhow::{Context as _, Result, bail};

use crate::services::postgres::Cluster;
use crate::services::s3_server::Bucket;
use crate::support::{cargo, process, web_app};

/// Tests of what each node does alone: limits on its own requests, its caches, its jobs, its end.
const ONE_NODE: &[&str] = &[
    "events::a_member_has_at_most_four_streams",
    "events::a_stopping_server_ends_its_streams",
    "limits::a_stolen_session_cannot_prevent_its_end",
    "media::abusing::a_retry_aborts_the_first_upload",
    "media::sending::visitors_cannot_block_uploads",
    "neighbours::invalid_links_block_no_email_change",
    "neighbours::invalid_links_block_no_login_from_a_shared_ip",
    "neighbours::malformed_requests_do_not_limit_others",
    "neighbours::unfinished_requests_block_no_member_of_a_shared_ip",
    "neighbours::unfinished_requests_do_not_block_the_web_app",
    "posts::caches::cached_feeds_equal_the_database",
    "waitlist::a_full_waitlist_accepts_no_entry",
];

/// Runs the API tests on PostgreSQL.
pub(crate) fn command(arguments: &[String]) -> Result<()> {
    let count = parse_args(arguments)?;
    web_app::ensure_dist_folder()?;
    let (cluster, bucket) = (Cluster::start()?, Bucket::start()?);
    let mut command = cargo::command(&["test", "-p", "kith", "--test", "api"]);
    command.args(["--", "::postgres", "nodes::"]);
    for test in ONE_NODE {
        command.args(["--skip", test]);
    }
    command
        .env("KITH_TEST_NODES", count.to_string())
        .env("KITH_TEST_POSTGRES", cluster.url())
        .envs(bucket.environment())
        // Each node has its own connections.
        .env("RUST_TEST_THREADS", "4");
    process::run(&mut command)
}

/// Parses the number of nodes.
fn parse_args(arguments: &[String]) -> Result<u32> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(3),
        ["--nodes", count] => count.parse().context("`--nodes` takes a number"),
        _ => bail!("the only flag is --nodes N"),
    }
}

#[cfg(test)]
mod tests {
    use super::{ONE_NODE, parse_args};
    use crate::support::arguments;

    #[test]
    fn the_command_line_is_parsed() {
        let parse = |words: &[&str]| parse_args(&arguments(words));
        assert_eq!(parse(&[]).expect("no flag is required"), 3);
        assert_eq!(parse(&["--nodes", "2"]).expect("a number"), 2);
        for wrong in [&["--nodes"][..], &["--nodes", "many"], &["2"]] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn every_skipped_test_exists() {
        for test in ONE_NODE {
            let (file, function) = test.rsplit_once("::").expect("a module");
            let path = format!("crates/server/tests/api/{}.rs", file.replace("::", "/"));
            let text = std::fs::read_to_string(crate::support::paths::root().join(&path));
            assert!(text.expect("the file is there").contains(function), "{test}");
        }
    }
}
