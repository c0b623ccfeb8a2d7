-- Times at which a folder was applied by a process as it started, the last hundred.
create table svc.provisioning_runs (
  id bigint generated always as identity primary key,
  folder text not null,
  manager text not null,
  act_as text not null,
  started_at timestamptz not null default now(),
  -- One that is silent for longer has gone with its process.
  beat_at timestamptz not null default now(),
  finished_at timestamptz,
  outcome text check (outcome in ('Applied', 'Incomplete', 'Failed', 'CutShort')),
  -- Why not all was applied, in sentences.
  detail text,
  check ((finished_at is null) = (outcome is null))
);
