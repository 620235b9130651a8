-- Posts and what members do with them. No row is written per reader: feeds are derived.

-- shard: id
create table posts (
  id bigint not null primary key,
  author_id bigint not null,
  content text not null,
  reply_to_id bigint,
  reply_to_author_id bigint,
  -- The post a thread started with.
  root_id bigint,
  repost_of_id bigint,
  -- JSON: [{username, start, end}] in UTF-16 units.
  mentions text,
  -- JSON: [{url, width, height, alt, thumbhash, srcset}].
  images text,
  -- JSON: the options' labels, in order.
  poll_options text,
  poll_expires_at bigint,
  like_count bigint not null,
  repost_count bigint not null,
  reply_count bigint not null,
  deleted_at bigint
);

-- The skeleton of every list by author: profiles and feeds.
-- shard: author_id clustered
create table author_posts (
  author_id bigint not null,
  id bigint not null,
  -- 0 post, 1 reply, 2 repost.
  kind smallint not null,
  -- 1 when images are attached.
  media smallint not null,
  -- Decides whether a reply belongs in a feed.
  reply_to_author_id bigint,
  primary key (author_id, id)
);
create index author_posts_replies on author_posts (author_id, id) where kind = 1;
create index author_posts_media on author_posts (author_id, id) where media = 1;

-- shard: post_id clustered
create table replies (
  post_id bigint not null,
  id bigint not null,
  author_id bigint not null,
  primary key (post_id, id)
);

-- shard: post_id clustered
create table likes (
  post_id bigint not null,
  member_id bigint not null,
  id bigint not null,
  primary key (post_id, member_id)
);

-- The same like, for the list of what a member liked.
-- shard: member_id clustered
create table member_likes (
  member_id bigint not null,
  post_id bigint not null,
  id bigint not null,
  primary key (member_id, post_id)
);
create index member_likes_newest on member_likes (member_id, id);

-- shard: post_id clustered
create table reposts (
  post_id bigint not null,
  member_id bigint not null,
  repost_id bigint not null,
  primary key (post_id, member_id)
);

-- shard: post_id clustered
create table poll_choices (
  post_id bigint not null,
  choice smallint not null,
  votes bigint not null,
  primary key (post_id, choice)
);

-- shard: post_id clustered
create table poll_votes (
  post_id bigint not null,
  member_id bigint not null,
  choice smallint not null,
  primary key (post_id, member_id)
);

-- The first answer to a repeated request.
-- shard: member_id clustered
create table idempotency_keys (
  member_id bigint not null,
  key text not null,
  post_id bigint not null,
  made_at bigint not null,
  primary key (member_id, key)
);
