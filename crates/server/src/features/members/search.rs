//! Searches members by a part of their username or display name.

use crate::features::members::MembersState;
use crate::features::members::search_index::{MAX_SUFFIX, MatchPosition, search_key};
use crate::features::members::{self, User};
use crate::features::relationships::HiddenMembers;
use crate::features::relationships::follows::{self, Neighborhood};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::{ApiError, Result};
use crate::http::extract::{OffsetQuery, Query};
use crate::http::pagination::MAX_SCAN;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::Json;
use axum::extract::State;
use kith_db::{Reader, Row, Sql, SqlIn, params, sql, sql_in};
use serde::Deserialize;
use std::collections::HashSet;
use std::sync::Arc;
use utoipa::IntoParams;

/// Maximum length of a search term, in code points.
const MAX_TERM: usize = 100;
/// Maximum candidates per index position, and rows of the first read.
const MAX_CANDIDATES: usize = 50;
/// Candidates after which a position is read no further. Half of `MAX_CANDIDATES`: a member can match by two names.
const MIN_CANDIDATES: usize = 25;
/// Rows of each further read, so that suspended members do not displace visible ones.
const FURTHER_ROWS: usize = 500;

/// Index positions that are searched first.
const START: [MatchPosition; 1] = [MatchPosition::Start];
/// Index positions that are searched if the matches at `START` do not fill the page.
const WITHIN: [MatchPosition; 2] = [MatchPosition::Word, MatchPosition::Inside];

const RANGE: Sql = sql!(
    "select term, member_id from search_terms
     where place = $1 and (term, member_id) > ($2, $3) and term <= $4
     order by place, term, member_id limit $5"
);
static KEYS: SqlIn = sql_in!(
    "select id, follower_count, search_key, username, display_name from members where id in ($ids)"
);

/// Query parameters of the search.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// Any part of a username or display name, at most 100 characters. A leading @ is ignored. An empty query
    /// returns no members.
    #[param(min_length = 0, max_length = 100, example = "ada")]
    pub q: Option<String>,
}

/// Searches members by a part of their username or display name, ignoring case and accents. Ranks the owner
/// of that exact username first, then exact names, names that begin with the term, and other matches. Within
/// each group, ranks mutual follows first, then members the viewer follows, followers of the viewer,
/// members followed by members the viewer follows, and finally by follower count.
#[utoipa::path(get, path = "/api/users/search", operation_id = "searchUsers", tag = "users", params(SearchQuery, OffsetQuery),
    responses((status = 200, body = [User])))]
pub async fn search_users(
    State(state): State<Arc<MembersState>>,
    auth: AuthenticatedMember,
    Query(query): Query<SearchQuery>,
    Query(slice): Query<OffsetQuery>,
) -> Result<Json<Vec<User>>> {
    state.rate_limiter.check_member(MemberAction::Search, auth.member)?;
    let (limit, offset) = slice.bounds(20)?;
    let Some(term) = normalize_term("q", &query.q.unwrap_or_default())? else {
        return Ok(Json(Vec::new()));
    };
    let db = state.db.reader();
    let (neighborhood, hidden) = futures_util::try_join!(
        follows::load_neighborhood(&state.relationships.neighborhoods, &db, auth.member),
        HiddenMembers::load_cached(&state.relationships.visibility, &db, auth.member)
    )?;
    let search =
        MemberSearch { db: &db, neighborhood: &neighborhood, hidden: &hidden, term: &term };
    let found = search.rank_members(auth.member, offset.saturating_add(limit)).await?;
    let page = found.iter().skip(offset).take(limit);
    let page = page.copied().collect::<Vec<_>>();
    Ok(Json(members::load_users(&state.members, &db, auth.member, &hidden, &page).await?))
}

/// Match rank, member id and follower count.
type Match = (MatchRank, i64, i64);

/// Search of one viewer.
struct MemberSearch<'a> {
    db: &'a Reader<'a>,
    neighborhood: &'a Neighborhood,
    hidden: &'a HiddenMembers,
    term: &'a str,
}

