-- Who kept a member out and who wants an account deleted: what somebody of more rank did stays as it is.

-- The rank of whoever suspended the member, and of whoever froze their invites: 1 a moderator, 2 an admin,
-- 3 whoever runs the server. Of before nobody knows; those a moderator lifts as ever.
alter table members add column suspension_rank smallint not null default 1;
alter table members add column freeze_rank smallint not null default 1;

-- Not 0 for what whoever runs the server wants: it waits for no suspension. Of before nobody knows, so those
-- wait as what members want.
alter table deletions add column ordered smallint not null default 0;
