//! Who follows whom. Each edge is stored once for each end.

mod consistency;
mod edge;
mod erase;
mod graph_cache;
mod lists;

pub use consistency::edges;
pub use edge::{
    __path_follow, __path_status, __path_unfollow, FollowStatus, WATCHES, among, follow, followees,
    followers_among, hold_between, is_following, link, status, unfollow, unlink,
};
pub use erase::leave;
pub use graph_cache::{Circle, CircleCache, Near, circle};
pub use lists::{
    __path_followers, __path_following, FOLLOWERS, FOLLOWING, followers, following,
    newest_followers,
};
