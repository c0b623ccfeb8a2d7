import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, NonBlank, nullable, pageOf, Time, wordOf } from '../../shapes.ts';

const tag = 'relationships';
const nameLengthMax = 200;
const columnsMax = 32;
const acceptedMax = 500;

/** Origins of a relationship: a declared key, an accepted proposal, or a user. */
export const relationshipOrigins = ['ForeignKey', 'Inferred', 'Manual'] as const;
export type RelationshipOrigin = (typeof relationshipOrigins)[number];

/** Ratio of source rows to target rows. */
export const cardinalities = ['OneToOne', 'ManyToOne', 'ManyToMany', 'Unknown'] as const;
export type Cardinality = (typeof cardinalities)[number];

const name = NonBlank(nameLengthMax);
const End = Type.Object({
  schema: Type.String({ maxLength: nameLengthMax }),
  table: name,
  columns: Type.Array(name, { minItems: 1, maxItems: columnsMax }),
});

/** One end of a relationship: a table and its columns, in the order of the other end's columns. */
export type RelationshipEnd = Static<typeof End>;

const ends = { source: End, target: End };

export const Relationship = Type.Object({
  id: Id,
  dataSourceId: Id,
  ...ends,
  label: Type.String(),
  origin: wordOf(relationshipOrigins),
  cardinality: wordOf(cardinalities),
  confidence: Type.Number({
    description: '1 for declared keys and for relationships that users added; lower for proposals.',
  }),
  isVerified: Type.Boolean({ description: 'The database declares the relationship, or a user verified it.' }),
  verifiedByUserName: nullable(Type.String()),
  verifiedAt: nullable(Time),
  createdTime: Time,
  updatedAt: Time,
  version: Type.Integer({ minimum: 1 }),
});
export type Relationship = Static<typeof Relationship>;

/** Rules that infer a relationship between two columns. */
export const relationshipRules = ['NamedAfterTable', 'NamedAfterTableAndKey', 'SameNameAsKey'] as const;
export type RelationshipRule = (typeof relationshipRules)[number];

export const RelationshipProposal = Type.Object({
  ...ends,
  label: Type.String(),
  cardinality: wordOf(cardinalities),
  confidence: Type.Number(),
  rule: wordOf(relationshipRules),
  evidence: Type.String({ description: 'Reason for the proposal, in one sentence.' }),
});
export type RelationshipProposal = Static<typeof RelationshipProposal>;

const named = (description: string) =>
  Type.Object(
    {
      count: Type.Integer({ minimum: 0 }),
      items: Type.Array(Type.String(), { description: 'The first 100.' }),
    },
    { description },
  );

export const SchemaHealth = Type.Object({
  dataSourceId: Id,
  refreshedAt: nullable(Time),
  tableCount: Type.Integer({ minimum: 0 }),
  relationshipCount: Type.Integer({ minimum: 0 }),
  verifiedCount: Type.Integer({ minimum: 0 }),
  componentCount: Type.Integer({
    minimum: 0,
    description: 'Groups of connected tables. A table without relationships is a group.',
  }),
  largestComponentSize: Type.Integer({ minimum: 0 }),
  isolatedTables: named('Tables without relationships.'),
  junctionTables: named('Tables whose key consists of references to at least two others.'),
  withoutPrimaryKey: named('Tables without a primary key. Views do not count.'),
  unindexedForeignKeys: named(
    'Declared foreign keys without an index of their table that starts with their columns.',
  ),
  brokenQueries: Type.Object(
    {
      count: Type.Integer({ minimum: 0 }),
      items: Type.Array(Type.Object({ id: Id, name: Type.String(), message: Type.String() })),
    },
    {
      description:
        'Queries that the caller can read and for which the engine can no longer compute a plan; the first 100.',
    },
  ),
  typeMismatches: named('Relationships whose columns have different kinds of types.'),
});
export type SchemaHealth = Static<typeof SchemaHealth>;

const path = '/svc/api/data-sources/{id}/relationships';
const OneParams = Type.Object({ id: Id, relationshipId: Id });
const unknownColumn = 'A table or column is not in the metadata, or the two ends are incompatible.';
const twin = 'A relationship between the same ends exists, or a user deleted one.';
const changedMeanwhile = { 412: 'If-Match names an earlier version of the record.' } as const;

