-- What keeps the deletion of members and of large polls to a few rows at a time.

-- 1 while votes are left of a poll whose post was deleted.
alter table posts add column has_votes_left smallint;
create index posts_votes_left on posts (id) where has_votes_left is not null;

-- Each is written once a sign-up, and read once a member who leaves.
create index invites_claimed on invites (claimed_by) where claimed_by is not null;
create index member_invites_used on member_invites (used_by) where used_by is not null;
