-- Uploaded media, work to be done later, and leases between nodes.

-- shard: id
create table media (
  id bigint not null primary key,
  owner_id bigint not null,
  content_type text,
  byte_size bigint,
  -- SHA-256 of the re-encoded image: its address. Null until it is first used.
  hash text,
  width bigint,
  height bigint,
  thumbhash text,
  used_at bigint,
  deleted_at bigint
);
create index media_owner on media (owner_id, id);

-- The outbox and other deferred work. The payload names rows, never secrets.
-- shard: part clustered
create table jobs (
  part smallint not null,
  id bigint not null,
  kind text not null,
  payload text not null,
  run_at bigint not null,
  attempts smallint not null,
  primary key (part, id)
);
create index jobs_due on jobs (part, run_at);

-- shard: name clustered
create table leases (
  name text not null primary key,
  holder text not null,
  expires_at bigint not null
);
