import type { Task, TaskDetail, TaskEvent } from '@svc/contract';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, type RunFixtureOptions, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';

export type TaskFixture = RunFixture & {
  readonly sql: (statement: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
  /** Creates a subscription that creates tasks. The test controls its rows in the shop. */
  readonly watch: (more?: Readonly<Record<string, unknown>>) => Promise<Watched>;
  readonly userIdOf: (client: HttpClient) => Promise<number>;
};

export type Watched = {
  readonly id: number;
  readonly queryId: number;
  readonly setRows: (rows: number) => Promise<void>;
  /** Runs it with `rows` rows. Returns the ended run. */
  readonly runWith: (rows: number) => ReturnType<RunFixture['runNow']>;
  /** Returns its tasks, newest first. */
  readonly tasks: () => Promise<Task[]>;
  /** Returns the details of its newest task. */
  readonly task: () => Promise<TaskDetail>;
  /** Returns the events of its newest task, oldest first. */
  readonly events: () => Promise<TaskEvent[]>;
};

/** Starts a run fixture whose subscriptions find as many rows as a test requires. */
export async function startTaskFixture(options: RunFixtureOptions = {}): Promise<TaskFixture> {
  const fixture = await startRunFixture(options);
  const { root } = fixture;
  await fixture.shop.query('create table alarms (subscription int not null)');
  let count = 0;
  return {
    ...fixture,
    sql: async (statement, values = []) => (await fixture.svc.database.query(statement, values)).rows,
    userIdOf: async (client) => (await client.get('/svc/api/auth/me')).body.userId,
    watch: async (more = {}) => {
      const key = ++count;
      const queryId = await fixture.addQuery(`select * from alarms where subscription = ${key}`);
      const { id } = await fixture.addSubscription({
        queryId,
        recipientIds: [],
        createTasks: true,
        notificationTrigger: 'Always',
        ...more,
      });
      const tasks = async (): Promise<Task[]> =>
        (await root.get(`/svc/api/tasks?state=All&subscriptionId=${id}&sort=-id&pageSize=200`)).body.items;
      const setRows = async (rows: number): Promise<void> => {
        await fixture.shop.query('delete from alarms where subscription = $1', [key]);
        await fixture.shop.query('insert into alarms select $1 from generate_series(1, $2)', [key, rows]);
      };
      const newest = async () => `/svc/api/tasks/${(await tasks())[0]?.id}`;
      return {
        id,
        queryId,
        tasks,
        task: async () => (await root.get(await newest())).body,
        events: async () => (await root.get(`${await newest()}/events?sort=id&pageSize=200`)).body.items,
        setRows,
        runWith: async (rows) => {
          await setRows(rows);
          return fixture.runNow(id);
        },
      };
    },
  };
}
