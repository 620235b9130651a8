-- Whom a member blocked or muted, and finding who is suspended.

-- Each block is stored twice, once for each end: a block hides both from each other, so every
-- list that a reader gets asks for both. A row's id is its time.
-- shard: member_id clustered
create table blocks (
  member_id bigint not null,
  blocked_id bigint not null,
  id bigint not null,
  primary key (member_id, blocked_id)
);
create index blocks_newest on blocks (member_id, id);

-- shard: member_id clustered
create table blockers (
  member_id bigint not null,
  blocker_id bigint not null,
  primary key (member_id, blocker_id)
);

-- shard: member_id clustered
create table mutes (
  member_id bigint not null,
  muted_id bigint not null,
  id bigint not null,
  primary key (member_id, muted_id)
);
create index mutes_newest on mutes (member_id, id);
-- Who muted somebody: only for the day on which that one leaves.
create index mutes_of on mutes (muted_id, member_id);

-- Everybody who is suspended, without a look at anybody's row. Both indexes hold the column of
-- their condition, too: SQLite would read the rows for it.
create index members_suspended on members (id, username, suspended_at)
  where suspended_at is not null and username <> 'deleted';

-- Whose unread notifications there are: those of somebody muted do not count, and a block
-- takes those between the two back.
drop index notifications_unread;
create index notifications_unread on notifications (member_id, actor_id, read_at) where read_at is null;
