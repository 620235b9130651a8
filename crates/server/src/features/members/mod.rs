//! Members: profiles, usernames, search and their moderation state.

mod active;
mod batch;
mod cache;
mod dto;
mod edit;
mod erase;
mod moderation_state;
mod pictures;
mod profile;
mod report_snapshot;
mod role;
mod search;
mod search_index;
mod search_reindex;
mod state;
mod store;
mod suggested;
mod username;

pub use batch::load_users;
pub use cache::{
    MemberCache, SuspendedUsernames, find_by_username_cached, load_display_names, load_refs_cached,
};
pub use dto::{Me, MemberRef, User};
pub use edit::{__path_update_profile, update_profile};
pub use erase::{anonymize_member, clear_inviter, hide_member, purge_names};
pub use moderation_state::{
    ActorRank, MemberAdminRow, MemberAdminView, MemberStatus, SanctionKind, apply_action,
    end_sanction, is_moderator, list_newest, load_admin_rows, load_admin_views,
    load_ended_sanctions, load_picture_urls, load_staff, load_status,
};
pub use pictures::{
    __path_remove_header, __path_remove_picture, __path_set_header, __path_set_picture,
    remove_header, remove_picture, set_header, set_picture,
};
pub use profile::{__path_get_user, get_user, load_me, load_me_with_suspended};
pub use report_snapshot::load_report_snapshot;
pub use role::Role;
pub use search::{__path_search_users, find_matching, search_users};
pub use search_index::build_search_terms;
pub use search_reindex::index_all;
pub use state::MembersState;
pub use store::{
    NewMember, WATCHES, accept_rules, count_follow, count_invite, count_new_post, count_post,
    create_member, ensure_active, ensure_exists, find_by_username, has_frozen_invites, is_active,
    is_active_in, is_empty, list_active, load_all_refs, load_email, load_language,
    load_name_and_role, load_other_admins, load_refs, load_refs_in, load_refs_sparing,
    load_suspended, lock_active, lock_admins, lock_member, set_email, set_language,
    set_notices_read, try_lock_active, user_not_found,
};
pub use suggested::{__path_list_suggested_users, list_suggested_users};
pub use username::{
    __path_check_username, __path_choose_username, check_username, choose_username,
};
