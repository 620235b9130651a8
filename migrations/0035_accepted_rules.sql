-- additive
-- Newest version of the network's rules that a member agreed to; 0 for none.
alter table members add column accepted_rules_version bigint not null default 0;
