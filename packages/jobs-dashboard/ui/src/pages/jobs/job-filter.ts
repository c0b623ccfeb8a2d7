import type { JobState } from '@svc/jobs';
import type { Query } from '../../lib/address.ts';
import { readSearch } from '../../lib/search.ts';

/** Query parameters that filter the list in addition to state and search, with their labels. */
export const narrowing: Readonly<Record<string, string>> = {
  queue: 'Queue',
  exactName: 'Name',
  schedule: 'Schedule',
  batchId: 'Members of',
  parentId: 'After',
  spawnedBy: 'Spawned by',
  traceId: 'Trace',
};

/** Returns the filter of the list from the URL. */
export function filterOf(
  query: Query,
  state: JobState | undefined,
  nowMs: number,
): Record<string, string | undefined> {
  const narrowed = Object.fromEntries(Object.keys(narrowing).map((name) => [name, query[name]]));
  return { ...narrowed, state, ...readSearch(query['q'] ?? '', nowMs).search };
}
