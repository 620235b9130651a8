-- additive
-- Facts about the network that all servers on one database share.
-- shard: name clustered
create table network_facts (
  name text not null primary key,
  value text not null
);

-- Rate limits of client networks for all servers together. `network` is a keyed hash: no IP address is stored.
-- shard: network clustered
create table network_limits (
  network bigint not null,
  name text not null,
  -- When the bucket is full again.
  full_at bigint not null,
  primary key (network, name)
);
create index network_limits_full on network_limits (full_at);
