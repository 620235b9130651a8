//! People without an invite who asked to be told when it is their turn.

use crate::app::App;
use crate::auth::Email;
use crate::clock::Millis;
use crate::error::Result;
use crate::extract::Body;
use crate::limits::{Client, Visit};
use axum::Json;
use axum::extract::State;
use kith_db::{Sql, Tx, params, sql};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const JOIN: Sql =
    sql!("insert into waitlist (email, joined_at) values ($1, $2) on conflict (email) do nothing");

/// Who wants to join.
#[derive(Debug, Deserialize, ToSchema)]
pub struct JoinWaitlist {
    /// Their address. Case, spaces around it and compatibility forms do not matter.
    #[schema(value_type = String)]
    pub email: Option<String>,
}

/// A sentence that says what happened.
#[derive(Debug, Serialize, ToSchema)]
pub struct Message {
    /// For a person.
    #[schema(
        min_length = 1,
        max_length = 500,
        example = "We'll let you know when it's your turn."
    )]
    pub message: String,
}

impl Message {
    /// Wraps a sentence.
    pub fn new(text: impl Into<String>) -> Json<Self> {
        Json(Self {
            message: text.into(),
        })
    }
}

/// Joins the waitlist. The answer is the same for an address that already stands on it.
#[utoipa::path(post, path = "/api/waitlist", operation_id = "joinWaitlist", tag = "waitlist", request_body = JoinWaitlist, security(()),
    responses((status = 200, body = Message)))]
pub async fn join(
    State(app): State<App>,
    client: Client,
    Body(body): Body<JoinWaitlist>,
) -> Result<Json<Message>> {
    app.limits.visit(Visit::Waitlist, client)?;
    let email = Email::parse(body.email.as_deref().unwrap_or_default())?;
    app.db
        .write(Join {
            email,
            now: app.now(),
        })
        .await?;
    Ok(Message::new("We'll let you know when it's your turn."))
}

struct Join {
    email: Email,
    now: Millis,
}

impl kith_db::Write for Join {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&JOIN, params![self.email.as_str(), self.now])
            .await
            .map(drop)
    }
}
