import { defineJob } from '../client/declare.ts';

const parseNumber = (value: unknown): number => {
  if (typeof value !== 'number') throw new Error('A number is expected.');
  return value;
};

/** Job with at-least-once effects: stores its begin and its end in separate transactions. */
export const plainJob = defineJob<number>({
  name: 'plain',
  queue: 'plain',
  parse: parseNumber,
  retry: { attemptsMax: 3, delaysMs: [100] },
});

/** Job with an exactly-once effect: stores the effect and completes in one transaction. */
export const exactJob = defineJob<number>({ name: 'exact', queue: 'exact', parse: parseNumber });

/** Job that stores each due time for which it fired. */
export const tickJob = defineJob<null>({ name: 'tick', queue: 'tick', parse: () => null });

/** Tables in which the trials record events, separate from the library's tables. */
export const ledgerTables = `
create table ledger (job_id uuid not null, fence integer not null, event text not null, at timestamptz not null default clock_timestamp());
create table effect (job_id uuid not null, payload integer not null);
create table fired (due_at timestamptz not null, job_id uuid not null, at timestamptz not null default clock_timestamp(), pid integer not null)`;
