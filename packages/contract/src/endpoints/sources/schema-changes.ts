import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, nullable, pageOf, Time, wordOf } from '../../shapes.ts';

/** Differences that a refresh of metadata can detect. */
export const schemaChangeKinds = [
  'TableAdded',
  'TableRemoved',
  'ColumnAdded',
  'ColumnRemoved',
  'ColumnRetyped',
] as const;
export type SchemaChangeKind = (typeof schemaChangeKinds)[number];

export const SchemaChange = Type.Object({
  id: Id,
  foundAt: Time,
  kind: wordOf(schemaChangeKinds),
  schema: Type.String({ description: 'Empty for engines without schemas.' }),
  table: Type.String(),
  column: nullable(Type.String({ description: 'Null for a change of the whole table.' })),
  typeBefore: nullable(
    Type.String({
      description:
        'Type of the column before the change, as the engine names it; null if the column did not exist.',
    }),
  ),
  typeAfter: nullable(
    Type.String({
      description:
        'Type of the column after the change, as the engine names it; null if the column no longer exists.',
    }),
  ),
});
export type SchemaChange = Static<typeof SchemaChange>;

/** Sort names: `foundAt`; default `-foundAt`. The newest 10,000 of a data source are stored. */
export const listSchemaChanges = defineEndpoint({
  operationId: 'listSchemaChanges',
  tag: 'data-sources',
  summary:
    'Tables and columns that were added, removed or changed in type, as refreshes of the metadata detected them, newest first',
  method: 'GET',
  path: '/svc/api/data-sources/{id}/schema-changes',
  params: IdParams,
  query: Type.Object({
    ...listQuery,
    kind: Type.Optional(wordOf(schemaChangeKinds)),
    table: Type.Optional(Type.String({ maxLength: 200, description: 'Name of a table.' })),
  }),
  responses: { 200: pageOf(SchemaChange) },
  readsLate: true,
  access: access.read({ project: 'readable' }),
});
