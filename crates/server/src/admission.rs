//! How many calls are worked on at once. More wait a little in a bounded queue; what is beyond that
//! is refused at once, reading before writing: a server that takes everything in answers nobody.

use crate::app::App;
use crate::crowd::{self, Seat};
use crate::error::{ApiError, Result};
use crate::extract::JSON_LIMIT;
use crate::held;
use crate::ids::Id;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt as _, stream};
use metrics::Gauge;
use std::cell::{Cell, RefCell};
use std::hash::{BuildHasher as _, RandomState};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Calls that one core works on at once.
const IN_FLIGHT: usize = 8;
/// Calls for each one worked on that may wait.
const QUEUE: usize = 8;
/// Of those worked on, the ones of one member at least, and one of so many parts.
const SHARE: usize = 4;
/// Members, and homes, whose shares are told apart; those that fall together have one.
const SHARES: usize = 1_024;
/// Calls of one member that wait for others of theirs.
const MOST_OF_ONE: usize = 32;
/// Seconds after which a member may try again who has too many calls under way.
const LATER: u64 = 2;
/// How long a call waits for its turn.
const PATIENCE: Duration = Duration::from_secs(2);

/// What is asked for: the first to be refused when many wait, or the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Feeds, searches and suggestions, which a reader can ask for again.
    Browse,
    /// Logins, writes, and everything else.
    Other,
}

/// Whose a call is, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Whose {
    /// A member's.
    Member(Id),
    /// One whose session is looked for: of the address or household that it came from.
    Home(IpAddr),
    /// The same, of an address that has used its allowance for that up: all of these together.
    Looking,
    /// One by which a member ends sessions, or sees them, from there.
    Ending(Id, IpAddr),
}

/// Bounds the calls in flight.
#[derive(Debug)]
pub struct Admission {
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
    queue: usize,
    members: Vec<Share>,
    homes: Vec<Share>,
    looking: Share,
    endings: Vec<Share>,
    /// Nobody can find out with whom they share.
    hasher: RandomState,
}

/// What one may have of the places, and how many of their calls wait for it.
#[derive(Debug)]
struct Share {
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
}

/// A call's place among those in flight, until it is dropped.
#[derive(Debug)]
pub struct Place {
    _turn: OwnedSemaphorePermit,
    /// Of the share of whose it is, as far as that is known.
    of_share: Option<OwnedSemaphorePermit>,
    in_flight: Gauge,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.in_flight.decrement(1.0);
    }
}

/// One that waits; counted for as long as it does, also when its client goes away.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    /// Also answers how many waited before.
    fn begin(all: &'a AtomicUsize) -> (usize, Self) {
        metrics::gauge!("kith_http_waiting").increment(1.0);
        (all.fetch_add(1, Relaxed), Self(all))
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
        metrics::gauge!("kith_http_waiting").decrement(1.0);
    }
}

/// What the present call is counted by.
struct Call {
    place: RefCell<Option<Place>>,
    /// Who made it, as far as it is known: their answers are counted until they are taken.
    member: Cell<Option<Id>>,
}

tokio::task_local! {
    static CALL: Call;
}

impl Class {
    /// Of a call; none of what takes no place: pages, images, and the sending of files.
    #[must_use]
    pub fn of(method: &Method, path: &str) -> Option<Self> {
        let upload = *method == Method::PUT && path.starts_with("/api/objects/");
        if upload || !path.starts_with("/api/") {
            return None;
        }
        let posts_of = |whose: &str| {
            let rest = path.strip_prefix(whose);
            let name = rest.and_then(|rest| rest.strip_suffix("/posts"));
            name.is_some_and(|name| !name.is_empty() && !name.contains('/'))
        };
        let browse = matches!(
            path,
            "/api/posts/feed"
                | "/api/posts/for-you"
                | "/api/users/search"
                | "/api/users/suggested"
                | "/api/trending"
        );
        let browse = browse || posts_of("/api/users/") || posts_of("/api/hashtags/");
        Some(if browse { Self::Browse } else { Self::Other })
    }
}

impl Admission {
    /// With so many places; eight for each core when it is `None`.
    #[must_use]
    pub fn new(places: Option<usize>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let places = places.unwrap_or(IN_FLIGHT * cores);
        let share = || Share {
            places: Arc::new(Semaphore::new((places / SHARE).max(SHARE))),
            waiting: AtomicUsize::new(0),
        };
        let shares = || std::iter::repeat_with(share).take(SHARES).collect();
        Self {
            places: Arc::new(Semaphore::new(places)),
            waiting: AtomicUsize::new(0),
            queue: places * QUEUE,
            members: shares(),
            homes: shares(),
            looking: share(),
            endings: shares(),
            hasher: RandomState::new(),
        }
    }

    fn share(&self, whose: Whose) -> &Share {
        let shares = match whose {
            Whose::Member(_) => &self.members,
            Whose::Home(_) => &self.homes,
            Whose::Looking => return &self.looking,
            Whose::Ending(..) => &self.endings,
        };
        let place = self.hasher.hash_one(whose) >> 32;
        &shares[place as usize % SHARES]
    }

    /// One of somebody's places, if any is free.
    #[must_use]
    pub fn of_share(&self, whose: Whose) -> Option<OwnedSemaphorePermit> {
        self.share(whose).places.clone().try_acquire_owned().ok()
    }

    /// How many calls of somebody wait for others of theirs.
    #[must_use]
    pub fn waiting_of(&self, whose: Whose) -> usize {
        self.share(whose).waiting.load(Relaxed)
    }

