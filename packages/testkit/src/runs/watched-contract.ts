import { createJobs } from '@svc/jobs';
import type { Made } from '../client/make.ts';
import type { RunFixture } from './run-fixture.ts';
import { yearly } from './subscribe.ts';
import { until } from './until.ts';

const path = '/svc/api/data-quality/contracts';

/** The one rule of the contracts: it warns of one row below 0 and fails above; the score stays out of it. */
export const stockRule = {
  ...{ name: 'In stock', type: 'Range', columns: ['amount'], config: { min: 0 } },
  ...{ severity: 'Critical', warnAbove: 0, failAbove: 1 },
};

export type AlertRun = { readonly id: number; readonly status: string; readonly reason: string | null };

export type WatchedContract = {
  readonly id: number;
  /** Where its messages arrive at the sink. */
  readonly to: string;
  /** What it was made of. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly read: () => Promise<Made>;
  /** Runs that tell of it, oldest first. */
  readonly runs: () => Promise<AlertRun[]>;
  /** What the sink was told. */
  readonly bodies: () => readonly ReturnType<typeof JSON.parse>[];
  /** One evaluation of the schedule over a table with so many broken rows, until whoever is told was told. */
  readonly tick: (broken: number) => Promise<string>;
  /** The same as the table is. */
  readonly evaluate: () => Promise<string>;
  readonly snooze: (until: string | null) => Promise<unknown>;
};

/** Gives the watched database the table that these contracts are about. */
export async function addStock(fixture: RunFixture): Promise<void> {
  await fixture.shop.query('create table stock (id int primary key, amount int)');
  const { status } = await fixture.root.post(`/svc/api/data-sources/${fixture.sourceId}/refresh-metadata`);
  if (status !== 200) throw new Error(`The metadata was refreshed with ${status}.`);
}

/** Makes so many of the ten rows of the table break the rule. */
export const fillStock = (fixture: RunFixture, broken: number): Promise<unknown> =>
  fixture.shop.query(`truncate stock; insert into stock select g, case when g > ${broken} then 1 else -1 end
    from generate_series(1, 10) g`);

let made = 0;

/** A contract about the table of `addStock` that is evaluated when it is told to, as by its schedule. */
export async function watchContract(
  fixture: RunFixture,
  more: Readonly<Record<string, unknown>> = {},
): Promise<WatchedContract> {
  made += 1;
  const to = `/contract/${made}`;
  const body = {
    ...{ projectId: fixture.projectId, dataSourceId: fixture.sourceId, schemaName: 'public' },
    ...{ tableName: 'stock', name: `Stock ${made}`, rules: [stockRule], warnScore: 0, failScore: 0 },
    ...{ cronExpression: yearly, timeZone: 'UTC', ...more },
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
    ...{ id, to, body, evaluate },
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
