import type { Connectors } from '@svc/connectors';
import type { DataSource } from '@svc/contract';
import { type Caller, holds } from '../../platform/access/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { notFound } from '../../platform/http/index.ts';
import { reachOf } from '../projects/index.ts';
import type { Vault } from './connection.ts';
import { presentDataSource } from './present.ts';
import * as store from './store.ts';

/** Returns the scope of the caller for data sources. */
export const viewOf = (caller: Caller): store.SourceView => ({
  reach: reachOf(caller),
  seesAll: holds(caller, 'DataSourceAdmin'),
});

/** @throws Refusal 404 for a source that does not exist or that the caller does not see. */
export async function findVisible(
  executor: Executor,
  caller: Caller,
  id: number,
): Promise<store.DataSourceRow> {
  const row = await store.findDataSource(executor, viewOf(caller), id);
  if (!row) throw notFound();
  return row;
}

/** Presents a source. Only the role DataSourceAdmin sees its connection. */
export const presentTo = (
  { vault, connectors }: { readonly vault: Vault; readonly connectors: Connectors },
  caller: Caller,
  row: store.DataSourceRow,
): DataSource =>
  presentDataSource(row, { vault, connectors, showsConnection: holds(caller, 'DataSourceAdmin') });
