-- Finding members by any part of their names.

-- What of the member's names is in search_terms: the folded username, a line break, the
-- folded display name. Null until they were written.
alter table members add column search_key text;
create index members_unindexed on members (id) where search_key is null;

-- Every ending of a name, so that a prefix of an ending is any part of the name.
-- shard: term clustered
create table search_terms (
  -- 0 the whole name, 1 from the start of a word, 2 from inside a word.
  place smallint not null,
  -- only: sqlite
  term text not null,
  -- end
  -- only: postgres
  term text collate "C" not null,
  -- end
  member_id bigint not null,
  primary key (place, term, member_id)
);
