import type { Metadata } from '@svc/connectors';
import type { ListQuery, Page, Relationship, RelationshipOrigin, SchemaHealth } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Tx } from '../../platform/db/index.ts';
import { pageOf, pageRequest } from '../../platform/http/index.ts';
import { requireInProject } from '../data-sources/index.ts';
import { createChange, createDelete, createVerify } from './change.ts';
import type { RelationshipCheck } from './check.ts';
import { createCreateRelationship } from './create.ts';
import type { RelationshipsDeps } from './deps.ts';
import { presentRelationship } from './present.ts';
import { createAccept, createDiscover } from './proposals.ts';
import { readSnapshot, requireRelationship } from './read.ts';
import { healthOf, listedMax } from './schema/health.ts';
import { declaredIn, schemaOf } from './schema/schema.ts';
import * as store from './store.ts';

export type RelationshipsService = ReturnType<typeof createRelationshipsService>;

/** Updates the declared keys to match a snapshot, in the transaction that stores the snapshot. */
export const syncRelationships = (tx: Tx, dataSourceId: number, metadata: Metadata): Promise<void> =>
  store.syncDeclared(tx, dataSourceId, declaredIn(schemaOf(metadata)));

type RelationshipQuery = ListQuery & {
  search?: string;
  origin?: RelationshipOrigin;
  isVerified?: boolean;
  table?: string;
};

/** Creates the service for relationships between tables of data sources, and for the health of their schemas. */
export const createRelationshipsService = (deps: RelationshipsDeps) => ({
  list: async (
    caller: Caller,
    dataSourceId: number,
    query: RelationshipQuery,
  ): Promise<Page<Relationship>> => {
    await requireInProject(deps.database, caller, dataSourceId, 'Read');
    const page = pageRequest(query, {
      sortable: store.relationshipSortable,
      byDefault: 'sourceTable',
      unique: 'r.id',
    });
    const filter = {
      search: query.search || null,
      origin: query.origin ?? null,
      isVerified: query.isVerified ?? null,
      table: query.table || null,
    };
    const { rows, total } = await store.listRelationships(deps.database, dataSourceId, filter, page);
    return pageOf(rows.map(presentRelationship), total, page);
  },

  create: createCreateRelationship(deps),
  change: createChange(deps),
  verify: createVerify(deps),
  delete: createDelete(deps),
  discover: createDiscover(deps),
  accept: createAccept(deps),

  check: async (
    caller: Caller,
    dataSourceId: number,
    id: number,
    signal: AbortSignal,
  ): Promise<RelationshipCheck> => {
    await requireInProject(deps.database, caller, dataSourceId, 'Read');
    const ends = await requireRelationship(deps.database, dataSourceId, id);
    return deps.check(caller, dataSourceId, ends, signal);
  },

  health: async (caller: Caller, dataSourceId: number): Promise<SchemaHealth> => {
    await requireInProject(deps.database, caller, dataSourceId, 'Read');
    const { schema, at } = await readSnapshot(deps.database, dataSourceId);
    const stored = await store.storedEnds(deps.database, dataSourceId);
    const activeEnds = stored.filter(({ isArchived }) => !isArchived);
    return {
      dataSourceId,
      refreshedAt: at?.toISOString() ?? null,
      ...healthOf(schema, activeEnds),
      brokenQueries: await deps.brokenQueries(caller, dataSourceId, listedMax),
    };
  },
});