impl MemberSearch<'_> {
    /// Ranks matching members, best first. Beyond the first `wanted` the list may be incomplete.
    async fn rank_members(&self, viewer: Id, wanted: usize) -> Result<Vec<i64>> {
        let mut found = self.find_matches(wanted).await?;
        found.sort_unstable();
        // Looks up followers of the viewer only among members who can be on the page: each costs an index probe.
        if let Some((worst, ..)) = wanted.checked_sub(1).and_then(|last| found.get(last)) {
            let end = found.partition_point(|(rank, ..)| rank <= worst);
            found.truncate(end);
        }
        let ids = found.iter().map(|(_, id, _)| *id).collect::<Vec<_>>();
        let followers_of_viewer = follows::filter_followers(self.db, viewer, &ids).await?;
        let mut found = found
            .into_iter()
            .map(|(rank, id, followers)| {
                (rank, self.distance(id, &followers_of_viewer), -followers, id)
            })
            .collect::<Vec<_>>();
        found.sort_unstable();
        Ok(found.into_iter().map(|row| row.3).collect())
    }

    /// Finds members whose names begin with the term; if they do not fill the page, also members whose names contain
    /// it.
    async fn find_matches(&self, wanted: usize) -> Result<Vec<Match>> {
        let (named, owner) = futures_util::try_join!(
            find_candidates(self.db, self.hidden, self.term, &START),
            async { Ok(members::find_by_username(self.db, self.term).await?) },
        )?;
        let ids = self.select_ids(named, owner);
        let found = load_matches(self.db, &self.filter_visible(&ids), self.term).await?;
        if has_enough_prefixes(&found, wanted) {
            return Ok(found);
        }
        let more = find_candidates(self.db, self.hidden, self.term, &WITHIN).await?;
        let more = self.select_ids(more, None);
        let more = more.difference(&ids).copied().collect();
        let more = load_matches(self.db, &self.filter_visible(&more), self.term).await?;
        Ok(append_matches(found, more))
    }

    /// Returns the ids to load first. If the prefix matches were truncated, adds the owner of the exact
    /// username and the members the viewer follows.
    fn select_ids(
        &self,
        (mut ids, is_complete): (HashSet<i64>, bool),
        owner: Option<Id>,
    ) -> HashSet<i64> {
        if !is_complete {
            ids.extend(owner.map(|id| id.0));
            ids.extend(self.neighborhood.newest_follows());
        }
        ids
    }

    /// Filters out members hidden from the viewer.
    fn filter_visible(&self, ids: &HashSet<i64>) -> Vec<i64> {
        let ids = ids.iter().copied();
        ids.filter(|id| !self.hidden.is_hidden_everywhere(*id)).collect()
    }

    /// Ranks social distance: mutual follow, followed, follower, second degree, other.
    fn distance(&self, member: i64, followers_of_viewer: &HashSet<i64>) -> u8 {
        match (self.neighborhood.follows(member), followers_of_viewer.contains(&member)) {
            (true, true) => 0,
            (true, false) => 1,
            (false, true) => 2,
            _ if self.neighborhood.second_degree(member).is_some() => 3,
            _ => 4,
        }
    }
}

/// Returns whether at least `wanted` members match by prefix.
fn has_enough_prefixes(found: &[Match], wanted: usize) -> bool {
    let begins = found.iter().filter(|(rank, ..)| *rank <= MatchRank::ByPrefix);
    begins.count() >= wanted
}

/// Appends further matches with rank `Within`, so that every page of an incomplete search has the same order.
fn append_matches(mut found: Vec<Match>, more: Vec<Match>) -> Vec<Match> {
    let more = more.into_iter();
    found.extend(more.map(|(rank, id, followers)| (rank.max(MatchRank::Within), id, followers)));
    found
}

/// Loads members and keeps those whose names contain the term.
async fn load_matches(db: &Reader<'_>, ids: &[i64], term: &str) -> Result<Vec<Match>> {
    let rows = db
        .all_in(&KEYS, &[], ids, |row| {
            let id = row.int(0)?;
            // A migration may have reset the key to rebuild the index; compute it until then.
            let key = match row.opt_text(2)? {
                Some(key) => key,
                None => search_key(&row.text(3)?, &row.text(4)?),
            };
            Ok((match_rank(&key, term), id, row.int(1)?))
        })
        .await?;
    let found = rows.into_iter();
    let found = found.filter_map(|(rank, id, followers)| Some((rank?, id, followers)));
    Ok(found.collect())
}

