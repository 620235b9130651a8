-- How far time has got on each node, so that it goes on from there when a machine's clock was set back.
-- `seen_at` is the time, `wall_at` what the machine's clock said then: less, once that was set back.

-- shard: node
create table clock_marks (
  node bigint not null primary key,
  seen_at bigint not null,
  wall_at bigint not null
);
