import pg from 'pg';
import {
  createTestClient,
  createUser,
  setUpAdmin,
  signIn,
  startTestSvc,
  type TestClient,
  type TestSvc,
} from '../../packages/server/src/testing.ts';
import { startWebhookSink, type WebhookSink } from '../../spec/scenarios/support/webhook-sink.ts';
import { createEmptyDatabase, type TestDatabase } from './database.ts';

/** A service with a watched database, a sink that deliveries arrive at, and short ways to what a run needs. */
export type RunWorld = {
  readonly svc: TestSvc;
  /** The first administrator. */
  readonly root: TestClient;
  readonly sink: WebhookSink;
  /** The watched database: `orders (id, email, total)`. */
  readonly shop: pg.Pool;
  readonly projectId: number;
  readonly sourceId: number;
  /** Makes a record as the first administrator; fails unless it was made. */
  readonly make: (path: string, body: unknown) => Promise<Made>;
  readonly addQuery: (sql: string, more?: Readonly<Record<string, unknown>>) => Promise<number>;
  /** A webhook recipient at a path of the sink. */
  readonly addRecipient: (path?: string) => Promise<number>;
  readonly addSubscription: (input: Readonly<Record<string, unknown>>) => Promise<Made>;
  /** Runs a subscription now and waits for its end. */
  readonly runNow: (subscriptionId: number) => Promise<EndedRun>;
  readonly endOf: (runId: number) => Promise<EndedRun>;
  /** Somebody of their own, signed in. */
  readonly person: (userName: string, role: Parameters<typeof createUser>[2]) => Promise<TestClient>;
  readonly close: () => Promise<void>;
};

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export type Made = { readonly id: number; readonly [member: string]: any };
export type EndedRun = Made & {
  readonly status: string;
  readonly comment: string | null;
  readonly deliveries: readonly Made[];
};

/** Fires once a year: a subscription of a test runs when the test says so. */
export const yearly = '0 0 1 1 *';

const patienceMs = 60_000;
const lookAgainMs = 25;

/** Looks until something is there. */
export async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const endMs = performance.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > endMs) throw new Error(`Waited ${patienceMs} ms in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}

const shopSql = `create table orders (id int primary key, email text not null, total numeric(10,2) not null);
  insert into orders select g, 'c' || g || '@example.org', g from generate_series(1, 3) g;`;

export type RunWorldOptions = NonNullable<Parameters<typeof startTestSvc>[0]> & {
  /** Default: an empty database of the tests' server. */
  readonly shop?: TestDatabase;
  /** How long a delivery waits for its answer. Default 0. */
  readonly sinkAnswersAfterMs?: number;
};

export async function startRunWorld(options: RunWorldOptions = {}): Promise<RunWorld> {
  const [shopDatabase, sink] = await Promise.all([
    options.shop ?? createEmptyDatabase(),
    startWebhookSink({ answersAfterMs: options.sinkAnswersAfterMs ?? 0 }),
  ]);
  const shop = new pg.Pool({ ...shopDatabase.connection, max: 2 });
  await shop.query(shopSql);
  const svc = await startTestSvc({ ...options, config: { ...sink.settings, ...options.config } });
  const root = await setUpAdmin(svc.origin);

  const make: RunWorld['make'] = async (path, body) => {
    const answer = await root.post(path, body);
    if (answer.status !== 201) throw new Error(`${path} made nothing: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const { id: projectId } = await make('/svc/api/projects', { name: 'Shop' });
  const { id: sourceId } = await make('/svc/api/data-sources', {
    name: 'Shop database',
    engine: 'PostgreSQL',
    connection: { ...shopDatabase.connection, tlsMode: 'Disable' },
  });
  const linked = await root.post(`/svc/api/projects/${projectId}/data-sources`, { dataSourceId: sourceId });
  if (linked.status >= 300) throw new Error(`The source was not linked: ${linked.status} ${linked.text}`);

  let count = 0;
  const endOf = (runId: number): Promise<EndedRun> =>
    until(`the end of run ${runId}`, async () => {
      const { body } = await root.get(`/svc/api/notifications/${runId}`);
      return body.status === 'Created' ? undefined : body;
    });
  return {
    svc,
    root,
    sink,
    shop,
    projectId,
    sourceId,
    make,
    addQuery: async (sql, more = {}) => {
      count += 1;
      const steps = [{ dataSourceId: sourceId, sql }];
      return (await make('/svc/api/queries', { projectId, name: `Query ${count}`, steps, ...more })).id;
    },
    addRecipient: async (path = '/hook') => {
      count += 1;
      const destination = `${sink.url}${path}`;
      const recipient = { notificationType: 'Webhook', name: `Recipient ${count}`, destination };
      return (await make('/svc/api/recipients', recipient)).id;
    },
    addSubscription: (input) => make('/svc/api/subscriptions', { cronExpression: yearly, ...input }),
    runNow: async (subscriptionId) => {
      const answer = await root.post(`/svc/api/subscriptions/${subscriptionId}/test-run`);
      if (answer.status !== 202) throw new Error(`No run was started: ${answer.status} ${answer.text}`);
      return endOf(answer.body.id);
    },
    endOf,
    person: async (userName, role) => {
      await createUser(svc.database, userName, role);
      return signIn(svc.origin, userName);
    },
    close: async () => {
      await svc.close();
      await shop.end();
      await Promise.all([sink.close(), shopDatabase.drop()]);
    },
  };
}

/** A program that comes with a key. */
export const withKey = (world: RunWorld, authorization: string): TestClient =>
  createTestClient(world.svc.origin, authorization);

/** Approves the change of a recipient that waits, as a reviewer does who has looked at it. */
export async function approveRecipient(reviewer: TestClient, recipientId: number): Promise<void> {
  const changes = '/svc/api/approvals/changes';
  const { body: list } = await reviewer.get(`${changes}?status=Pending&pageSize=200`);
  const waiting = list.items.find((item: { targetId: number }) => item.targetId === recipientId);
  if (!waiting) throw new Error(`Nothing waits of recipient ${recipientId}.`);
  const { body: seen } = await reviewer.get(`${changes}/${waiting.id}`);
  const answer = await reviewer.post(`${changes}/${waiting.id}/approve`, {
    changeHash: seen.changeHash,
    comment: 'Checked with the owner of the destination.',
  });
  if (answer.status !== 204) throw new Error(`Nothing was approved: ${answer.status} ${answer.text}`);
}
