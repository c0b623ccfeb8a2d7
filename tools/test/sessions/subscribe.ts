import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import type { WebhookSink } from '@svc/testkit/runs/webhook-sink.ts';
import type { RestartableDatabase } from './restartable-database.ts';

export type SubscribeOptions = {
  readonly database: RestartableDatabase;
  readonly sink: WebhookSink;
  readonly subscriptions: number;
  readonly cronExpression: string;
};

/** Records of a trial. */
export type Watched = {
  readonly projectId: number;
  readonly queryId: number;
  readonly steps: readonly { readonly dataSourceId: number; readonly sql: string }[];
};

/** Creates one query and subscriptions that deliver each time, each with a separate path at the sink: `/0`, `/1`, … */
export async function subscribe(root: HttpClient, options: SubscribeOptions): Promise<Watched> {
  const { database, sink, subscriptions, cronExpression } = options;
  const create = async (path: string, body: unknown): Promise<number> => {
    const { status, text, body: record } = await root.post(path, body);
    if (status !== 201) throw new Error(`${path} answered ${status} ${text}`);
    return record.id;
  };
  const projectId = await create('/svc/api/projects', { name: 'Shop' });
  const connection = { ...database.shop, tlsMode: 'Disable' };
  const source = { name: 'Shop database', engine: 'PostgreSQL', connection };
  const dataSourceId = await create('/svc/api/data-sources', source);
  await root.post(`/svc/api/projects/${projectId}/data-sources`, { dataSourceId });
  const steps = [{ dataSourceId, sql: 'select id, email from orders' }];
  const queryId = await create('/svc/api/queries', { projectId, name: 'Orders', steps });
  for (let at = 0; at < subscriptions; at += 1) {
    const recipient = { notificationType: 'Webhook', name: `Hook ${at}`, destination: `${sink.url}/${at}` };
    const recipientIds = [await create('/svc/api/recipients', recipient)];
    const subscription = { queryId, recipientIds, notificationTrigger: 'Always', cronExpression };
    await create('/svc/api/subscriptions', subscription);
  }
  return { projectId, queryId, steps };
}
