//! Finding members by a part of their names.

use crate::features::members::MembersState;
use crate::features::members::search_index::{LENGTH, Place, key};
use crate::features::members::{self, User};
use crate::features::relationships::Unseen;
use crate::features::relationships::follows::{self, Circle};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Query, SliceQuery};
use crate::http::pagination::FARTHEST;
use crate::platform::ids::Id;
use crate::platform::rate_limit::Act;
use axum::Json;
use axum::extract::State;
use kith_db::{Reader, Row, Sql, SqlIn, params, sql, sql_in};
use serde::Deserialize;
use std::collections::HashSet;
use std::sync::Arc;
use utoipa::IntoParams;

/// Code points of a term, as sent.
const LONGEST: usize = 100;
/// Members that each kind of match contributes at most, and rows that are first read for them.
const MATCHES: usize = 50;
/// Members after which a kind of match is read no further: the first rows hold as many if each is there by both names.
const ENOUGH: usize = 25;
/// Rows of each further read, so that suspended members cannot crowd others out.
const FURTHER: usize = 500;

/// Where names are looked at first, and where then.
const START: [Place; 1] = [Place::Start];
const WITHIN: [Place; 2] = [Place::Word, Place::Inside];

const RANGE: Sql = sql!(
    "select term, member_id from search_terms
     where place = $1 and (term, member_id) > ($2, $3) and term <= $4
     order by place, term, member_id limit $5"
);
static KEYS: SqlIn = sql_in!(
    "select id, follower_count, search_key, username, display_name from members where id in ($ids)"
);

/// Whom to look for.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// Any part of a username or display name, at most 100 characters; a leading @ does not
    /// matter. Nobody is found by an empty term.
    #[param(min_length = 0, max_length = 100, example = "ada")]
    pub q: Option<String>,
}

/// Members whose username or display name holds the term, whatever its case and accents.
/// The member of that username first, then exact names, then names that begin with it, then the
/// others; among these, mutual follows, those I follow, my followers, those near me, and then by
/// followers.
#[utoipa::path(get, path = "/api/users/search", operation_id = "searchUsers", tag = "users", params(SearchQuery, SliceQuery),
    responses((status = 200, body = [User])))]
pub async fn search(
    State(app): State<Arc<MembersState>>,
    auth: AuthenticatedMember,
    Query(query): Query<SearchQuery>,
    Query(slice): Query<SliceQuery>,
) -> Result<Json<Vec<User>>> {
    app.limits.act(Act::Search, auth.member)?;
    let (limit, offset) = slice.bounds(20)?;
    let Some(term) = term("q", &query.q.unwrap_or_default())? else {
        return Ok(Json(Vec::new()));
    };
    let db = app.db.reader();
    let (circle, unseen) = futures_util::try_join!(
        follows::circle(&app.relationships.circles, &db, auth.member),
        Unseen::remembered(&app.relationships.visibility, &db, auth.member)
    )?;
    let look = Look {
        db: &db,
        circle: &circle,
        unseen: &unseen,
        term: &term,
    };
    let found = look
        .ranked(auth.member, offset.saturating_add(limit))
        .await?;
    let page = found.iter().skip(offset).take(limit);
    let page = page.copied().collect::<Vec<_>>();
    Ok(Json(
        members::list(&app.members, &db, auth.member, &unseen, &page).await?,
    ))
}

/// How well they match, who, and how many follow them.
type Match = (How, i64, i64);

/// One reader's search.
struct Look<'a> {
    db: &'a Reader<'a>,
    circle: &'a Circle,
    unseen: &'a Unseen,
    term: &'a str,
}

