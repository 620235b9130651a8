-- One letter is found anywhere in a name, as longer terms are. The last letters of names are missing in
-- search_terms, so the next start writes every member's terms again; those that exist stay.
update members set search_key = null where search_key <> '';
