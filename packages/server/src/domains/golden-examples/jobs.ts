import { defineJob } from '@svc/jobs';

type OfSource = { readonly dataSourceId: number };
const keyOf = ({ dataSourceId }: OfSource): string => String(dataSourceId);

/** Job that checks every active example of a source again. */
export const checkExamplesJob = defineJob<OfSource>({
  name: 'check-examples',
  queue: 'schemas',
  // Until the start: a change during the check requires another check.
  dedupe: { key: keyOf, until: 'Started' },
  concurrency: { limit: 1, key: keyOf },
  // A source that is unavailable right after a schema change is probably under maintenance.
  retry: { attemptsMax: 6, delaysMs: [15_000, 60_000, 300_000, 900_000, 3_600_000] },
  parse: (value) => {
    const { dataSourceId } = Object(value) as { dataSourceId?: unknown };
    if (typeof dataSourceId !== 'number' || !Number.isSafeInteger(dataSourceId) || dataSourceId < 1)
      throw new TypeError('dataSourceId must be an integer.');
    return { dataSourceId };
  },
});
