-- additive
-- The network's name, texts and pages. A setting without a row has its default.

-- shard: part clustered
create table network_settings (
  -- Always 0: all rows are read together.
  part smallint not null,
  name text not null,
  value text not null,
  changed_at bigint not null,
  primary key (part, name)
);
