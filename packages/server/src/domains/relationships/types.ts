import type { Cardinality, RelationshipEnd, RelationshipOrigin, RelationshipRule } from '@svc/contract';

/** Both ends of a relationship: what tells one from another. */
export type Ends = { readonly source: RelationshipEnd; readonly target: RelationshipEnd };

/** A relationship as it is stored. */
export type StoredRelationship = Ends & {
  readonly id: number;
  readonly dataSourceId: number;
  readonly label: string;
  readonly origin: RelationshipOrigin;
  readonly cardinality: Cardinality;
  readonly confidence: number;
  readonly verifiedByUserName: string | null;
  readonly verifiedAt: Date | null;
  readonly createdTime: Date;
  readonly updatedAt: Date;
  readonly version: number;
};

/** What a declared key or a proposal says of a relationship. */
export type Found = Ends & {
  readonly label: string;
  readonly cardinality: Cardinality;
  readonly confidence: number;
};

/** A relationship that names suggest. */
export type Proposal = Found & { readonly rule: RelationshipRule; readonly evidence: string };

/** Equal for equal ends. Names may hold any character, so they are told apart as JSON. */
export const keyOfEnds = ({ source, target }: Ends): string =>
  JSON.stringify([source.schema, source.table, source.columns, target.schema, target.table, target.columns]);

/** `schema.table`; the table alone where the engine has no schemas. */
export const nameOfTable = ({
  schema,
  table,
}: {
  readonly schema: string;
  readonly table: string;
}): string => (schema === '' ? table : `${schema}.${table}`);
