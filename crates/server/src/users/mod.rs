//! Members as others see them.

mod member;
mod posts;
mod profile;
mod shape;

pub use member::{
    NewMember, Role, count_follow, count_invite, count_post, create, exists, find_by_username,
    is_empty, refs, require, resolve, unknown,
};
pub use posts::{__path_posts, posts};
pub use profile::{__path_user, me, user};
pub use shape::{Me, MemberRef, User};
