-- What members decide about their own account: another address, a copy of everything, leaving.

-- A wish for another address. Its tokens are keyed hashes of its ids, so this table confirms nothing.
-- shard: member_id clustered
create table email_changes (
  member_id bigint not null,
  id bigint not null,
  -- Null for a founder who had none: then the new one alone confirms.
  old_email text,
  new_email text not null,
  -- The session that asked: it goes on when the others end.
  session_hash text not null,
  expires_at bigint not null,
  new_confirmed_at bigint,
  old_confirmed_at bigint,
  -- When the address changed.
  done_at bigint,
  -- When it was called off, replaced by a newer one, or taken back.
  ended_at bigint,
  -- Wrong guesses of the mailed code.
  tries smallint not null,
  primary key (member_id, id)
);
create index email_changes_expires on email_changes (expires_at);

-- A copy of everything that a member has, made by a worker.
-- shard: member_id clustered
create table exports (
  member_id bigint not null,
  id bigint not null,
  -- 0 under way, 1 ready, 2 failed.
  state smallint not null,
  -- Until when whoever makes it has it to themselves; 0 while nobody does.
  lease_until bigint not null,
  -- Counts the workers that began; also tells one from the next.
  attempts smallint not null,
  percent smallint not null,
  byte_size bigint,
  -- When the row goes, and its file.
  expires_at bigint not null,
  primary key (member_id, id)
);
create index exports_under_way on exports (lease_until) where state = 0;
create index exports_expires on exports (expires_at);

-- Who leaves, and when.
-- shard: member_id clustered
create table deletions (
  member_id bigint not null primary key,
  delete_at bigint not null,
  -- From then on it cannot be taken back.
  started_at bigint,
  lease_until bigint not null
);
create index deletions_due on deletions (delete_at);

create index poll_votes_member on poll_votes (member_id, post_id);
create index usernames_member on usernames (member_id);
-- Names of members who left, until somebody else may take them.
create index usernames_left on usernames (released_at) where member_id = 0;
create index members_admins on members (id) where role = 2;
