import type pg from 'pg';
import type { HttpClient } from '../client/http-client.ts';
import { type Made, make } from '../client/make.ts';
import type { TestDatabase } from '../database/database.ts';
import { signIn } from '../people/people.ts';
import { createUser } from '../people/users.ts';
import type { RunningService } from '../service/service.ts';
import { type DeliveryFixtureOptions, startDeliveryFixture } from './delivery-fixture.ts';
import { addRecipient, finishedRun, runNow, yearly } from './subscribe.ts';
import type { WebhookSink } from './webhook-sink.ts';

/** Service with a watched database, a sink for deliveries, and shortcuts for the records of a run. */
export type RunFixture = {
  readonly svc: RunningService;
  /** Client of the super admin. */
  readonly root: HttpClient;
  readonly sink: WebhookSink;
  /** Watched database, with the table `orders (id, email, total)`. */
  readonly shop: pg.Pool;
  readonly projectId: number;
  readonly sourceId: number;
  /** Creates a record as the super admin. Throws unless the status is 201. */
  readonly make: (path: string, body: unknown) => Promise<Made>;
  readonly addQuery: (sql: string, more?: Readonly<Record<string, unknown>>) => Promise<number>;
  /** Adds a webhook recipient at a path of the sink. Default: `/hook`. */
  readonly addRecipient: (path?: string) => Promise<number>;
  readonly addSubscription: (input: Readonly<Record<string, unknown>>) => Promise<Made>;
  /** Runs a subscription now and waits for its end. */
  readonly runNow: (subscriptionId: number) => Promise<EndedRun>;
  readonly endOf: (runId: number) => Promise<EndedRun>;
  /** Creates a user with a role and signs the user in. */
  readonly person: (userName: string, role: Parameters<typeof createUser>[2]) => Promise<HttpClient>;
  readonly close: () => Promise<void>;
};

export type EndedRun = Made & {
  readonly status: string;
  readonly comment: string | null;
  readonly deliveries: readonly Made[];
};

const shopSql = `create table orders (id int primary key, email text not null, total numeric(10,2) not null);
  insert into orders select g, 'c' || g || '@example.org', g from generate_series(1, 3) g;`;

export type RunFixtureOptions = Omit<DeliveryFixtureOptions, 'watched'> & {
  /** Default: an empty database of the tests' server. */
  readonly shop?: TestDatabase;
};

export async function startRunFixture({ shop, ...options }: RunFixtureOptions = {}): Promise<RunFixture> {
  const { svc, root, sink, source, projectId, dataSourceId, close } = await startDeliveryFixture({
    ...options,
    ...(shop && { watched: shop }),
  });
  await source.sql(shopSql);
  let count = 0;
  return {
    svc,
    root,
    sink,
    shop: source.pool,
    projectId,
    sourceId: dataSourceId,
    make: (path, body) => make(root, path, body),
    addQuery: async (sql, more = {}) => {
      count += 1;
      const steps = [{ dataSourceId, sql }];
      return (await make(root, '/svc/api/queries', { projectId, name: `Query ${count}`, steps, ...more })).id;
    },
    addRecipient: (path = '/hook') => {
      count += 1;
      const name = `Recipient ${count}`;
      return addRecipient(root, { notificationType: 'Webhook', name, destination: sink.urlOf(path) });
    },
    addSubscription: (input) => make(root, '/svc/api/subscriptions', { cronExpression: yearly, ...input }),
    runNow: (subscriptionId) => runNow<EndedRun>(root, subscriptionId),
    endOf: (runId) => finishedRun<EndedRun>(root, runId),
    person: async (userName, role) => {
      await createUser(svc.database, userName, role);
      return signIn(svc, userName);
    },
    close,
  };
}
