-- What members upload, and the images that are made of it. The table that was
-- planned for both never held a row.
drop table media;

-- A file that a member may send, or sent. It is gone a day after.
-- shard: owner_id clustered
create table uploads (
  owner_id bigint not null,
  id bigint not null,
  -- As the browser announced it or as it came; null until either.
  byte_size bigint,
  -- 1 when the browser was sent to a store, which takes a file as long as the address lives.
  is_at_store smallint not null,
  -- When a post or profile first showed it: from then on it no longer counts as outstanding.
  used_at bigint,
  -- When it was cancelled or refused. The row waits until nobody can send a file any more.
  ended_at bigint,
  primary key (owner_id, id)
);
create index uploads_oldest on uploads (id, owner_id);
create index uploads_ended on uploads (id, owner_id) where ended_at is not null;

-- An image that pages show, by its address.
-- shard: hash
create table images (
  hash text not null primary key,
  -- 0 of a post, 1 a profile picture, 2 a header.
  kind smallint not null,
  width bigint not null,
  height bigint not null,
  -- The widths it is kept in, a JSON list.
  widths text not null,
  thumbhash text not null,
  -- How many posts and profiles show it.
  uses bigint not null,
  -- While nothing shows it: until when it is kept.
  keep_until bigint,
  -- When it was marked for deletion; any use before the second phase takes the mark away.
  marked_at bigint,
  -- Its files are being deleted; nothing can show it any more.
  gone_at bigint
);
create index images_unused on images (keep_until) where keep_until is not null;

-- Whose upload became which image: a member may show only what is theirs.
-- shard: owner_id clustered
create table image_sources (
  owner_id bigint not null,
  upload_id bigint not null,
  hash text not null,
  primary key (owner_id, upload_id, hash)
);
create index image_sources_hash on image_sources (hash, owner_id, upload_id);
