import { conflict, notFound } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { assertUnmanaged } from '../../managed-records/index.ts';
import { assertVersion, reachOf } from '../../projects/index.ts';
import type { DataSourcesDeps } from '../service.ts';
import { lockDataSource, queriesUsing, archiveDataSource as storeArchived } from '../store.ts';

const namedQueriesMax = 10;

/**
 * Archives a source.
 *
 * @throws Refusal `data-source-in-use` while queries use it.
 */
export const archiveDataSource = (
  { database, audit }: DataSourcesDeps,
  by: CallerActor,
  id: number,
  expectedVersion: number | undefined,
): Promise<void> =>
  database.transaction(async (tx) => {
    const locked = await lockDataSource(tx, id);
    if (!locked) throw notFound();
    await assertUnmanaged(tx, by, 'DataSource', id);
    assertVersion(locked.version, expectedVersion);
    const queries = await queriesUsing(tx, reachOf(by.caller), id);
    if (queries.length > 0) throw conflict('data-source-in-use', inUse(queries.map(({ name }) => name)));
    await storeArchived(tx, id);
    await audit.record(tx, {
      event: 'data_sources.data_source_archived',
      by,
      subject: { kind: 'data_source', id },
    });
  });

/** Lists the names of queries that the caller can read, and the number of other queries. */
function inUse(names: readonly (string | null)[]): string {
  const readable = names.filter((name) => name !== null);
  const shown = readable.slice(0, namedQueriesMax).map((name) => `“${name}”`);
  const others = names.length - shown.length;
  const rest = others === 0 ? [] : [`${others} ${shown.length > 0 ? 'more' : 'that you cannot see'}`];
  return `Queries still use this data source: ${[...shown, ...rest].join(', ')}. Change or archive them first.`;
}
