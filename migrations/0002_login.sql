-- Ways in: login links, sessions, invites, the waitlist.

-- A link's token is its id and a keyed hash of it, so this table cannot log anybody in.
-- shard: id
create table login_links (
  id bigint not null primary key,
  -- Null for the address printed at the first start.
  email text,
  -- The founder's link names its member.
  member_id bigint,
  invite_code text,
  -- SHA-256 of the cookie of the browser that asked.
  nonce_hash text,
  expires_at bigint not null,
  mailed_at bigint,
  consumed_at bigint,
  -- Wrong guesses of the address or of the mailed code.
  tries smallint not null
);
create index login_links_email on login_links (email, mailed_at);
create index login_links_nonce on login_links (nonce_hash, expires_at);

-- The key is the SHA-256 of the cookie's value.
-- shard: hash clustered
create table sessions (
  hash text not null primary key,
  member_id bigint not null,
  created_at bigint not null,
  seen_at bigint not null,
  user_agent text not null
);
create index sessions_member on sessions (member_id);

-- What decides a claim: one row a code.
-- shard: code clustered
create table invites (
  code text not null primary key,
  -- Null for an operator's code.
  inviter_id bigint,
  expires_at bigint not null,
  claimed_by bigint,
  revoked_at bigint
);

-- What an inviter sees of their codes.
-- shard: member_id clustered
create table member_invites (
  member_id bigint not null,
  id bigint not null,
  code text not null,
  expires_at bigint not null,
  used_at bigint,
  used_by bigint,
  revoked_at bigint,
  primary key (member_id, id)
);

-- shard: email clustered
create table waitlist (
  email text not null primary key,
  joined_at bigint not null,
  admitted_at bigint
);
create index waitlist_oldest on waitlist (joined_at);
