//! Answers that count until they are taken: among the calls of a client behind a proxy, or in the bytes that a
//! member leaves unread.

use crate::app::App;
use crate::crowd::{Guest, LATER, Seat};
use crate::error::ApiError;
use crate::ids::Id;
use axum::body::{Body, Bytes, HttpBody};
use axum::response::{IntoResponse as _, Response};
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};

/// Bytes of an answer that need not be counted.
const SMALL: u64 = 32 * 1024;
/// Bytes of an answer that go out at once. The rest is held here until there is room for more.
const PIECE: usize = 16 * 1024;
/// What an answer counts as that is read from somewhere while it goes out.
const STREAM: u64 = 64 * 1024;
/// No answer that is made whole is longer.
const LONGEST: u64 = 8 << 20;

/// The answer to a call that was counted, and goes on to be in the connection's seat.
pub(crate) fn answer(answer: Response, guest: Option<Guest>, seat: Option<Seat>) -> Response {
    match guest {
        Some(guest) => answer.map(|body| Held::body(body, guest, seat)),
        None => answer,
    }
}

/// Notes how long an answer is, for whoever does not see that any more once it is compressed.
pub(crate) async fn measure(mut answer: Response) -> Response {
    if let Some(length) = answer.body().size_hint().exact() {
        answer.extensions_mut().insert(Length(length));
    }
    answer
}

/// Bytes of an answer before it was compressed.
#[derive(Debug, Clone, Copy)]
struct Length(u64);

/// The answer to a member's call, counted unless it is as small as most. 429 instead when too much is not taken yet,
/// unless something was `done`.
pub(crate) fn answer_member(
    app: &App,
    answer: Response,
    member: Option<Id>,
    done: bool,
) -> Response {
    let measured = answer.extensions().get().map(|Length(length)| *length);
    let length = measured.or_else(|| answer.body().size_hint().exact());
    let weight = length.filter(|length| *length <= LONGEST).unwrap_or(STREAM);
    let Some(member) = member.filter(|_| weight > SMALL) else {
        return answer;
    };
    let weight = usize::try_from(weight).unwrap_or(usize::MAX);
    if let Some(guest) = app.crowd.leave(member, weight, done) {
        return self::answer(answer, Some(guest), None);
    }
    metrics::counter!("kith_connections_refused_total").increment(1);
    ApiError::too_many(LATER).into_response()
}

/// An answer that counts until it is taken, and longer where it has a seat.
struct Held {
    body: Body,
    rest: Bytes,
    guest: Option<Guest>,
    seat: Option<Seat>,
}

impl Held {
    fn body(body: Body, guest: Guest, seat: Option<Seat>) -> Body {
        // A head alone fits into any proxy.
        if body.is_end_stream() {
            return body;
        }
        Body::new(Self {
            body,
            rest: Bytes::new(),
            guest: Some(guest),
            seat,
        })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(seat) = &self.seat {
            seat.take(self.guest.take());
        }
    }
}

impl HttpBody for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            let next = std::task::ready!(Pin::new(&mut self.body).poll_frame(context));
            match next.map(|frame| frame.map(Frame::into_data)) {
                Some(Ok(Ok(data))) => self.rest = data,
                Some(Ok(Err(frame))) => return Poll::Ready(Some(Ok(frame))),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
        let length = self.rest.len().min(PIECE);
        let piece = self.rest.split_to(length);
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (behind, rest) = (self.body.size_hint(), self.rest.len() as u64);
        let mut hint = SizeHint::new();
        hint.set_lower(behind.lower() + rest);
        if let Some(upper) = behind.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::Crowd;
    use http_body_util::BodyExt as _;
    use std::net::IpAddr;
    use std::sync::Arc;

    /// proves: busy-behind-proxy
    #[tokio::test]
    async fn an_answer_counts_until_it_is_taken() {
        let crowd = Arc::new(Crowd::default());
        let network = IpAddr::from([192, 0, 2, 1]);
        let guest = crowd.admit(network, 1).unwrap();
        let long = (0..=u8::MAX)
            .cycle()
            .take(3 * PIECE + 7)
            .collect::<Vec<_>>();
        let seat = Seat::default();
        let mut body = Held::body(Body::from(long.clone()), guest, Some(seat.clone()));
        let mut taken = Vec::new();
        while let Some(frame) = body.frame().await {
            assert!(crowd.admit(network, 1).is_none(), "{}", taken.len());
            let left = (long.len() - taken.len()) as u64;
            let piece = frame.unwrap().into_data().unwrap();
            assert!(piece.len() <= PIECE);
            taken.extend_from_slice(&piece);
            let hint = body.size_hint().exact();
            assert_eq!(hint, Some(left - piece.len() as u64));
        }
        assert!(taken == long && body.is_end_stream());
        drop(body);
        assert!(
            crowd.admit(network, 1).is_none(),
            "the proxy may still hold it"
        );
        seat.clear();
        assert_eq!(crowd.told_apart(), 0, "who left is forgotten");
    }
}
