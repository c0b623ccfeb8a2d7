/**
 * A query as far as the flow of values into its result needs it. Each engine converts its own syntax tree. Names are
 * as the engine compares them. Conditions, order and grouping have no place: they decide about rows, not about values.
 */
export type LineageQuery = {
  readonly ctes: readonly LineageCte[];
  readonly body: LineageBody;
};

export type LineageCte = {
  readonly name: string;
  readonly columnNames: readonly string[];
  readonly query: LineageQuery;
  readonly isRecursive: boolean;
  /** Columns of SEARCH and CYCLE, behind the query's own. A path holds whole rows. */
  readonly extraColumns: readonly { readonly name: string; readonly holdsRows: boolean }[];
};

export type LineageBody =
  | {
      readonly kind: 'select';
      readonly items: readonly LineageItem[];
      readonly from: readonly LineageRelation[];
    }
  /** `values`: the values of which operands reach the result. EXCEPT returns values of its left operand alone. */
  | {
      readonly kind: 'set';
      readonly left: LineageQuery;
      readonly right: LineageQuery;
      readonly values: 'both' | 'left';
      /** Columns correspond by name, not by position. */
      readonly isByName?: boolean;
    }
  | {
      readonly kind: 'values';
      readonly rows: readonly (readonly LineageExpression[])[];
      readonly columnName: (index: number) => string;
    }
  | { readonly kind: 'unknown'; readonly why: string };

export type LineageItem =
  | { readonly kind: 'column'; readonly name: string; readonly value: LineageExpression }
  /** `*` or `t.*`. */
  | { readonly kind: 'star'; readonly qualifier: readonly string[]; readonly change?: StarChange }
  /** Columns whose names and number the statement does not show. */
  | { readonly kind: 'some'; readonly value: LineageExpression };

/** `* EXCLUDE (…) REPLACE (…) RENAME (…)`. */
export type StarChange = {
  readonly excluded: ReadonlySet<string>;
  readonly replaced: ReadonlyMap<string, LineageExpression>;
  readonly renamed: ReadonlyMap<string, string>;
};

export type LineageExpression =
  /** No value of a table: a constant, a count, a truth value. */
  | { readonly kind: 'none' }
  /** A column, or a relation's row. A name that does not resolve is a function of a row (`t.to_json`). */
  | { readonly kind: 'name'; readonly path: readonly string[] }
  /** A path that may be a column, such as what is before the name of a function. */
  | { readonly kind: 'possible-name'; readonly path: readonly string[] }
  | { readonly kind: 'row'; readonly qualifier: readonly string[] }
  | { readonly kind: 'combine'; readonly parts: readonly LineageExpression[] }
  /** Names of what a value is read by: members of a document, functions of the database's own. */
  | { readonly kind: 'word'; readonly words: readonly string[] }
  /** A column of a relation that is not in FROM: a function returns its values. */
  | { readonly kind: 'source'; readonly relation: string; readonly column: string }
  | { readonly kind: 'query'; readonly query: LineageQuery }
  | { readonly kind: 'unknown'; readonly why: string; readonly parts: readonly LineageExpression[] };

export type LineageRelation = {
  readonly source: LineageSource;
  /** Null for a join without an alias. */
  readonly alias: string | null;
  readonly columnAliases: readonly string[];
};

export type LineageSource =
  | { readonly kind: 'table'; readonly path: readonly string[] }
  | { readonly kind: 'query'; readonly query: LineageQuery; readonly isLateral: boolean }
  | {
      readonly kind: 'columns';
      readonly columns: readonly { readonly name: string; readonly value: LineageExpression }[];
    }
  | {
      readonly kind: 'join';
      readonly left: LineageRelation;
      readonly right: LineageRelation;
      /** Merged columns; `natural`: all that have a name in common. */
      readonly using: readonly string[] | 'natural';
      /** Merged columns come before the others in a star; false: where the left operand has them. */
      readonly areMergedFirst: boolean;
      readonly usingAlias: string | null;
    }
  /** Columns without known names. `why` is null if the parts are all that they hold. */
  | { readonly kind: 'unknown'; readonly why: string | null; readonly parts: readonly LineageExpression[] };

/** A table or a view of the catalogue. */
export type CatalogueRelation = {
  readonly name: string;
  readonly columns: readonly string[];
  /** Of a view. */
  readonly definition?: LineageQuery;
};

export type LineageCatalogue = (path: readonly string[]) => CatalogueRelation | undefined;

/** A column that values come from. Null: the name is not one of a table's columns. */
export type SourceName = { readonly relation: string | null; readonly column: string };

/** What flows into a result column. */
export type ColumnSources = {
  readonly names: readonly SourceName[];
  /** Why `names` may be incomplete; null when it is complete. */
  readonly unknown: string | null;
};
