-- Whether anything but an open case uses an image: what only a case holds is not in its owner's export, which
-- would tell of the report.
-- How many of its uses are open cases.
alter table images add column held bigint not null default 0;
-- The addresses in a case's list are `/images/`, 40 digits of a hash, and what follows.
with recursive
  places (place) as (
    select 1 union all
    select place + 1 from places
      where place < (select max(length(held_images)) from report_cases where closed_id is null)
  ),
  holds (hash) as (
    select substr(held_images, place + 8, 40) from report_cases, places
      where closed_id is null and place < length(held_images) and substr(held_images, place, 8) = '/images/'
  )
update images set held = (select count(*) from holds where holds.hash = images.hash)
  where hash in (select hash from holds);
