//! Who follows whom. Each edge is stored once for each end.

mod circle;
mod edge;
mod leave;
mod lists;
mod recount;

pub use circle::{Circle, CircleCache, Near, circle};
pub use edge::{
    __path_follow, __path_status, __path_unfollow, FollowStatus, WATCHES, among, follow, followees,
    followers_among, hold_between, is_following, link, status, unfollow, unlink,
};
pub use leave::leave;
pub use lists::{
    __path_followers, __path_following, FOLLOWERS, FOLLOWING, followers, following,
    newest_followers,
};
pub use recount::edges;
