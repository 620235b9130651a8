-- additive
-- The operator's links for groups: several people join with one code.

alter table invites add column uses bigint not null default 1;
-- Counted for codes with several uses only.
alter table invites add column used bigint not null default 0;
