//! Follows. Each follow is stored twice: in `follows` by follower and in `followers` by followed member.

mod consistency;
mod erase;
mod graph_cache;
mod lists;
mod routes;
mod store;

pub use consistency::count_edges;
pub use erase::erase_follows;
pub use graph_cache::{Neighborhood, NeighborhoodCache, SecondDegree, load_neighborhood};
pub use lists::{
    __path_list_followers, __path_list_following, FOLLOWERS, FOLLOWING, list_followers,
    list_following, load_newest_followers,
};
pub use routes::{
    __path_follow_user, __path_get_follow_status, __path_unfollow_user, FollowStatus, NewFollow,
    follow_user, get_follow_status, unfollow_user,
};
pub use store::{
    WATCHES, delete_follow, filter_followed, filter_followers, insert_follow, is_following,
    is_following_in, load_followees, lock_pair,
};
