//! Members as others see them.

mod batch;
mod cache;
mod dto;
mod edit;
mod erase;
mod moderation_state;
mod pictures;
mod profile;
mod report_snapshot;
mod search;
mod search_index;
mod state;
mod store;
mod suggested;
mod username;

pub use batch::list;
pub use cache::{MemberCache, Names, display_names, holder, is_still_here, remembered_refs};
pub use dto::{Me, MemberRef, User};
pub use edit::{__path_update, update};
pub use erase::{
    email, empty, forget_inviter, hide, hold_admins, name_and_role, other_admins, purge_names,
    set_email,
};
pub use moderation_state::{
    Deed, Known, Rank, Record, Standing, apply, is_moderator, known, newest, records,
    shown_pictures, standing,
};
pub use pictures::{
    __path_remove_header, __path_remove_picture, __path_set_header, __path_set_picture,
    remove_header, remove_picture, set_header, set_picture,
};
pub use profile::{__path_user, kept, me, user};
pub use report_snapshot::evidence;
pub use search::{__path_search, named, search};
pub use search_index::{index_all, search_terms};
pub use state::MembersState;
pub use store::{
    NewMember, Role, WATCHES, all_refs, count_follow, count_invite, count_new_post, count_post,
    create, ensure_active, exists, find_by_username, has_frozen_invites, hold, is_empty, is_here,
    lock_active, refs, refs_in, refs_sparing, require, resolve, suspended, try_lock_active,
    unknown,
};
pub use suggested::{__path_suggested, suggested};
pub use username::{__path_available, __path_choose, available, choose};
