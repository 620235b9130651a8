-- Sessions that were ended from elsewhere, so that their browsers can be told why. Without their members:
-- only the cookie of a session leads here.
-- shard: hash clustered
create table ended_sessions (
  hash text not null primary key,
  -- 1: ended from another device, by a change of the account or by an operator. 2: the member was suspended.
  cause smallint not null,
  ended_at bigint not null
);
create index ended_sessions_ended on ended_sessions (ended_at);
