-- What ended in each minute of the last hours, for the live chart of the dashboard: the statistic by hour is too coarse
-- to see that something just went wrong. Written when the counters are folded, which is off the way of every job.
create table __schema__.job_minute_statistic (
  minute timestamptz primary key,
  completed bigint not null default 0,
  failed bigint not null default 0,
  cancelled bigint not null default 0,
  retried bigint not null default 0,
  duration_ms bigint not null default 0
);
