-- Deleted posts, hashtags, and the order of the For You feed.

-- JSON: [{tag, start, end}] in UTF-16 units.
alter table posts add column hashtags text;
-- Distinct members, without the author, who liked, reposted or answered the post.
alter table posts add column people_count bigint not null default 0;
-- Milliseconds since 1970, later the more people took part. Null for what For You
-- never shows: replies, reposts, deleted posts.
alter table posts add column rank bigint;
create index posts_rank on posts (rank, id, author_id) where rank is not null;

-- So that a list can leave out reposts of what is gone.
alter table author_posts add column repost_of_id bigint;

-- A deleted reply stays in its thread while it has living replies itself.
alter table replies add column deleted_at bigint;
create index replies_author on replies (post_id, author_id, deleted_at);

-- The post before the actor, so that a deleted post's notifications are found.
drop index notifications_once;
create unique index notifications_once on notifications (member_id, kind, post_id, actor_id);

-- shard: tag clustered
create table tag_posts (
  tag text not null,
  id bigint not null,
  author_id bigint not null,
  primary key (tag, id)
);
create index tag_posts_newest on tag_posts (id, tag, author_id);

update author_posts set repost_of_id =
  (select posts.repost_of_id from posts where posts.id = author_posts.id) where kind = 2;
update posts set people_count = (select count(*) from (
    select likes.member_id from likes where likes.post_id = posts.id
    union select reposts.member_id from reposts where reposts.post_id = posts.id
    union select replies.author_id from replies where replies.post_id = posts.id
  ) as people where people.member_id <> posts.author_id);
-- An id's upper 42 bits are its milliseconds since 2025; the first steps of the rank are in ranking.rs.
update posts set rank = (id >> 22) + 1735689600000 + 21600000 *
  case when people_count < 1 then 0 when people_count < 3 then 1 when people_count < 7 then 2
    when people_count < 15 then 3 when people_count < 31 then 4 when people_count < 63 then 5
    when people_count < 127 then 6 when people_count < 255 then 7 when people_count < 511 then 8
    when people_count < 1023 then 9 else 10 end
  where deleted_at is null and reply_to_id is null and repost_of_id is null;
