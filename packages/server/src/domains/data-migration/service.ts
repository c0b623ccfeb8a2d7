import type {
  ListQuery,
  MigrationDataSource,
  MigrationJob,
  MigrationJobInput,
  MigrationValidation,
  Page,
  Schedule,
} from '@svc/contract';
import { type CopyData, CopyRefusal } from '../../gateways/copy-data/index.ts';
import type { Database, Executor, Tx } from '../../platform/db/index.ts';
import { badRequest, conflict, notFound, pageOf, pageRequest, Refusal } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { assertUnmanaged } from '../managed-records/index.ts';
import { assertVersion } from '../projects/index.ts';
import { copyDefinitionOf, type Opening } from './copy-request.ts';
import { assertMayCopy, definitionOf } from './definition.ts';
import type { MigrationSchedule } from './jobs.ts';
import { presentInspection, presentJob } from './present.ts';
import * as store from './store.ts';

export type MigrationsDeps = Opening & {
  readonly database: Database;
  readonly audit: Audit;
  readonly copyData: Pick<CopyData, 'canWrite' | 'inspect'>;
  readonly setSchedule: MigrationSchedule;
  /** Validates a schedule. A refusal states the error. */
  readonly explainSchedule: (cronExpression: string, timeZone: string | undefined) => Promise<Schedule>;
};

export type MigrationsService = ReturnType<typeof createMigrationsService>;

const inspectTimeoutMs = 30_000;

/**
 * Creates the service for migration jobs. The routes check permissions; this service checks personal data and data
 * sources.
 */
export function createMigrationsService(deps: MigrationsDeps) {
  const { database, audit, copyData } = deps;

  /** Validates the schedule, requires live data sources and a destination that accepts writes. */
  const checked = async (by: CallerActor, input: MigrationJobInput): Promise<store.JobDefinition> => {
    const job = definitionOf(input);
    assertMayCopy(by.caller, job);
    const sources = await store.readSources(database, [job.dataSourceId, job.destinationDataSourceId]);
    const destination = sources.find(({ id }) => id === job.destinationDataSourceId);
    if (!destination || !sources.some(({ id }) => id === job.dataSourceId)) throw notFound();
    if (!copyData.canWrite(destination.engine))
      throw badRequest('destination-not-writable', `${destination.engine} can only be read.`, [
        { path: '/destinationDataSourceId', message: 'cannot be written to' },
      ]);
    if (job.cronExpression === null) return job;
    const { cronExpression, timeZone } = await deps.explainSchedule(
      job.cronExpression,
      job.timeZone ?? undefined,
    );
    return { ...job, cronExpression, timeZone };
  };

  const schedule = (tx: Tx, id: number, { cronExpression, timeZone, isEnabled }: store.JobDefinition) =>
    deps.setSchedule(
      tx,
      id,
      cronExpression !== null && isEnabled ? { cronExpression, timeZone: timeZone ?? 'UTC' } : undefined,
    );

  const record = (
    tx: Tx,
    by: CallerActor,
    what: 'created' | 'changed',
    id: number,
    job: store.JobDefinition,
  ) =>
    audit.record(tx, {
      by,
      event: `migrations.job_${what}`,
      subject: { kind: 'migration_job', id },
      detail: {
        dataSourceId: job.dataSourceId,
        destinationDataSourceId: job.destinationDataSourceId,
        destination: job.destination,
        mode: job.mode,
        personalData: job.personalData,
      },
    });

  const find = async (executor: Executor, id: number): Promise<store.JobRow> => {
    const row = await store.findJob(executor, id);
    if (!row) throw notFound();
    return row;
  };

  return {
    dataSources: async (query: ListQuery & { search?: string }): Promise<Page<MigrationDataSource>> => {
      const page = pageRequest(query, { sortable: store.sourceSortable, byDefault: 'name', unique: 'id' });
      const { rows, totalCount } = await store.listSources(database, query.search || null, page);
      const items = rows.map(({ id, name, engine, areWritesAllowed }) => ({
        id,
        name,
        engine,
        canWrite: areWritesAllowed && copyData.canWrite(engine),
      }));
      return pageOf(items, totalCount, page);
    },

    list: async (query: ListQuery & { search?: string }): Promise<Page<MigrationJob>> => {
      const page = pageRequest(query, { sortable: store.jobSortable, byDefault: 'name', unique: 'j.id' });
      const { rows, totalCount } = await store.listJobs(database, query.search || null, page);
      return pageOf(rows.map(presentJob), totalCount, page);
    },

    get: async (id: number): Promise<MigrationJob> => presentJob(await find(database, id)),

    /** @param within  Further writes in the same transaction. */
    create: async (
      by: CallerActor,
      input: MigrationJobInput,
      within?: (tx: Tx, id: number) => Promise<void>,
    ): Promise<MigrationJob> => {
      const job = await checked(by, input);
      return database.transaction(async (tx) => {
        const id = await store.insertJob(tx, job, by.caller.userId);
        await schedule(tx, id, job);
        await record(tx, by, 'created', id, job);
        await within?.(tx, id);
        return presentJob(await find(tx, id));
      });
    },

    update: async (
      by: CallerActor,
      id: number,
      input: MigrationJobInput,
      expectedVersion: number | undefined,
    ): Promise<MigrationJob> => {
      await find(database, id);
      const job = await checked(by, input);
      return database.transaction(async (tx) => {
        const locked = await store.lockJob(tx, id);
        if (!locked) throw notFound();
        await assertUnmanaged(tx, by, 'MigrationJob', id);
        assertVersion(locked.version, expectedVersion);
        await store.updateJob(tx, id, job);
        await schedule(tx, id, job);
        await record(tx, by, 'changed', id, job);
        return presentJob(await find(tx, id));
      });
    },

    archive: (by: CallerActor, id: number): Promise<void> =>
      database.transaction(async (tx) => {
        if (!(await store.lockJob(tx, id))) throw notFound();
        await assertUnmanaged(tx, by, 'MigrationJob', id);
        const { isRunning } = await find(tx, id);
        if (isRunning)
          throw conflict(
            'migration-running',
            'A copy of this job waits or runs. Wait for its end, or cancel it.',
          );
        await store.archiveJob(tx, id);
        await deps.setSchedule(tx, id, undefined);
        await audit.record(tx, {
          by,
          event: 'migrations.job_archived',
          subject: { kind: 'migration_job', id },
        });
      }),

    /** Checks the source and the destination as a copy would. */
    validate: async (id: number, signal: AbortSignal): Promise<MigrationValidation> => {
      const row = await find(database, id);
      try {
        const definition = await copyDefinitionOf(database, deps, row, row.watermark);
        return presentInspection(await copyData.inspect(definition, { signal, timeoutMs: inspectTimeoutMs }));
      } catch (error) {
        if (error instanceof CopyRefusal)
          throw new Refusal('migration-source-failed', { detail: error.message });
        throw error;
      }
    },
  };
}
