import { defineJob, type Jobs } from '@svc/jobs';

type OfSource = { readonly dataSourceId: number };
const parseOfSource = (value: unknown): OfSource => {
  const { dataSourceId } = Object(value) as { dataSourceId?: unknown };
  if (typeof dataSourceId !== 'number' || !Number.isSafeInteger(dataSourceId) || dataSourceId < 1)
    throw new TypeError('dataSourceId must be an integer.');
  return { dataSourceId };
};
const keyOf = ({ dataSourceId }: OfSource): string => String(dataSourceId);

/** Asks the engine for a plan of every query that reads a source. */
export const checkQueries = defineJob<OfSource>({
  name: 'check-queries',
  queue: 'schemas',
  // Until it starts: what changed meanwhile needs another look.
  dedupe: { key: keyOf, until: 'Started' },
  concurrency: { limit: 1, key: keyOf },
  // A source that is away right after its schema changed is most likely being worked on.
  retry: { attemptsMax: 6, delaysMs: [15_000, 60_000, 300_000, 900_000, 3_600_000] },
  parse: parseOfSource,
});

const refreshSchema = defineJob<OfSource>({
  name: 'refresh-schema',
  queue: 'schemas',
  dedupe: { key: keyOf, until: 'Finished' },
  // A source that cannot be read is asked again by the next turn.
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

/** The background work on schemas: refreshes that are due, and checks of the queries that a change may have broken. */
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
    /** Registers the recurring look for refreshes that are due; called at start. */
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
