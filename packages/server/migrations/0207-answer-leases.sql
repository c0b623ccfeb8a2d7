-- The process that works on an answer without a job renews its lease; without renewal the answer is abandoned. The
-- default covers answers of a previous version, which renews nothing.
alter table svc.answers add column lease_until timestamptz not null default now() + interval '15 minutes';
