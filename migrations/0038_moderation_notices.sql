-- additive
-- Notices to members about sanctions, with their objections, and the contents of removed posts.

-- shard: member_id clustered
create table moderation_notices (
  member_id bigint not null,
  id bigint not null,
  -- 0 post removed, 1 suspended, 2 invites frozen.
  kind smallint not null,
  -- Null for the operator or a deleted moderator.
  actor_id bigint,
  -- 1 moderator, 2 admin, 3 operator.
  actor_rank smallint not null,
  post_id bigint,
  -- The rule that was broken, and the moderator's words; empty for none.
  rule text not null,
  message text not null,
  ends_at bigint,
  lifted_at bigint,
  -- The member's reply. The id encodes its time.
  objection text,
  objection_id bigint,
  -- 0 rejected, 1 accepted. The id encodes the time of the decision.
  outcome smallint,
  answer text,
  decided_id bigint,
  primary key (member_id, id)
);
create index moderation_notices_id on moderation_notices (id);
create index moderation_notices_open on moderation_notices (objection_id)
  where objection_id is not null and decided_id is null;
create index moderation_notices_actor on moderation_notices (actor_id) where actor_id is not null;
-- Notices, answers and outcomes of reports up to this id were read.
alter table members add column notices_read_id bigint not null default 0;

-- What a removed post consisted of, until it can no longer be restored. The id encodes the time of the removal.
-- shard: post_id clustered
create table removed_posts (
  post_id bigint not null primary key,
  author_id bigint not null,
  removed_id bigint not null,
  -- 1 moderator, 2 admin, 3 operator.
  actor_rank smallint not null,
  content text not null,
  mentions text,
  hashtags text,
  images text,
  poll_options text,
  poll_expires_at bigint
);
create index removed_posts_newest on removed_posts (removed_id);
create index removed_posts_author on removed_posts (author_id, post_id);
create index members_staff on members (id) where role > 0;
