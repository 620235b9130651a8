-- What bounds the use of login links.

-- Wrong codes, counted apart from wrong addresses: whoever asked for a mail to somebody else's
-- mailbox can spoil its code by guessing, never its link.
alter table login_links add column code_tries smallint not null default 0;

-- How many mails an invite code has caused.
create index login_links_invite on login_links (invite_code, mailed_at);
-- What an operator or the first start printed for a member ends with the member's next login.
create index login_links_member on login_links (member_id);
-- The founder's printed address had no end; another one is printed by `kith member sign-in`.
update login_links set expires_at = 0 where expires_at = 9223372036854775807;
