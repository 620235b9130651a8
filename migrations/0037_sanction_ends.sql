-- additive
-- When a suspension and an invite freeze end by themselves; null if they last until they are lifted.

alter table members add column suspended_until bigint;
alter table members add column invites_frozen_until bigint;
create index members_suspension_ends on members (suspended_until)
  where suspended_until is not null;
create index members_freeze_ends on members (invites_frozen_until)
  where invites_frozen_until is not null;
