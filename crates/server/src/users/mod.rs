//! Members as others see them.

mod edit;
mod member;
mod posts;
mod profile;
mod shape;
mod username;

pub use edit::{__path_update, update};
pub use member::{
    NewMember, Role, count_follow, count_invite, count_post, create, exists, find_by_username,
    is_empty, refs, require, resolve, unknown,
};
pub use posts::{__path_posts, posts};
pub use profile::{__path_user, me, user};
pub use shape::{Me, MemberRef, User};
pub use username::{__path_available, __path_choose, available, choose};
