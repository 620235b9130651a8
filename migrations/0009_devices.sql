-- Sessions that a member can see and end, and what is found once it has expired.

-- What a member names a session by; its hash stays inside. Those of before get small
-- numbers, which no new row is given.
alter table sessions add column id bigint not null default 0;
update sessions set id = numbered.n
  from (select hash, row_number() over (order by created_at, hash) as n from sessions) as numbered
  where numbered.hash = sessions.hash;

create index sessions_created on sessions (created_at);
create index sessions_seen on sessions (seen_at);
create index login_links_expires on login_links (expires_at);
create index idempotency_keys_made on idempotency_keys (made_at);
