-- What a member liked in one order instead of two: the newest at the end, so that the likes of one member
-- lie side by side. Nobody looks a like up here by its post; `likes` is asked for that, and holds every row.

drop table member_likes;

-- shard: member_id clustered
create table member_likes (
  member_id bigint not null,
  post_id bigint not null,
  -- As in `likes`: the time of the like.
  id bigint not null,
  primary key (member_id, id)
);

insert into member_likes (member_id, post_id, id)
  select member_id, post_id, id from likes order by member_id, id;
