-- One row per (kind, actor, post): liking again after unliking does not notify twice.

-- shard: member_id clustered
create table notifications (
  member_id bigint not null,
  id bigint not null,
  -- 0 follow, 1 like, 2 reply, 3 repost, 4 mention.
  kind smallint not null,
  actor_id bigint not null,
  -- 0 when the kind has no post, so that the key below stays whole.
  post_id bigint not null,
  read_at bigint,
  primary key (member_id, id)
);
create unique index notifications_once on notifications (member_id, kind, actor_id, post_id);
create index notifications_unread on notifications (member_id) where read_at is null;
