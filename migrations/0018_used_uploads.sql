-- The files of uploads that a post or profile shows are deleted soon, and not a day after they came.
create index uploads_used on uploads (used_at, owner_id, id) where used_at is not null and ended_at is null;