impl Look<'_> {
    /// The members who match, best first; beyond the first `wanted` perhaps not all.
    async fn ranked(&self, viewer: Id, wanted: usize) -> Result<Vec<i64>> {
        let mut found = self.matches(wanted).await?;
        found.sort_unstable();
        // Who follows the viewer is asked only of those who can be on the page: that costs a look-up for each.
        if let Some((worst, ..)) = wanted.checked_sub(1).and_then(|last| found.get(last)) {
            let end = found.partition_point(|(how, ..)| how <= worst);
            found.truncate(end);
        }
        let ids = found.iter().map(|(_, id, _)| *id).collect::<Vec<_>>();
        let fans = follows::followers_among(self.db, viewer, &ids).await?;
        let mut found = found
            .into_iter()
            .map(|(how, id, followers)| (how, self.distance(id, &fans), -followers, id))
            .collect::<Vec<_>>();
        found.sort_unstable();
        Ok(found.into_iter().map(|row| row.3).collect())
    }

    /// Members whose names begin with the term; where those do not fill the page, also those whose names hold it.
    async fn matches(&self, wanted: usize) -> Result<Vec<Match>> {
        let (named, holder) =
            futures_util::try_join!(members(self.db, self.unseen, self.term, &START), async {
                Ok(members::find_by_username(self.db, self.term).await?)
            },)?;
        let ids = self.first(named, holder);
        let found = matching(self.db, &self.seen(&ids), self.term).await?;
        if fills(&found, wanted) {
            return Ok(found);
        }
        let more = members(self.db, self.unseen, self.term, &WITHIN).await?;
        let more = self.first(more, None);
        let more = more.difference(&ids).copied().collect();
        let more = matching(self.db, &self.seen(&more), self.term).await?;
        Ok(behind(found, more))
    }

    /// Ids to load first: members whose names begin with the term. Of very many there are only some; then also the
    /// holder of that username, and those whom the reader follows.
    fn first(&self, (mut ids, is_whole): (HashSet<i64>, bool), holder: Option<Id>) -> HashSet<i64> {
        if !is_whole {
            ids.extend(holder.map(|id| id.0));
            ids.extend(self.circle.newest_follows());
        }
        ids
    }

    /// Those of some members whom the reader sees.
    fn seen(&self, ids: &HashSet<i64>) -> Vec<i64> {
        let ids = ids.iter().copied();
        ids.filter(|id| !self.unseen.is_apart(*id)).collect()
    }

    /// Mutual follows, those I follow, my followers, those near me, the others.
    fn distance(&self, member: i64, fans: &HashSet<i64>) -> u8 {
        match (self.circle.follows(member), fans.contains(&member)) {
            (true, true) => 0,
            (true, false) => 1,
            (false, true) => 2,
            _ if self.circle.near(member).is_some() => 3,
            _ => 4,
        }
    }
}

/// Whether the names of so many begin with the term.
fn fills(found: &[Match], wanted: usize) -> bool {
    let begins = found.iter().filter(|(how, ..)| *how <= How::ByPrefix);
    begins.count() >= wanted
}

/// Members beyond the first matches are found by chance, so they come behind: each page needs the same order.
fn behind(mut found: Vec<Match>, more: Vec<Match>) -> Vec<Match> {
    let more = more.into_iter();
    found.extend(more.map(|(how, id, followers)| (how.max(How::Within), id, followers)));
    found
}

/// Those of some members whose names hold the term.
async fn matching(db: &Reader<'_>, ids: &[i64], term: &str) -> Result<Vec<Match>> {
    let rows = db
        .all_in(&KEYS, &[], ids, |row| {
            let id = row.int(0)?;
            // An upgrade may have asked for a member's terms to be written again: those of before hold till then.
            let key = match row.opt_text(2)? {
                Some(key) => key,
                None => key(&row.text(3)?, &row.text(4)?),
            };
            Ok((how(&key, term), id, row.int(1)?))
        })
        .await?;
    let found = rows.into_iter();
    let found = found.filter_map(|(how, id, followers)| Some((how?, id, followers)));
    Ok(found.collect())
}