/// Finds members whose names contain the term, including suspended ones: exact username first, then by rank.
/// Long results are truncated. `field` is the parameter reported when the term is too long.
pub async fn find_matching(db: &Reader<'_>, field: &'static str, typed: &str) -> Result<Vec<i64>> {
    let Some(term) = normalize_term(field, typed)? else {
        return Ok(Vec::new());
    };
    let positions = [MatchPosition::Start, MatchPosition::Word, MatchPosition::Inside];
    let (mut ids, _) = find_candidates(db, &HiddenMembers::none(), &term, &positions).await?;
    ids.extend(members::find_by_username(db, &term).await?.map(|id| id.0));
    let ids = ids.into_iter().collect::<Vec<_>>();
    let mut found = load_matches(db, &ids, &term).await?;
    found.sort_unstable();
    Ok(found.into_iter().map(|(_, id, _)| id).collect())
}

/// Normalizes a search term; `None` if it has no visible characters.
fn normalize_term(field: &'static str, typed: &str) -> Result<Option<String>> {
    if typed.chars().count() > MAX_TERM {
        return Err(ApiError::missing_field(
            field,
            "A search term can have at most 100 characters.",
        ));
    }
    let term = kith_text::fold(&kith_text::clean_line(typed));
    let term = term.trim_start_matches('@').trim();
    Ok(Some(term.to_owned()).filter(|term| !kith_text::is_blank(term)))
}

/// Collects the ids of visible members that match at the given index positions, and whether the result is complete.
async fn find_candidates(
    db: &Reader<'_>,
    hidden: &HiddenMembers,
    term: &str,
    positions: &[MatchPosition],
) -> Result<(HashSet<i64>, bool)> {
    let start = term.chars().take(MAX_SUFFIX).collect::<String>();
    // U+10FFFF is the greatest code point.
    let end = format!("{start}\u{10ffff}");
    let positions = positions.iter();
    let found = positions.map(|position| scan_range(db, hidden, *position, (&start, &end)));
    let found = futures_util::future::try_join_all(found).await?;
    let is_complete = found.iter().all(|(_, is_complete)| *is_complete);
    let found = found.into_iter().flat_map(|(found, _)| found);
    Ok((found.collect(), is_complete))
}

/// Collects the ids of visible members at one index position whose terms are between `start` and `end`.
async fn scan_range(
    db: &Reader<'_>,
    hidden: &HiddenMembers,
    position: MatchPosition,
    (start, end): (&String, &String),
) -> Result<(HashSet<i64>, bool)> {
    let mut found = HashSet::new();
    // 0 is less than every member id.
    let (mut after, mut limit, mut scanned) = ((start.clone(), 0), MAX_CANDIDATES, 0);
    loop {
        let parameters = params![position as i64, &after.0, after.1, end, limit];
        let read = |row: &Row<'_>| Ok((row.text(0)?, row.int(1)?));
        let rows = db.all(&RANGE, parameters, read).await?;
        for (_, id) in &rows {
            if found.len() == MAX_CANDIDATES {
                return Ok((found, false));
            }
            if !hidden.is_hidden_everywhere(*id) {
                found.insert(*id);
            }
        }
        scanned += rows.len();
        let is_complete = rows.len() < limit;
        match rows.into_iter().next_back() {
            Some(last) if !is_complete && found.len() < MIN_CANDIDATES && scanned < MAX_SCAN => {
                after = last;
            }
            _ => return Ok((found, is_complete)),
        }
        limit = FURTHER_ROWS;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MatchRank {
    /// The term is the member's username.
    ByUsername,
    Exactly,
    ByPrefix,
    Within,
}

fn match_rank(key: &str, term: &str) -> Option<MatchRank> {
    let rank = |name: &str| {
        if name == term {
            Some(MatchRank::Exactly)
        } else if name.starts_with(term) {
            Some(MatchRank::ByPrefix)
        } else {
            name.contains(term).then_some(MatchRank::Within)
        }
    };
    if key.split('\n').next() == Some(term) {
        return Some(MatchRank::ByUsername);
    }
    key.split('\n').filter_map(rank).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: search-order
    #[test]
    fn exact_is_better_than_prefix_is_better_than_within() {
        for (term, expected) in [
            ("ada", Some(MatchRank::ByUsername)),
            ("ada lovelace", Some(MatchRank::Exactly)),
            ("ada l", Some(MatchRank::ByPrefix)),
            ("love", Some(MatchRank::Within)),
            ("lace", Some(MatchRank::Within)),
            ("a", Some(MatchRank::ByPrefix)),
            ("l", Some(MatchRank::Within)),
            ("v", Some(MatchRank::Within)),
            ("z", None),
            ("bob", None),
        ] {
            assert_eq!(match_rank("ada\nada lovelace", term), expected, "{term}");
        }
    }
}
