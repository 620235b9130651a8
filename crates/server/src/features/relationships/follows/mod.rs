//! Follows. Each follow is stored twice: in `follows` by follower and in `followers` by followed member.

mod consistency;
mod erase;
mod graph_cache;
mod lists;
mod routes;
mod store;

pub use consistency::count_edges;
pub use erase::erase;
pub use graph_cache::{Neighborhood, NeighborhoodCache, SecondDegree, load_neighborhood};
pub use lists::{
    __path_followers, __path_following, FOLLOWERS, FOLLOWING, followers, following,
    load_newest_followers,
};
pub use routes::{
    __path_follow, __path_status, __path_unfollow, FollowStatus, NewFollow, follow, status,
    unfollow,
};
pub use store::{
    WATCHES, delete_follow, filter_followed, filter_followers, insert_follow, is_following,
    load_followees, lock_pair,
};
