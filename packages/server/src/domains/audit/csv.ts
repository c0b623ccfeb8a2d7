import { begun } from '../../platform/concurrency/begun.ts';
import { csvOf, type TabularBatch, type TabularColumn } from '../../platform/tabular/index.ts';
import type { PlacedEvent, StoredEvent } from './read-store.ts';

/** Rows per read: several hundred kilobytes. */
const batchRows = 1_000;

type Cell = string | number | null;

const text = (name: string, of: (event: StoredEvent) => Cell) => ({ name, isText: true, of });
const fact = (name: string, of: (event: StoredEvent) => Cell) => ({ name, isText: false, of });

/** Columns of the file, in this order. */
const columns: readonly (TabularColumn & { readonly of: (event: StoredEvent) => Cell })[] = [
  fact('Id', ({ id }) => id),
  fact('Time (UTC)', ({ occurredAt }) => occurredAt.toISOString()),
  text('Event', ({ event }) => event),
  text('Actor kind', ({ actorKind }) => actorKind),
  fact('Actor user id', ({ actorUserId }) => actorUserId),
  text('Actor', ({ actorUserName }) => actorUserName),
  fact('API key id', ({ apiKeyId }) => apiKeyId),
  text('API key', ({ apiKeyName }) => apiKeyName),
  text('Address', ({ clientAddress }) => clientAddress),
  text('Subject kind', ({ subjectKind }) => subjectKind),
  fact('Subject id', ({ subjectId }) => subjectId),
  text('Subject', ({ subjectName }) => subjectName),
  fact('Project id', ({ projectId }) => projectId),
  text('Project', ({ projectName }) => projectName),
  text('Trace id', ({ traceId }) => traceId),
  text('Detail', ({ detail }) => JSON.stringify(detail)),
];

/** Returns events as CSV. `read` returns the events after a given one, in order. */
export async function eventsAsCsv(
  read: (after: PlacedEvent | undefined, limit: number) => Promise<readonly PlacedEvent[]>,
): Promise<AsyncIterable<string>> {
  return csvOf(columns, await begun(batchesOf(read)));
}

async function* batchesOf(read: Parameters<typeof eventsAsCsv>[0]): AsyncGenerator<TabularBatch> {
  let after: PlacedEvent | undefined;
  for (;;) {
    const events = await read(after, batchRows);
    if (events.length === 0) return;
    yield { rowCount: events.length, columns: columns.map(({ of }) => events.map(of)) };
    if (events.length < batchRows) return;
    after = events.at(-1);
  }
}
