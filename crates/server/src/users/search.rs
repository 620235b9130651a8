//! Finding members by a part of their names.

use crate::app::App;
use crate::error::{ApiError, Result};
use crate::extract::{Query, SliceQuery};
use crate::follows::{self, Circle};
use crate::ids::Id;
use crate::limits::Act;
use crate::safety::Unseen;
use crate::session::Session;
use crate::text;
use crate::users::terms::{LENGTH, Place, is_letter};
use crate::users::{self, User};
use axum::Json;
use axum::extract::State;
use kith_db::{Reader, Sql, SqlIn, params, sql, sql_in};
use serde::Deserialize;
use std::collections::HashSet;
use utoipa::IntoParams;

/// Code points of a term, as sent.
const LONGEST: usize = 100;
/// Rows that each kind of match contributes at most.
const MATCHES: usize = 50;

const RANGE: Sql = sql!(
    "select member_id from search_terms where place = $1 and term >= $2 and term <= $3
     order by place, term, member_id limit $4"
);
static KEYS: SqlIn =
    sql_in!("select id, search_key, follower_count from members where id in ($ids)");

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
    State(app): State<App>,
    session: Session,
    Query(query): Query<SearchQuery>,
    Query(slice): Query<SliceQuery>,
) -> Result<Json<Vec<User>>> {
    app.limits.act(Act::Search, session.member)?;
    let (limit, offset) = slice.bounds(20)?;
    let Some(term) = term("q", &query.q.unwrap_or_default())? else {
        return Ok(Json(Vec::new()));
    };
    let db = app.db.reader().await?;
    let (circle, unseen) = futures_util::try_join!(
        follows::circle(&app, &db, session.member),
        Unseen::of(&db, session.member)
    )?;
    let mut found = ranked(&db, session.member, &circle, &term).await?;
    found.retain(|member| !unseen.is_apart(*member));
    let page = found.iter().skip(offset).take(limit);
    let page = page.copied().collect::<Vec<_>>();
    Ok(Json(
        users::list(&db, session.member, &unseen, &page).await?,
    ))
}

/// Who matches, best first.
async fn ranked(db: &Reader<'_>, reader: Id, circle: &Circle, term: &str) -> Result<Vec<i64>> {
    let ids = candidates(db, circle, term).await?;
    let fans = follows::followers_among(db, reader, &ids).await?;
    let rows = db
        .all_in(&KEYS, &[], &ids, |row| {
            Ok((row.int(0)?, row.opt_text(1)?, row.int(2)?))
        })
        .await?;
    let mut found = Vec::new();
    for (id, key, followers) in rows {
        let Some(how) = key.and_then(|key| how(&key, term)) else {
            continue;
        };
        let close = match (circle.follows(id), fans.contains(&id)) {
            (true, true) => 0,
            (true, false) => 1,
            (false, true) => 2,
            _ if circle.near(id).is_some() => 3,
            _ => 4,
        };
        found.push((how, close, -followers, id));
    }
    found.sort_unstable();
    // A list that is padded answers its last member more than once.
    found.dedup();
    Ok(found.into_iter().map(|row| row.3).collect())
}

/// Members whose names hold the term, whoever looks and suspended or not; the one of that
/// username first, then by how well they match. Of very many, some. `field` is the name of the
/// parameter that a term which is too long is complained of by.
pub async fn named(db: &Reader<'_>, field: &'static str, typed: &str) -> Result<Vec<i64>> {
    let Some(term) = term(field, typed)? else {
        return Ok(Vec::new());
    };
    let (mut ids, _) = matches(db, &term).await?;
    ids.extend(users::find_by_username(db, &term).await?.map(|id| id.0));
    let ids = ids.into_iter().collect::<Vec<_>>();
    let rows = db
        .all_in(&KEYS, &[], &ids, |row| Ok((row.int(0)?, row.opt_text(1)?)))
        .await?;
    let found = rows.into_iter();
    let found = found.filter_map(|(id, key)| key.and_then(|key| how(&key, &term)).zip(Some(id)));
    let mut found = found.collect::<Vec<_>>();
    found.sort_unstable();
    found.dedup();
    Ok(found.into_iter().map(|row| row.1).collect())
}

/// A typed term as it is compared; nothing when nothing can be seen in it.
fn term(field: &'static str, typed: &str) -> Result<Option<String>> {
    if typed.chars().count() > LONGEST {
        return Err(ApiError::missing(
            field,
            "A search term can have at most 100 characters.",
        ));
    }
    let term = text::fold(&text::clean_line(typed));
    let term = term.trim_start_matches('@').trim();
    Ok(Some(term.to_owned()).filter(|term| !text::is_blank(term)))
}

/// Who may match. When there are more than are looked at, whom I follow is looked at besides.
async fn candidates(db: &Reader<'_>, circle: &Circle, term: &str) -> Result<Vec<i64>> {
    let (mut ids, is_whole) = matches(db, term).await?;
    // However many are called so, whose username it is comes first.
    ids.extend(users::find_by_username(db, term).await?.map(|id| id.0));
    if !is_whole {
        ids.extend(circle.newest_follows());
    }
    Ok(ids.into_iter().collect())
}

/// Who may match by the index of names, and whether these are all.
async fn matches(db: &Reader<'_>, term: &str) -> Result<(HashSet<i64>, bool)> {
    let start = term.chars().take(LENGTH).collect::<String>();
    // No character sorts behind the last one.
    let end = format!("{start}\u{10ffff}");
    let mut ids = HashSet::new();
    let mut is_whole = true;
    for place in [Place::Start, Place::Word, Place::Inside] {
        if place == Place::Inside && is_letter(term) {
            continue;
        }
        let bound = params![place as i64, &start, &end, MATCHES];
        let members = db.all(&RANGE, bound, |row| row.int(0)).await?;
        is_whole &= members.len() < MATCHES;
        ids.extend(members);
    }
    Ok((ids, is_whole))
}

/// How well a name matches.
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
        } else if is_letter(term) {
            let mut words = name.split(|c: char| !c.is_alphanumeric());
            words
                .any(|word| word.starts_with(term))
                .then_some(How::Within)
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
            ("v", None),
            ("bob", None),
        ] {
            assert_eq!(how("ada\nada lovelace", term), expected, "{term}");
        }
    }
}
