-- Reports, what moderators do about them, and the log of what they did.

-- While it is set, nobody can join with a code of this member, and there are no new ones.
alter table members add column invites_frozen_at bigint;

-- What an admin names somebody on the waitlist by, so that no address stands in an
-- address. Those of before get small numbers, which no new row is given.
alter table waitlist add column id bigint not null default 0;
update waitlist set id = numbered.n
  from (select email, row_number() over (order by joined_at, email) as n from waitlist) as numbered
  where numbered.email = waitlist.email;
create index waitlist_waiting on waitlist (id) where admitted_at is null;

-- All reports of one post or member from the first until somebody decides.
-- shard: target_id clustered
create table report_cases (
  -- The post's or the member's id: the two never share one.
  target_id bigint not null,
  id bigint not null,
  -- 0 a post, 1 a member.
  kind smallint not null,
  -- Who wrote the post, or the member.
  member_id bigint not null,
  report_count bigint not null,
  -- The newest report: the order of the queue.
  newest_id bigint not null,
  -- Null while nobody has decided; its time is when.
  closed_id bigint,
  -- Null for an operator.
  closed_by bigint,
  -- 0 dismissed, 1 removed, 2 suspended.
  decision smallint,
  note text,
  primary key (target_id, id)
);
create unique index report_cases_open on report_cases (target_id) where closed_id is null;
create index report_cases_queue on report_cases (newest_id) where closed_id is null;
create index report_cases_closed on report_cases (closed_id) where closed_id is not null;
create index report_cases_id on report_cases (id);
-- For the day on which a member leaves.
create index report_cases_member on report_cases (member_id);
create index report_cases_judge on report_cases (closed_by) where closed_by is not null;

-- One row a reporter and case.
-- shard: case_id clustered
create table reports (
  case_id bigint not null,
  reporter_id bigint not null,
  id bigint not null,
  -- 0 spam, 1 harassment, 2 hate, 3 violence, 4 sexual, 5 impersonation, 6 other.
  reason smallint not null,
  note text not null,
  -- JSON: {text, imageUrls}, as it was when it was reported.
  evidence text not null,
  primary key (case_id, reporter_id)
);
create index reports_newest on reports (case_id, id);
create index reports_sent on reports (reporter_id, case_id, id);

-- What moderators, admins and the operator did, in one row of rows: each holds a hash over
-- its content and the hash before. Nobody's mail address stands in it.
-- shard: part clustered
create table audit_log (
  -- Always 0: the log is one chain.
  part smallint not null,
  -- 1, 2, 3 … without gaps.
  seq bigint not null,
  at bigint not null,
  -- Null for who runs the server.
  actor_id bigint,
  -- The numbers are in moderation/audit.rs.
  action smallint not null,
  post_id bigint,
  member_id bigint,
  detail text not null,
  note text not null,
  -- SHA-256, in base64 without padding.
  hash text not null,
  primary key (part, seq)
);

-- The end of the chain. Its update is the lock that lets one deed be written after the other.
-- shard: part clustered
create table audit_head (
  part smallint not null primary key,
  seq bigint not null,
  hash text not null
);
insert into audit_head (part, seq, hash) values (0, 0, '');

-- only: sqlite
create trigger audit_log_keeps_rows before update on audit_log begin
  select raise(abort, 'the audit log can only be added to');
end;
create trigger audit_log_loses_no_rows before delete on audit_log begin
  select raise(abort, 'the audit log can only be added to');
end;
-- A row that replaces another would pass both.
create trigger audit_log_grows before insert on audit_log
  when new.seq <= (select max(seq) from audit_log where part = new.part)
begin
  select raise(abort, 'the audit log can only be added to');
end;
-- end
-- only: postgres
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log can only be added to';
end
$$;
create trigger audit_log_keeps_rows before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_is_not_emptied before truncate on audit_log
  for each statement execute function refuse_audit_change();
-- end
