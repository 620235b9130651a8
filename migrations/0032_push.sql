-- additive
-- Web push: which notifications are pushed, to which browsers, and when not.

-- Null: the default of the kind.
alter table notification_settings add column push smallint;

-- Local times in which nothing is pushed, in minutes of the day; from the first until the second, also over midnight.
-- shard: member_id clustered
create table quiet_hours (
  member_id bigint not null primary key,
  starts_at smallint not null,
  ends_at smallint not null,
  time_zone text not null
);

-- Browsers that get pushes, at most one of a session, with which it ends.
-- shard: member_id clustered
create table push_subscriptions (
  member_id bigint not null,
  session_hash text not null,
  -- URL of the browser's push service.
  endpoint text not null,
  -- The browser's public key and secret, with which pushes are encrypted.
  public_key text not null,
  auth text not null,
  -- 1 if pushes contain the text of posts.
  shows_text smallint not null,
  created_at bigint not null,
  primary key (member_id, session_hash)
);

-- One row a member who was ever pushed to.
-- shard: part clustered
create table push_queue (
  part smallint not null,
  member_id bigint not null,
  -- The oldest and the newest notification that wait; the oldest is null if none does.
  oldest_id bigint,
  newest_id bigint not null,
  due_at bigint not null,
  primary key (part, member_id)
);
create index push_queue_due on push_queue (part, due_at) where oldest_id is not null;
