-- The images of what was reported stay until somebody decides, also when their owner shows them no more.
-- JSON: the addresses of those that the case counts as in use until it is closed. Null for none, and in
-- cases of before, until something in them is reported again.
alter table report_cases add column held_images text;
