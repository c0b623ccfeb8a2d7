import type { HttpClient } from '../client/http-client.ts';
import type { TestDatabase } from '../database/database.ts';
import { setUp } from '../people/people.ts';
import { addProject } from '../people/projects.ts';
import { type RunningService, type ServiceOptions, startService } from '../service/service.ts';
import { addDataSource, addQuery, startSource, type WatchedSource } from './watch.ts';
import { startWebhookSink, type WebhookSink } from './webhook-sink.ts';

/** Service that can deliver to a sink, with a project and a watched source, but without subscriptions. */
export type DeliveryFixture = {
  readonly svc: RunningService;
  /** Client of the super admin. */
  readonly root: HttpClient;
  readonly sink: WebhookSink;
  readonly source: WatchedSource;
  readonly projectId: number;
  readonly dataSourceId: number;
  readonly sourceName: string;
  /** Saves a query of one step on the source and returns its id. */
  readonly addQuery: (sql: string, name?: string) => Promise<number>;
  readonly close: () => Promise<void>;
};

export type DeliveryFixtureOptions = ServiceOptions & {
  /** Watched database. Default: an empty database of the tests' server. */
  readonly watched?: TestDatabase;
  /** Delay of the sink's answers. Default 0. */
  readonly sinkAnswersAfterMs?: number;
};

/** Starts a watched source, a sink and a service, and connects them. */
export async function startDeliveryFixture({
  watched,
  sinkAnswersAfterMs = 0,
  ...options
}: DeliveryFixtureOptions = {}): Promise<DeliveryFixture> {
  const [source, sink] = await Promise.all([
    startSource(watched),
    startWebhookSink({ answersAfterMs: sinkAnswersAfterMs }),
  ]);
  const svc = await startService({ ...options, config: { ...sink.settings, ...options.config } });
  const root = await setUp(svc);
  const projectId = await addProject(root, 'Shop');
  const sourceName = 'The watched source';
  const dataSourceId = await addDataSource(root, projectId, source.connection, sourceName);
  return {
    svc,
    root,
    sink,
    source,
    projectId,
    dataSourceId,
    sourceName,
    addQuery: (sql, name) => addQuery(root, projectId, dataSourceId, sql, name),
    close: async () => {
      await svc.close();
      await Promise.all([sink.close(), source.close()]);
    },
  };
}
