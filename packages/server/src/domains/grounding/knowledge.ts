import type { DataSourceMetadata } from '@svc/contract';

export type GroundedTable = DataSourceMetadata['tables'][number];

/** One end of a key between tables. */
type KeyEnd = { readonly schema: string; readonly table: string; readonly columns: readonly string[] };

/** Columns that join two tables: a declared key, or a key that people confirmed. */
export type KnownKey = { readonly source: KeyEnd; readonly target: KeyEnd };

/** A business term and the data that it refers to. */
export type KnownTerm = {
  readonly term: string;
  readonly synonyms: readonly string[];
  readonly definition: string;
  readonly target: { readonly schema: string; readonly table: string; readonly column: string | null } | null;
  /** SQL expression with one value over the rows of the target's table. */
  readonly metricExpression: string | null;
};

/** A question with a correct statement that people confirmed. */
export type KnownExample = { readonly id: number; readonly question: string; readonly sql: string };

/** An earlier question of the same conversation, with its statement. */
export type EarlierTurn = { readonly question: string; readonly sql: string };

/** Complete list of a column's possible values as texts, from its type or from a data contract. */
export type KnownValues = {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  readonly values: readonly string[];
};

/** All context of a data source for prompts. It contains no row values. */
export type Knowledge = {
  readonly engine: string;
  readonly tables: readonly GroundedTable[];
  readonly keys: readonly KnownKey[];
  readonly values: readonly KnownValues[];
  readonly terms: readonly KnownTerm[];
  readonly examples: readonly KnownExample[];
  /** Approved sentences about the use of the data. */
  readonly patterns: readonly string[];
};

/** Returns `schema.table`, or the table alone for an engine without schemas. */
export const tableNameOf = ({ schema, name }: Pick<GroundedTable, 'schema' | 'name'>): string =>
  schema === '' ? name : `${schema}.${name}`;
