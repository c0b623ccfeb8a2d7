import {
  discoverRelationships,
  getSchemaHealth,
  listRelationships,
  listSchemaChanges,
  type QueryOf,
} from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** One page of the relationships of a data source. */
export const relationships = (id: number, query: QueryOf<typeof listRelationships>) =>
  read(listRelationships, { params: { id }, query });

/** What names suggest; stores nothing, so that asking for it is a read. */
export const proposals = (id: number) => read(discoverRelationships, { params: { id } });

/** What is remarkable about the schema of a data source. */
export const schemaHealth = (id: number) => read(getSchemaHealth, { params: { id } });

/** What the last refreshes found to be different, newest first. */
export const schemaChanges = (id: number) =>
  read(listSchemaChanges, { params: { id }, query: { pageSize: '50' } });
