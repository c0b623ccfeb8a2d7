-- How a person sees the pages: the time zone of times and the theme; null: as their browser has it.
alter table svc.users
  add column time_zone text check (length(time_zone) <= 64),
  add column theme text check (theme in ('System', 'Light', 'Dark'));
