-- additive
-- Replies (2) and mentions (4), which a member can list alone.
create index notifications_conversation on notifications (member_id, id) where kind in (2, 4);
