-- additive
-- Languages of mails, such as `de`: of a member, of the browser that requested a link, and of the one that joined the
-- waitlist. Null if unknown.
alter table members add column language text;
alter table login_links add column language text;
alter table waitlist add column language text;
