import {
  discoverRelationships,
  getSchemaHealth,
  listRelationships,
  listSchemaChanges,
  type QueryOf,
} from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

export const relationships = (id: number, query: QueryOf<typeof listRelationships>) =>
  read(listRelationships, { params: { id }, query });

/** Suggested relationships. It is a query although it computes them, because it stores nothing. */
export const proposals = (id: number) => read(discoverRelationships, { params: { id } });

/** Findings about the schema of a data source. */
export const schemaHealth = (id: number) => read(getSchemaHealth, { params: { id } });

/** Schema changes of the last refreshes, newest first. */
export const schemaChanges = (id: number) =>
  read(listSchemaChanges, { params: { id }, query: { pageSize: '50' } });
