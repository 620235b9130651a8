//! The migrations, in order. A file in `migrations/` counts once it is listed here.

use kith_db::Migration;

/// Every change of the schema since the first.
pub const MIGRATIONS: &[Migration] = &[
    Migration {
        version: 1,
        name: "0001_members",
        sql: include_str!("../../../migrations/0001_members.sql"),
    },
    Migration {
        version: 2,
        name: "0002_login",
        sql: include_str!("../../../migrations/0002_login.sql"),
    },
    Migration {
        version: 3,
        name: "0003_posts",
        sql: include_str!("../../../migrations/0003_posts.sql"),
    },
    Migration {
        version: 4,
        name: "0004_notifications",
        sql: include_str!("../../../migrations/0004_notifications.sql"),
    },
    Migration {
        version: 5,
        name: "0005_work",
        sql: include_str!("../../../migrations/0005_work.sql"),
    },
    Migration {
        version: 6,
        name: "0006_ranking",
        sql: include_str!("../../../migrations/0006_ranking.sql"),
    },
    Migration {
        version: 7,
        name: "0007_search",
        sql: include_str!("../../../migrations/0007_search.sql"),
    },
    Migration {
        version: 8,
        name: "0008_images",
        sql: include_str!("../../../migrations/0008_images.sql"),
    },
    Migration {
        version: 9,
        name: "0009_devices",
        sql: include_str!("../../../migrations/0009_devices.sql"),
    },
    Migration {
        version: 10,
        name: "0010_safety",
        sql: include_str!("../../../migrations/0010_safety.sql"),
    },
    Migration {
        version: 11,
        name: "0011_moderation",
        sql: include_str!("../../../migrations/0011_moderation.sql"),
    },
    Migration {
        version: 12,
        name: "0012_own_data",
        sql: include_str!("../../../migrations/0012_own_data.sql"),
    },
    Migration {
        version: 13,
        name: "0013_login_bounds",
        sql: include_str!("../../../migrations/0013_login_bounds.sql"),
    },
    Migration {
        version: 14,
        name: "0014_bounds",
        sql: include_str!("../../../migrations/0014_bounds.sql"),
    },
    Migration {
        version: 17,
        name: "0015_vouches",
        sql: include_str!("../../../migrations/0015_vouches.sql"),
    },
    Migration {
        version: 18,
        name: "0016_clock",
        sql: include_str!("../../../migrations/0016_clock.sql"),
    },
    Migration {
        version: 19,
        name: "0017_member_likes_by_time",
        sql: include_str!("../../../migrations/0017_member_likes_by_time.sql"),
    },
    Migration {
        version: 20,
        name: "0018_used_uploads",
        sql: include_str!("../../../migrations/0018_used_uploads.sql"),
    },
    Migration {
        version: 21,
        name: "0019_invite_queues",
        sql: include_str!("../../../migrations/0019_invite_queues.sql"),
    },
    Migration {
        version: 22,
        name: "0020_held_images",
        sql: include_str!("../../../migrations/0020_held_images.sql"),
    },
    Migration {
        version: 23,
        name: "0021_case_evidence",
        sql: include_str!("../../../migrations/0021_case_evidence.sql"),
    },
    Migration {
        version: 24,
        name: "0022_held_uses",
        sql: include_str!("../../../migrations/0022_held_uses.sql"),
    },
    Migration {
        version: 25,
        name: "0023_by_whom",
        sql: include_str!("../../../migrations/0023_by_whom.sql"),
    },
    Migration {
        version: 26,
        name: "0024_unmailed_links",
        sql: include_str!("../../../migrations/0024_unmailed_links.sql"),
    },
];
