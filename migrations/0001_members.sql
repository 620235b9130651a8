-- Members, their names and addresses, and who follows whom.
-- Times are milliseconds since 1970; the time a row was made is inside its id.

-- shard: id
create table members (
  id bigint not null primary key,
  username text not null,
  -- Null while the name is the provisional one that sign-up gave.
  username_chosen_at bigint,
  display_name text not null,
  bio text not null,
  website text not null,
  profile_image_url text,
  header_image_url text,
  -- Null only for a founder who signed in by the printed address.
  email text,
  -- 0 member, 1 moderator, 2 admin.
  role smallint not null,
  invited_by bigint,
  suspended_at bigint,
  follower_count bigint not null,
  following_count bigint not null,
  post_count bigint not null,
  -- Counts the invites ever made; its update is the lock that keeps a quota from being overdrawn.
  invites_made bigint not null
);

-- One row a name ever held; a released one redirects.
-- shard: name clustered
create table usernames (
  name text not null primary key,
  member_id bigint not null,
  released_at bigint
);

-- shard: email clustered
create table emails (
  email text not null primary key,
  member_id bigint not null
);

-- Each edge is stored twice, once for each end, so that both lists are local.
-- shard: follower_id clustered
create table follows (
  follower_id bigint not null,
  followee_id bigint not null,
  id bigint not null,
  primary key (follower_id, followee_id)
);
create index follows_newest on follows (follower_id, id);

-- shard: followee_id clustered
create table followers (
  followee_id bigint not null,
  follower_id bigint not null,
  id bigint not null,
  primary key (followee_id, follower_id)
);
create index followers_newest on followers (followee_id, id);
