import type { Executor } from '../../platform/db/index.ts';
import { notFound } from '../../platform/http/index.ts';
import { findMetadata } from '../data-sources/index.ts';
import { type Schema, schemaOf } from './schema/schema.ts';
import { findRelationship } from './store.ts';
import type { StoredRelationship } from './types.ts';

const emptySchema = schemaOf({ tables: [] });

/** Returns the stored schema of a data source and its time. Empty before the first snapshot. */
export async function readSnapshot(
  executor: Executor,
  dataSourceId: number,
): Promise<{ readonly schema: Schema; readonly at: Date | null }> {
  const metadata = await findMetadata(executor, dataSourceId);
  return metadata
    ? { schema: schemaOf(metadata.snapshot), at: metadata.refreshed_at }
    : { schema: emptySchema, at: null };
}

/** @throws HttpProblem 404 if the data source has no relationship with this id. */
export async function requireRelationship(
  executor: Executor,
  dataSourceId: number,
  id: number,
  options: { readonly forUpdate?: boolean } = {},
): Promise<StoredRelationship> {
  const relationship = await findRelationship(executor, dataSourceId, id, options);
  if (!relationship) throw notFound();
  return relationship;
}
