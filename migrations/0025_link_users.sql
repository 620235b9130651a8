-- SHA-256 of the login cookie of the browser that used a link, if it had one: that browser may repeat its use.
alter table login_links add column consumed_by text;
