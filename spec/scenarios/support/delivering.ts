import type { HttpClient } from './http-client.ts';
import { setUp } from './people.ts';
import { addProject } from './projects.ts';
import type { RunningService, Settings, startService } from './service.ts';
import { addDataSource, addQuery, startSource, type WatchedSource } from './watch.ts';
import { startWebhookSink, type WebhookSink } from './webhook-sink.ts';

/** A service that may deliver to a sink, with a project, a source to watch and nothing subscribed yet. */
export type Delivering = {
  readonly svc: RunningService;
  readonly root: HttpClient;
  readonly sink: WebhookSink;
  readonly source: WatchedSource;
  readonly projectId: number;
  readonly dataSourceId: number;
  /** Name of the data source. */
  readonly sourceName: string;
  /** Saves a query of one step on the source. */
  readonly addQuery: (sql: string, name?: string) => Promise<number>;
  readonly close: () => Promise<void>;
};

/** Builds what a delivery needs; the service itself is closed by whoever started it. */
export async function startDelivering(
  start: typeof startService,
  settings: Settings = {},
  options: Parameters<typeof startService>[1] = {},
): Promise<Delivering> {
  const sink = await startWebhookSink();
  const source = await startSource();
  const svc = await start({ ...sink.settings, ...settings }, options);
  const root = await setUp(svc);
  const projectId = await addProject(root, 'Delivering');
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
      await sink.close();
      await source.close();
    },
  };
}
