import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { MigrationExecution, MigrationJobInput } from '@svc/contract';
import { createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { make } from '@svc/testkit/client/make.ts';
import { setupRequest, signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { type HostProcess, startHost } from '@svc/testkit/service/host-process.ts';
import { type DatabaseServer, startDatabaseServer } from './database-server.ts';

/** Result of a trial. */
export type KillTrialReport = {
  readonly kills: Readonly<Record<Victim, number>>;
  /** Kills that hit running copies. */
  readonly inMidst: number;
  /** Copies that failed after a kill and were restarted. */
  readonly failed: number;
  readonly completed: number;
  /** Destinations in a state other than before or after the copy. Must be 0. */
  readonly torn: readonly string[];
  /** Duplicate rows. Must be 0. */
  readonly doubled: readonly string[];
  /** Copies with an unknown outcome. Must be 0. */
  readonly unknown: readonly string[];
  /** Staging tables that remain after the maintenance job. Must be 0. */
  readonly leftovers: readonly string[];
};

export type KillTrialOptions = {
  readonly kills: number;
  readonly rows: number;
  /** Called after each kill with the faults so far. */
  readonly onKill?: (kills: number, faults: readonly string[]) => void;
};

const victims = ['service', 'source', 'destination'] as const;
export type Victim = (typeof victims)[number];

const waitMaxMs = 240_000;
const pollMs = 100;
const earlierRows = 50;
const startsMax = 10;

type Variant = {
  readonly table: string;
  readonly change: Partial<MigrationJobInput>;
  /** Rows before the copy. `added`: the copy retains them. */
  readonly earlier: number;
  readonly added: boolean;
};

const into = (table: string): MigrationJobInput['destination'] => ({ schema: 'public', table });

/**
 * One variant per way to write: direct, with rejected rows, compared by key, replaced, synchronised, into a new table.
 */
const variants: readonly Variant[] = [
  { table: 'plain', change: { mode: 'Insert' }, earlier: earlierRows, added: true },
  { table: 'skip', change: { mode: 'Insert', onRejectedRow: 'Skip' }, earlier: earlierRows, added: true },
  { table: 'changed', change: { mode: 'Upsert', keyColumns: ['id'] }, earlier: earlierRows, added: true },
  { table: 'replaced', change: { mode: 'Truncate' }, earlier: earlierRows, added: false },
  {
    table: 'same',
    change: { mode: 'Sync', keyColumns: ['id'], deletedShareMax: 1 },
    earlier: earlierRows,
    added: false,
  },
  { table: 'made', change: { mode: 'Insert', createsTable: true }, earlier: 0, added: true },
];

/**
 * Copies with each variant and kills the service, the source or the destination at random moments, until all copies
 * complete.
 */
export async function runKillTrial({ kills, rows, onKill }: KillTrialOptions): Promise<KillTrialReport> {
  const [source, destination] = await Promise.all([startDatabaseServer(), startDatabaseServer()]);
  const host = await startHost({
    withDemo: false,
    settings: { 'Svc:Migrations:Enabled': true, 'Svc:Migrations:Workers': variants.length },
  });
  try {
    await source.texts(`create table t (id bigint, name text);
      insert into t select n, 'row ' || n from generate_series(1, ${rows}) n`);
    const trial = await createTrial(host, source, destination, rows);
    const wholeMs = await trial.whole();
    for (let kill = 0; kill < kills; kill++) {
      await trial.round(victims[kill % victims.length] ?? 'service', randomInt(Math.ceil(wholeMs)));
      onKill?.(kill + 1, trial.faults());
    }
    return await trial.report();
  } finally {
    await host.stop();
    await Promise.all([source.stop(), destination.stop()]);
  }
}

async function signInFirst(host: HostProcess): Promise<HttpClient> {
  const first = { ...setupRequest, setupToken: host.setupToken };
  const { status, text } = await createHttpClient(host.origin).post('/svc/api/setup/superadmin', first);
  if (status !== 201) throw new Error(`The setup answered ${status}: ${text}`);
  return signIn(host, superAdmin);
}

async function createTrial(
  host: HostProcess,
  source: DatabaseServer,
  destination: DatabaseServer,
  rows: number,
) {
  const root = await signInFirst(host);
  const counts = { inMidst: 0, failed: 0, completed: 0 };
  const kills = { service: 0, source: 0, destination: 0 };
  const [torn, doubled, unknown]: [string[], string[], string[]] = [[], [], []];
  const jobs = await addJobs(root, source, destination);

  async function prepare({ table, earlier, change }: Variant): Promise<void> {
    await destination.texts(`drop table if exists ${table}`);
    if (earlier === 0) return;
    await destination.texts(`create table ${table} (id bigint ${change.keyColumns ? 'primary key' : ''}, name text);
      insert into ${table} select n, 'old' from generate_series(900001, ${900_000 + earlier}) n`);
  }

  /** Queries the destination directly and records faults. */
  async function look({ table, earlier, added }: Variant, label: string): Promise<'before' | 'after'> {
    const [there] = await destination.texts(`select to_regclass('${table}') is not null`);
    const [stand = ''] =
      there === 'true'
        ? await destination.texts(`select count(*), count(distinct id) from ${table}`)
        : ['0|0'];
    const [all, ids] = stand.split('|').map(Number);
    if (all !== ids) doubled.push(`${table}, ${label}: ${all} rows, ${ids} ids`);
    const after = rows + (added ? earlier : 0);
    if (all !== after && all !== earlier) torn.push(`${table}, ${label}: ${all} rows`);
    return all === after ? 'after' : 'before';
  }

  const startCopy = async ({ table }: Variant): Promise<number> => {
    const answer = await root.post(`/svc/api/migrations/jobs/${jobs.get(table)}/run`, {});
    if (answer.status !== 202) throw new Error(`${table} was not started: ${answer.status} ${answer.text}`);
    return answer.read<{ executionId: number }>().executionId;
  };

  /** Restarts a failed copy, which must have written nothing, until it completes. */
  async function comeThrough(variant: Variant, first: number, label: string): Promise<void> {
    let executionId = first;
    for (let start = 0; start < startsMax; start++) {
      const { status, reason } = await endOf(root, executionId);
      const state = await look(variant, `${label}, then ${status} ${reason}`);
      if (status === 'Completed') {
        counts.completed += 1;
        if (state !== 'after') torn.push(`${variant.table}, ${label}: ${status} and nothing there`);
        return;
      }
      if (reason === 'outcome-unknown') return void unknown.push(`${variant.table}, ${label}`);
      counts.failed += 1;
      if (state !== 'before') torn.push(`${variant.table}, ${label}: ${status} ${reason} and all there`);
      executionId = await startCopy(variant);
    }
    throw new Error(`${variant.table} did not come through, ${label}.`);
  }

  const startAll = async (): Promise<Map<Variant, number>> => {
    const started = new Map<Variant, number>();
    for (const variant of variants) await prepare(variant);
    for (const variant of variants) started.set(variant, await startCopy(variant));
    return started;
  };

  const staging = () =>
    destination.texts("select relname from pg_class where relname like 'svc\\_staging%' and relkind = 'r'");

  async function end(victim: Victim): Promise<void> {
    kills[victim] += 1;
    if (victim === 'source') return source.kill();
    if (victim === 'destination') return destination.kill();
    await host.kill();
    counts.inMidst += (await staging()).length > 0 ? 1 : 0;
    for (const variant of variants) await look(variant, 'service killed');
    await host.startAgain();
  }

  return {
    faults: () => [...torn, ...doubled, ...unknown],
    /** Returns the duration of the copies without a kill, in milliseconds. */
    whole: async (): Promise<number> => {
      const startedAt = performance.now();
      for (const [variant, executionId] of await startAll())
        await comeThrough(variant, executionId, 'nobody killed');
      return performance.now() - startedAt;
    },
    round: async (victim: Victim, afterMs: number): Promise<void> => {
      const started = await startAll();
      await delay(afterMs);
      if (victim !== 'service') counts.inMidst += (await staging()).length > 0 ? 1 : 0;
      await end(victim);
      const label = `${victim} killed after ${afterMs} ms`;
      for (const [variant, executionId] of started) await comeThrough(variant, executionId, label);
    },
    report: async (): Promise<KillTrialReport> => {
      // The maintenance job runs at the start of a service and every ten minutes.
      await host.kill();
      await host.startAgain();
      const endsAt = Date.now() + waitMaxMs;
      while ((await staging()).length > 0 && Date.now() < endsAt) await delay(pollMs);
      return { kills, ...counts, torn, doubled, unknown, leftovers: await staging() };
    },
  };
}

async function addJobs(
  root: HttpClient,
  source: DatabaseServer,
  destination: DatabaseServer,
): Promise<ReadonlyMap<string, number>> {
  const addSource = async (name: string, { connection }: DatabaseServer) =>
    (await make(root, '/svc/api/data-sources', { name, engine: 'PostgreSQL', connection })).id;
  const dataSourceId = await addSource('From', source);
  const destinationDataSourceId = await addSource('To', destination);
  await root.put(`/svc/api/data-sources/${destinationDataSourceId}/migration-writes`, { isAllowed: true });
  const jobs = new Map<string, number>();
  for (const { table, change } of variants) {
    const { id } = await make(root, '/svc/api/migrations/jobs', {
      name: table,
      dataSourceId,
      source: { kind: 'Table', schema: 'public', table: 't' },
      destinationDataSourceId,
      destination: into(table),
      retriesMax: 0,
      personalData: 'Copy',
      ...change,
    });
    jobs.set(table, id);
  }
  return jobs;
}

async function endOf(root: HttpClient, executionId: number): Promise<MigrationExecution> {
  const endsAt = Date.now() + waitMaxMs;
  while (Date.now() < endsAt) {
    const answer = await root.get(`/svc/api/migrations/executions/${executionId}`);
    const execution = answer.read<MigrationExecution>();
    if (answer.status === 200 && !['Queued', 'Running'].includes(execution.status)) return execution;
    await delay(pollMs);
  }
  throw new Error(`The execution ${executionId} did not end.`);
}
