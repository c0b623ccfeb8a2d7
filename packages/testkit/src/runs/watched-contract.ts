import { createJobs } from '@svc/jobs';
import type { Made } from '../client/make.ts';
import type { RunFixture } from './run-fixture.ts';
import { yearly } from './subscribe.ts';
import { until } from './until.ts';

const path = '/svc/api/data-quality/contracts';

/** Only rule of the contracts: one row below 0 warns, more rows fail. */
export const stockRule = {
  name: 'In stock',
  type: 'Range',
  columns: ['amount'],
  config: { min: 0 },
  severity: 'Critical',
  warnAbove: 0,
  failAbove: 1,
};

export type AlertRun = { readonly id: number; readonly status: string; readonly reason: string | null };

export type WatchedContract = {
  readonly id: number;
  /** Path of the contract's messages at the sink. */
  readonly to: string;
  /** Body of the create request, without the default recipient. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly read: () => Promise<Made>;
  /** Runs that send the alerts of the contract, oldest first. */
  readonly runs: () => Promise<AlertRun[]>;
  /** Returns the parsed bodies of the contract's messages at the sink. */
  readonly bodies: () => readonly ReturnType<typeof JSON.parse>[];
  /** Fills the table with this many broken rows, then calls `evaluate`. */
  readonly tick: (broken: number) => Promise<string>;
  /** Triggers the schedule, and waits for the evaluation and its messages. Returns the status of the evaluation. */
  readonly evaluate: () => Promise<string>;
  readonly snooze: (until: string | null) => Promise<unknown>;
};

/** Creates the table of the contracts in the watched database and refreshes the metadata. */
export async function addStock(fixture: RunFixture): Promise<void> {
  await fixture.shop.query('create table stock (id int primary key, amount int)');
  const { status } = await fixture.root.post(`/svc/api/data-sources/${fixture.sourceId}/refresh-metadata`);
  if (status !== 200) throw new Error(`The metadata was refreshed with ${status}.`);
}

/** Fills the table with ten rows. `broken` rows of them break the rule. */
export const fillStock = (fixture: RunFixture, broken: number): Promise<unknown> =>
  fixture.shop.query(`truncate stock; insert into stock select g, case when g > ${broken} then 1 else -1 end
    from generate_series(1, 10) g`);

let made = 0;

/** Creates a contract on the table of `addStock`. Only `tick` and `evaluate` trigger its schedule. */
export async function watchContract(
  fixture: RunFixture,
  more: Readonly<Record<string, unknown>> = {},
): Promise<WatchedContract> {
  made += 1;
  const to = `/contract/${made}`;
  const body = {
    projectId: fixture.projectId,
    dataSourceId: fixture.sourceId,
    schemaName: 'public',
    tableName: 'stock',
    name: `Stock ${made}`,
    rules: [stockRule],
    warnScore: 0,
    failScore: 0,
    cronExpression: yearly,
    timeZone: 'UTC',
    ...more,
  };
  const { id } = await fixture.make(path, { recipientIds: [await fixture.addRecipient(to)], ...body });
  const sql = (text: string) => fixture.svc.database.query(text, [id]);
  const last = async (): Promise<{ id: number; status: string; isOver: boolean } | undefined> =>
    (
      await sql(`select id, status, finished_at is not null as "isOver" from svc.contract_evaluations
        where contract_id = $1 order by id desc limit 1`)
    ).rows[0];
  const evaluate = async (): Promise<string> => {
    const before = (await last())?.id;
    const jobs = createJobs({ pool: fixture.svc.database });
    await jobs.schedules.trigger(jobs.executor, `contract:${id}`);
    const status = await until('an evaluation of the schedule', async () => {
      const next = await last();
      return next?.id !== before && next?.isOver ? next.status : undefined;
    });
    await until('the end of what is told', async () => {
      const { rowCount } = await sql(`select from svc.runs where contract_id = $1 and status = 'Created'
        and held_until is null`);
      return rowCount === 0 || undefined;
    });
    return status;
  };
  return {
    id,
    to,
    body,
    evaluate,
    read: async () => (await fixture.root.get(`${path}/${id}`)).body,
    runs: async () =>
      (await sql('select id, status, reason from svc.runs where contract_id = $1 order by id')).rows,
    bodies: () =>
      fixture.sink.received.filter((request) => request.path === to).map(({ text }) => JSON.parse(text)),
    tick: async (broken) => {
      await fillStock(fixture, broken);
      return evaluate();
    },
    snooze: (until) => fixture.root.post(`${path}/${id}/snooze`, { until }),
  };
}
