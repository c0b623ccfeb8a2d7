import { defineJob } from '../client/declare.ts';

const parseNumber = (value: unknown): number => {
  if (typeof value !== 'number') throw new Error('A number is expected.');
  return value;
};

/** Effects at least once: writes that it began and that it ended, each in a transaction of its own. */
export const plainJob = defineJob<number>({
  name: 'plain',
  queue: 'plain',
  parse: parseNumber,
  retry: { attemptsMax: 3, delaysMs: [100] },
});

/** Effect exactly once: writes it and completes in one transaction. */
export const exactJob = defineJob<number>({ name: 'exact', queue: 'exact', parse: parseNumber });

/** Writes each due time that it was fired for. */
export const tickJob = defineJob<null>({ name: 'tick', queue: 'tick', parse: () => null });

/** Tables in which the trials keep their own record, apart from the library's. */
export const ledgerTables = `
create table ledger (job_id uuid not null, fence integer not null, event text not null, at timestamptz not null default clock_timestamp());
create table effect (job_id uuid not null, payload integer not null);
create table fired (due_at timestamptz not null, job_id uuid not null, at timestamptz not null default clock_timestamp(), pid integer not null)`;