/** Sort names: `sourceTable`, `targetTable`, `label`, `confidence`, `createdTime`; default `sourceTable`. */
export const listRelationships = defineEndpoint({
  operationId: 'listRelationships',
  tag,
  summary: 'Lists the relationships between tables of a data source',
  method: 'GET',
  path,
  params: IdParams,
  query: Type.Object({
    ...listQuery,
    search: Type.Optional(
      Type.String({ maxLength: nameLengthMax, description: 'Part of a table, column or label.' }),
    ),
    origin: Type.Optional(wordOf(relationshipOrigins)),
    isVerified: Type.Optional(Type.Boolean()),
    table: Type.Optional(Type.String({ maxLength: nameLengthMax, description: 'Table at one of the ends.' })),
  }),
  responses: { 200: pageOf(Relationship) },
  access: access.read({ project: 'readable' }),
});

export const CreateRelationshipBody = Type.Object({
  ...ends,
  label: Type.Optional(name),
  cardinality: Type.Optional(wordOf(cardinalities)),
});

export const createRelationship = defineEndpoint({
  operationId: 'createRelationship',
  tag,
  summary: 'Adds a relationship between two tables of the metadata',
  method: 'POST',
  path,
  params: IdParams,
  body: CreateRelationshipBody,
  responses: { 201: Relationship },
  sends: ['ETag'],
  access: access.write({ project: 'writable' }),
  refusals: { 400: unknownColumn, 409: twin },
});

export const ChangeRelationshipBody = Type.Object({
  label: Type.Optional(name),
  cardinality: Type.Optional(wordOf(cardinalities)),
});

export const changeRelationship = defineEndpoint({
  operationId: 'changeRelationship',
  tag,
  summary: 'Changes the label and cardinality of a relationship; its ends do not change',
  method: 'PATCH',
  path: `${path}/{relationshipId}`,
  params: OneParams,
  body: ChangeRelationshipBody,
  responses: { 200: Relationship },
  sends: ['ETag'],
  access: access.write({ project: 'writable' }),
  refusals: changedMeanwhile,
});

export const verifyRelationship = defineEndpoint({
  operationId: 'verifyRelationship',
  tag,
  summary: 'Marks a relationship as verified, or removes the mark',
  method: 'POST',
  path: `${path}/{relationshipId}/verify`,
  params: OneParams,
  body: Type.Object({ isVerified: Type.Boolean() }),
  responses: { 200: Relationship },
  sends: ['ETag'],
  access: access.curate(),
  refusals: { 409: 'The relationship is a declared key, which needs no verification.' },
});

export const deleteRelationship = defineEndpoint({
  operationId: 'deleteRelationship',
  tag,
  summary: 'Deletes a relationship; refreshes and proposals do not restore it',
  method: 'DELETE',
  path: `${path}/{relationshipId}`,
  params: OneParams,
  responses: { 204: null },
  access: access.write({ project: 'writable' }),
  refusals: changedMeanwhile,
});

export const discoverRelationships = defineEndpoint({
  operationId: 'discoverRelationships',
  tag,
  summary: 'Proposes relationships from the names of tables and columns; stores nothing',
  method: 'POST',
  path: `${path}/discover`,
  params: IdParams,
  responses: { 200: Type.Object({ proposals: Type.Array(RelationshipProposal) }) },
  access: access.runByPost({ project: 'readable' }),
});

export const acceptRelationships = defineEndpoint({
  operationId: 'acceptRelationships',
  tag,
  summary: 'Stores proposed relationships',
  method: 'POST',
  path: `${path}/discover/accept`,
  params: IdParams,
  body: Type.Object({
    proposals: Type.Array(Type.Object(ends), { minItems: 1, maxItems: acceptedMax }),
  }),
  responses: { 200: Type.Object({ items: Type.Array(Relationship) }) },
  access: access.write({ project: 'writable' }),
  refusals: { 400: 'At least one of the relationships is not, or no longer, proposed.' },
});

/**
 * Counts how many of at most 10,000 distinct values of the source end are missing in the target end. Returns counts
 * only.
 */
export const checkRelationship = defineEndpoint({
  operationId: 'checkRelationship',
  tag,
  summary: 'Counts values of the source end that are missing in the target end',
  method: 'POST',
  path: `${path}/{relationshipId}/check`,
  params: OneParams,
  responses: {
    200: Type.Object({
      checkedCount: Type.Integer({ minimum: 0 }),
      missingCount: Type.Integer({ minimum: 0 }),
      isCut: Type.Boolean({ description: 'More values exist than were checked.' }),
    }),
  },
  access: access.runByPost({ project: 'readable' }),
});

export const getSchemaHealth = defineEndpoint({
  operationId: 'getSchemaHealth',
  tag,
  summary: 'Figures and problems of the schema of a data source',
  method: 'GET',
  path: '/svc/api/data-sources/{id}/schema-health',
  params: IdParams,
  responses: { 200: SchemaHealth },
  access: access.read({ project: 'readable' }),
});