/// Members whose names hold the term, suspended or not: the exact username first, then by match. Of very many, some.
/// `field` names the parameter in the error for a term that is too long.
pub async fn named(db: &Reader<'_>, field: &'static str, typed: &str) -> Result<Vec<i64>> {
    let Some(term) = term(field, typed)? else {
        return Ok(Vec::new());
    };
    let all = [Place::Start, Place::Word, Place::Inside];
    let (mut ids, _) = members(db, &Unseen::nobody(), &term, &all).await?;
    ids.extend(members::find_by_username(db, &term).await?.map(|id| id.0));
    let ids = ids.into_iter().collect::<Vec<_>>();
    let mut found = matching(db, &ids, &term).await?;
    found.sort_unstable();
    Ok(found.into_iter().map(|(_, id, _)| id).collect())
}

/// A typed term as it is compared; nothing when nothing can be seen in it.
fn term(field: &'static str, typed: &str) -> Result<Option<String>> {
    if typed.chars().count() > LONGEST {
        return Err(ApiError::missing(
            field,
            "A search term can have at most 100 characters.",
        ));
    }
    let term = kith_text::fold(&kith_text::clean_line(typed));
    let term = term.trim_start_matches('@').trim();
    Ok(Some(term.to_owned()).filter(|term| !kith_text::is_blank(term)))
}

/// The members that the reader sees among matches in these places of the index, and whether these are all.
async fn members(
    db: &Reader<'_>,
    unseen: &Unseen,
    term: &str,
    places: &[Place],
) -> Result<(HashSet<i64>, bool)> {
    let start = term.chars().take(LENGTH).collect::<String>();
    // No character sorts behind the last one.
    let end = format!("{start}\u{10ffff}");
    let places = places.iter();
    let found = places.map(|place| range(db, unseen, *place, (&start, &end)));
    let found = futures_util::future::try_join_all(found).await?;
    let is_whole = found.iter().all(|(_, is_whole)| *is_whole);
    let found = found.into_iter().flat_map(|(found, _)| found);
    Ok((found.collect(), is_whole))
}

/// The same at one place, between two terms.
async fn range(
    db: &Reader<'_>,
    unseen: &Unseen,
    place: Place,
    (start, end): (&String, &String),
) -> Result<(HashSet<i64>, bool)> {
    let mut found = HashSet::new();
    // Nobody has the number 0.
    let (mut after, mut step, mut passed) = ((start.clone(), 0), MATCHES, 0);
    loop {
        let bound = params![place as i64, &after.0, after.1, end, step];
        let read = |row: &Row<'_>| Ok((row.text(0)?, row.int(1)?));
        let rows = db.all(&RANGE, bound, read).await?;
        for (_, id) in &rows {
            if found.len() == MATCHES {
                return Ok((found, false));
            }
            if !unseen.is_apart(*id) {
                found.insert(*id);
            }
        }
        passed += rows.len();
        let is_whole = rows.len() < step;
        match rows.into_iter().next_back() {
            Some(last) if !is_whole && found.len() < ENOUGH && passed < FARTHEST => after = last,
            _ => return Ok((found, is_whole)),
        }
        step = FURTHER;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum How {
    /// It is the username, which only one member has.
    ByUsername,
    Exactly,
    ByPrefix,
    Within,
}

fn how(key: &str, term: &str) -> Option<How> {
    let of = |name: &str| {
        if name == term {
            Some(How::Exactly)
        } else if name.starts_with(term) {
            Some(How::ByPrefix)
        } else {
            name.contains(term).then_some(How::Within)
        }
    };
    if key.split('\n').next() == Some(term) {
        return Some(How::ByUsername);
    }
    key.split('\n').filter_map(of).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: search-order
    #[test]
    fn exact_is_better_than_prefix_is_better_than_within() {
        for (term, expected) in [
            ("ada", Some(How::ByUsername)),
            ("ada lovelace", Some(How::Exactly)),
            ("ada l", Some(How::ByPrefix)),
            ("love", Some(How::Within)),
            ("lace", Some(How::Within)),
            ("a", Some(How::ByPrefix)),
            ("l", Some(How::Within)),
            ("v", Some(How::Within)),
            ("z", None),
            ("bob", None),
        ] {
            assert_eq!(how("ada\nada lovelace", term), expected, "{term}");
        }
    }
}
