import { defineJob, type Jobs } from '@svc/jobs';

type OfSource = { readonly dataSourceId: number };
const parseOfSource = (value: unknown): OfSource => {
  const { dataSourceId } = Object(value) as { dataSourceId?: unknown };
  if (typeof dataSourceId !== 'number' || !Number.isSafeInteger(dataSourceId) || dataSourceId < 1)
    throw new TypeError('dataSourceId must be an integer.');
  return { dataSourceId };
};
const keyOf = ({ dataSourceId }: OfSource): string => String(dataSourceId);

/** Requests a plan of every query that reads a source. */
export const checkQueries = defineJob<OfSource>({
  name: 'check-queries',
  queue: 'schemas',
  // Until `Started`: a change while the job runs needs another check.
  dedupe: { key: keyOf, until: 'Started' },
  concurrency: { limit: 1, key: keyOf },
  // A source that is unavailable right after a schema change is most likely under maintenance.
  retry: { attemptsMax: 6, delaysMs: [15_000, 60_000, 300_000, 900_000, 3_600_000] },
  parse: parseOfSource,
});

const refreshSchema = defineJob<OfSource>({
  name: 'refresh-schema',
  queue: 'schemas',
  dedupe: { key: keyOf, until: 'Finished' },
  // The next refresh queries an unreadable source again.
  retry: { attemptsMax: 1 },
  parse: parseOfSource,
});

const refreshSchemas = defineJob<null>({
  name: 'refresh-schemas',
  queue: 'schemas',
  dedupe: { key: () => 'all', until: 'Finished' },
  parse: () => null,
});

const dueMax = 200;

/** Creates the background jobs on schemas: due refreshes, and checks of queries that a change may have broken. */
export function createDriftJobs(deps: {
  readonly jobs: Jobs;
  readonly due: (limit: number) => Promise<number[]>;
  readonly refresh: (dataSourceId: number) => Promise<void>;
  readonly check: (dataSourceId: number, signal: AbortSignal) => Promise<void>;
}) {
  const { jobs } = deps;
  jobs.handle(checkQueries, ({ dataSourceId }, { signal }) => deps.check(dataSourceId, signal));
  jobs.handle(refreshSchema, ({ dataSourceId }) => deps.refresh(dataSourceId));
  jobs.handle(refreshSchemas, async () => {
    const ids = await deps.due(dueMax);
    for (const dataSourceId of ids) await jobs.enqueue(jobs.executor, refreshSchema, { dataSourceId });
  });
  return {
    /** Registers the recurring search for due refreshes. Call it at start. */
    start: async (): Promise<void> => {
      await jobs.schedules.put(jobs.executor, {
        key: 'maintenance:refresh-schemas',
        cron: '*/10 * * * *',
        timeZone: 'UTC',
        job: refreshSchemas,
        payload: null,
      });
    },
  };
}