    /// How many wait now.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.load(Relaxed)
    }

    /// Whether a place is free.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.places.available_permits() > 0
    }

    /// Whether a call would be refused at once.
    #[must_use]
    pub fn is_full(&self, class: Class) -> bool {
        !self.has_room() && self.waiting() >= self.room(class)
    }

    /// How many may wait before a call of the class does not.
    const fn room(&self, class: Class) -> usize {
        match class {
            // A quarter of the queue for what can be asked for again.
            Class::Browse => self.queue / 4,
            Class::Other => self.queue,
        }
    }

    /// A place, after some waiting if need be. 503 when too many wait already, or for too long.
    pub async fn enter(&self, class: Class, app: &App) -> Result<Place> {
        let place = match self.places.clone().try_acquire_owned() {
            Ok(place) => place,
            Err(_) => self.wait(class, app).await.ok_or_else(|| shed(class))?,
        };
        let in_flight = metrics::gauge!("kith_http_in_flight");
        in_flight.increment(1.0);
        Ok(Place {
            _turn: place,
            of_share: None,
            in_flight,
        })
    }

    async fn wait(&self, class: Class, app: &App) -> Option<OwnedSemaphorePermit> {
        let (before, _waiting) = Waiting::begin(&self.waiting);
        if before >= self.room(class) {
            return None;
        }
        tokio::select! {
            place = self.places.clone().acquire_owned() => place.ok(),
            () = app.clock.sleep(PATIENCE) => None,
        }
    }
}

fn shed(class: Class) -> ApiError {
    let class = match class {
        Class::Browse => "browse",
        Class::Other => "other",
    };
    metrics::counter!("kith_http_shed_total", "class" => class).increment(1);
    ApiError::unavailable()
}

/// Gives up the present call's place. What waits for something with a bound of its own, such as the
/// making of images, must not keep others out meanwhile; what is left to do after that is little.
pub(crate) fn step_aside() {
    // A call outside of the router, as in a worker, has no place.
    drop(CALL.try_with(|call| call.place.take()));
}

/// Counts the present call among those of whom it is. Who has their share of the places already waits without
/// one, so that one member's calls leave room for everybody else's. 429 when many of theirs wait already,
/// or for too long.
pub(crate) async fn share(app: &App, whose: Whose) -> Result<()> {
    let is_placed = CALL.try_with(|call| call.place.borrow().is_some());
    if !is_placed.unwrap_or(false) || !app.limits.are_on() {
        return Ok(());
    }
    if let Whose::Member(member) = whose {
        app.crowd.look_at(member)?;
        CALL.with(|call| call.member.set(Some(member)));
    }
    if let Some(one) = app.admission.of_share(whose) {
        CALL.with(|call| {
            if let Some(place) = call.place.borrow_mut().as_mut() {
                place.of_share = Some(one);
            }
        });
        return Ok(());
    }
    step_aside();
    let share = app.admission.share(whose);
    let (before, waiting) = Waiting::begin(&share.waiting);
    let one = async {
        if before >= MOST_OF_ONE {
            return None;
        }
        tokio::select! {
            one = share.places.clone().acquire_owned() => one.ok(),
            () = app.clock.sleep(PATIENCE) => None,
        }
    };
    let Some(one) = one.await else {
        return Err(ApiError::too_many(LATER));
    };
    drop(waiting);
    let mut place = app.admission.enter(Class::Other, app).await?;
    place.of_share = Some(one);
    CALL.with(|call| call.place.replace(Some(place)));
    Ok(())
}

/// Lets a call in when its body is here: who sends slowly takes no place, and behind a proxy only so many
/// of one client are waited for.
pub async fn admit(State(app): State<App>, request: Request, next: Next) -> Response {
    let seat = request.extensions().get::<Seat>().cloned();
    match crowd::enter(&app, &request) {
        Ok(guest) => held::answer(admitted(&app, request, next).await, guest, seat),
        Err(error) => error.into_response(),
    }
}

async fn admitted(app: &App, request: Request, next: Next) -> Response {
    let Some(class) = Class::of(request.method(), request.uri().path()) else {
        return next.run(request).await;
    };
    let request = received(request).await;
    let may_do = !matches!(*request.method(), Method::GET | Method::HEAD);
    match app.admission.enter(class, app).await {
        Ok(place) => {
            let call = Call {
                place: RefCell::new(Some(place)),
                member: Cell::default(),
            };
            let answered = async {
                let answer = next.run(request).await;
                let member = CALL.with(|call| call.member.get());
                held::answer_member(app, answer, member, may_do)
            };
            CALL.scope(call, answered).await
        }
        Err(error) => error.into_response(),
    }
}

/// The request with its body read, as far as a body may go. What comes beyond is left to the
/// handler, which says why it refuses.
async fn received(request: Request) -> Request {
    if request.body().is_end_stream() {
        return request;
    }
    let (parts, body) = request.into_parts();
    let mut rest = body.into_data_stream();
    // In one piece: a body of single bytes would take forty times its size.
    let mut read = Vec::new();
    let mut broken = None;
    while read.len() <= JSON_LIMIT
        && let Some(piece) = rest.next().await
    {
        match piece {
            Ok(bytes) => read.extend_from_slice(&bytes),
            Err(error) => {
                broken = Some(Err(error));
                break;
            }
        }
    }
    let read = std::iter::once(Ok(Bytes::from(read))).chain(broken);
    Request::from_parts(parts, Body::from_stream(stream::iter(read).chain(rest)))
}
