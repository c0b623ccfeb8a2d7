import type { Cardinality, RelationshipEnd, RelationshipOrigin, RelationshipRule } from '@svc/contract';

/** Both ends of a relationship, which identify it. */
export type Ends = { readonly source: RelationshipEnd; readonly target: RelationshipEnd };

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

/** Fields that declared keys and proposals share. */
export type ProposedRelationship = Ends & {
  readonly label: string;
  readonly cardinality: Cardinality;
  readonly confidence: number;
};

/** Relationship that names suggest. */
export type Proposal = ProposedRelationship & { readonly rule: RelationshipRule; readonly evidence: string };

/** Returns a key that is equal for equal ends. It is JSON, because names may contain any character. */
export const keyOfEnds = ({ source, target }: Ends): string =>
  JSON.stringify([source.schema, source.table, source.columns, target.schema, target.table, target.columns]);

/** Returns `schema.table`, or only the table if the engine has no schemas. */
export const nameOfTable = ({
  schema,
  table,
}: {
  readonly schema: string;
  readonly table: string;
}): string => (schema === '' ? table : `${schema}.${table}`);
