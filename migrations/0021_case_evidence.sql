-- What the reports of a case saw is kept once for all of them, so that neither many reports nor the next of
-- the same member hide what an earlier one saw.
-- shard: case_id clustered
create table case_evidence (
  case_id bigint not null,
  -- Made with the report that saw it first: the order in which it was seen.
  id bigint not null,
  -- JSON: {text, imageUrls}, as it was when it was reported.
  evidence text not null,
  primary key (case_id, id)
);
insert into case_evidence (case_id, id, evidence)
  select case_id, min(id), evidence from reports group by case_id, evidence;
alter table reports drop column evidence;
-- How often the report, made again, added what it saw then.
alter table reports add column additions smallint not null default 0;
