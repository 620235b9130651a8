-- Members' word for somebody who waits. It is kept whether the address waits or not, so that nobody can
-- find out who does. A row's id is its time.

-- shard: email
create table vouches (
  email text not null,
  member_id bigint not null,
  id bigint not null,
  primary key (email, member_id)
);
-- Whom a member vouches for.
create index vouches_member on vouches (member_id, id);
-- What is too old to count.
create index vouches_oldest on vouches (id);
