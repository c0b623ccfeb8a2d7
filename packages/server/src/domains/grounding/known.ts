import type { DataSourceMetadata } from '@svc/contract';

export type GroundedTable = DataSourceMetadata['tables'][number];

/** One end of a key between tables. */
type KeyEnd = { readonly schema: string; readonly table: string; readonly columns: readonly string[] };

/** Columns by which two tables are joined: a declared key, or one that people confirmed. */
export type KnownKey = { readonly source: KeyEnd; readonly target: KeyEnd };

/** A word of the business, and what it stands for. */
export type KnownTerm = {
  readonly term: string;
  readonly synonyms: readonly string[];
  readonly definition: string;
  readonly target: { readonly schema: string; readonly table: string; readonly column: string | null } | null;
  /** SQL of one value over the rows of the target's table. */
  readonly metricExpression: string | null;
};

/** A question whose right statement people have said. */
export type KnownExample = { readonly id: number; readonly question: string; readonly sql: string };

/** A question that was answered before in the same conversation. */
export type EarlierTurn = { readonly question: string; readonly sql: string };

/** Every value that a column is known to hold, as texts: its type lists them, or a data contract does. */
export type KnownValues = {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  readonly values: readonly string[];
};

/** Everything that is known of a data source. None of it is a value of a row. */
export type Known = {
  readonly engine: string;
  readonly tables: readonly GroundedTable[];
  readonly keys: readonly KnownKey[];
  readonly values: readonly KnownValues[];
  readonly terms: readonly KnownTerm[];
  readonly examples: readonly KnownExample[];
  /** Sentences about how the data is used, which people have approved. */
  readonly learned: readonly string[];
};

/** `schema.table`; the table alone where the engine has no schemas. */
export const tableNameOf = ({ schema, name }: Pick<GroundedTable, 'schema' | 'name'>): string =>
  schema === '' ? name : `${schema}.${name}`;
