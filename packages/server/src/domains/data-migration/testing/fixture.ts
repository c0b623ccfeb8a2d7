import type { MigrationExecution, MigrationJobInput, RoleName } from '@svc/contract';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { make } from '@svc/testkit/client/make.ts';
import { addUser, setUp, signIn } from '@svc/testkit/people/people.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { startSource, type WatchedSource } from '@svc/testkit/runs/watch.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';

export const migrations = '/svc/api/migrations';

/** A service with data migration enabled, a source, and a destination that accepts writes. */
export type MigrationFixture = {
  readonly svc: RunningService;
  readonly root: HttpClient;
  readonly operator: HttpClient;
  readonly source: WatchedSource;
  readonly destination: WatchedSource;
  readonly sourceId: number;
  readonly destinationId: number;
  readonly person: (name: string, roles: readonly RoleName[]) => Promise<HttpClient>;
  readonly definition: (change?: Partial<MigrationJobInput>) => MigrationJobInput;
  readonly addJob: (change?: Partial<MigrationJobInput>, as?: HttpClient) => Promise<number>;
  readonly run: (jobId: number, body?: object, as?: HttpClient) => Promise<number>;
  /** Resolves with the execution when it has ended. */
  readonly ended: (executionId: number) => Promise<MigrationExecution>;
  readonly rows: (sql: string) => Promise<unknown[]>;
  readonly close: () => Promise<void>;
};

export async function startMigrationFixture(
  config: Readonly<Record<string, unknown>> = {},
): Promise<MigrationFixture> {
  const svc = await startService({ config: { 'Svc:Migrations:Enabled': true, ...config } });
  const [source, destination] = [await startSource(), await startSource()];
  const root = await setUp(svc);
  const person: MigrationFixture['person'] = async (name, roles) =>
    signIn(svc, await addUser(svc, name, roles));
  const operator = await person('operator', ['MigrationOperator']);
  const addSource = async (name: string, { connection }: WatchedSource) =>
    (await make(root, '/svc/api/data-sources', { name, engine: 'PostgreSQL', connection })).id;
  const sourceId = await addSource('From', source);
  const destinationId = await addSource('To', destination);
  await root.put(`/svc/api/data-sources/${destinationId}/migration-writes`, { isAllowed: true });
  const definition: MigrationFixture['definition'] = (change = {}) => ({
    name: 'Orders',
    dataSourceId: sourceId,
    source: { kind: 'Table', schema: 'public', table: 'orders' },
    destinationDataSourceId: destinationId,
    destination: { schema: 'public', table: 'orders' },
    mode: 'Upsert',
    retriesMax: 0,
    ...change,
  });
  return {
    svc,
    root,
    operator,
    source,
    destination,
    sourceId,
    destinationId,
    person,
    definition,
    addJob: async (change, as = operator) => (await make(as, `${migrations}/jobs`, definition(change))).id,
    run: async (jobId, body = {}, as = operator) => {
      const answer = await as.post(`${migrations}/jobs/${jobId}/run`, body);
      if (answer.status !== 202) throw new Error(`The copy was not started: ${answer.status} ${answer.text}`);
      return answer.read<{ executionId: number }>().executionId;
    },
    ended: (executionId) =>
      until('the end of a copy', async () => {
        const answer = await operator.get(`${migrations}/executions/${executionId}`);
        const execution = answer.read<MigrationExecution>();
        return execution.status === 'Queued' || execution.status === 'Running' ? undefined : execution;
      }),
    rows: async (sql) => (await destination.pool.query(sql)).rows,
    close: async () => {
      await svc.close();
      await source.close();
      await destination.close();
    },
  };
}
