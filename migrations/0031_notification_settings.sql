-- additive
-- What a member is notified of. Without a row: everyone's actions.

-- shard: member_id clustered
create table notification_settings (
  member_id bigint not null,
  -- As in notifications.
  kind smallint not null,
  -- 0 actions of everyone, 1 of members they follow, 2 of no one.
  notify_from smallint not null,
  primary key (member_id, kind)
);

-- Conversations that a member is not notified of, by the post that they started with.
-- shard: member_id clustered
create table muted_conversations (
  member_id bigint not null,
  post_id bigint not null,
  id bigint not null,
  primary key (member_id, post_id)
);
create index muted_conversations_newest on muted_conversations (member_id, id);
