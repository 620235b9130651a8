//! Ordered list of schema migrations. A file in `migrations/` is applied only if it is listed here.

use kith_db::Migration;

macro_rules! migrations {
    ($($version:literal $name:literal,)*) => {
        &[$(Migration {
            version: $version,
            name: $name,
            sql: include_str!(concat!("../../../migrations/", $name, ".sql")),
        }),*]
    };
}

/// All schema migrations, by the version that databases store.
pub const MIGRATIONS: &[Migration] = migrations![
    1 "0001_members",
    2 "0002_login",
    3 "0003_posts",
    4 "0004_notifications",
    5 "0005_work",
    6 "0006_ranking",
    7 "0007_search",
    8 "0008_images",
    9 "0009_devices",
    10 "0010_safety",
    11 "0011_moderation",
    12 "0012_own_data",
    13 "0013_login_bounds",
    14 "0014_bounds",
    17 "0015_vouches",
    18 "0016_clock",
    19 "0017_member_likes_by_time",
    20 "0018_used_uploads",
    21 "0019_invite_queues",
    22 "0020_held_images",
    23 "0021_case_evidence",
    24 "0022_held_uses",
    25 "0023_by_whom",
    26 "0024_unmailed_links",
    27 "0025_link_users",
    28 "0026_ended_sessions",
    29 "0027_last_letters",
    30 "0028_nodes",
    31 "0029_languages",
    32 "0030_conversations",
    33 "0031_notification_settings",
    34 "0032_push",
    35 "0033_digests",
    36 "0034_network_settings",
    37 "0035_accepted_rules",
    38 "0036_group_links",
    39 "0037_sanction_ends",
    40 "0038_moderation_notices",
];
