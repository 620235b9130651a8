-- additive
-- Members who get a weekly digest, one row each. Members who joined before have none until they turn it on.

-- shard: part clustered
create table digests (
  part smallint not null,
  member_id bigint not null,
  due_at bigint not null,
  -- When the last digest that was sent was queued.
  sent_at bigint,
  -- Digests in a row that the mail server rejected permanently.
  bounces smallint not null,
  primary key (part, member_id)
);
create index digests_due on digests (part, due_at);
