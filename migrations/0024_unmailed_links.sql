-- Wishes for a link that were never mailed are deleted as soon as no code can come for them: strangers can
-- make many of them.
create index login_links_unmailed on login_links (id) where mailed_at is null;
