/**
 * Query, reduced to the flow of values into its result. Each engine converts its own syntax tree. Names have the form
 * in which the engine compares them. Conditions, order and grouping are omitted: they decide about rows, not about
 * values.
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
  /** Columns of SEARCH and CYCLE, after the query's own columns. The value of a path contains whole rows. */
  readonly extraColumns: readonly { readonly name: string; readonly holdsRows: boolean }[];
};

export type LineageBody =
  | {
      readonly kind: 'select';
      readonly items: readonly LineageItem[];
      readonly from: readonly LineageRelation[];
    }
  /** `values`: the operands whose values reach the result. EXCEPT returns only values of its left operand. */
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
  /** An expression without values of a table: a constant, a count, a truth value. */
  | { readonly kind: 'none' }
  /** A column, or a relation's row. A name that does not resolve is a function of a row (`t.to_json`). */
  | { readonly kind: 'name'; readonly path: readonly string[] }
  /** A path that may be a column, such as the prefix of a function's name. */
  | { readonly kind: 'possible-name'; readonly path: readonly string[] }
  | { readonly kind: 'row'; readonly qualifier: readonly string[] }
  | { readonly kind: 'combine'; readonly parts: readonly LineageExpression[] }
  /** Names through which a value is read: members of a document, or functions of the database. */
  | { readonly kind: 'word'; readonly words: readonly string[] }
  /** A column of a relation outside FROM: a function returns its values. */
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
      /** Merged columns; `natural`: all columns with a common name. */
      readonly using: readonly string[] | 'natural';
      /** Merged columns come first in a star. False: at their positions in the left operand. */
      readonly areMergedFirst: boolean;
      readonly usingAlias: string | null;
    }
  /** Columns without known names. `why` is null if `parts` has all their values. */
  | { readonly kind: 'unknown'; readonly why: string | null; readonly parts: readonly LineageExpression[] };

/** Table or view of the catalogue. */
export type CatalogueRelation = {
  readonly name: string;
  readonly columns: readonly string[];
  /** Query of a view. */
  readonly definition?: LineageQuery;
};

export type LineageCatalogue = (path: readonly string[]) => CatalogueRelation | undefined;

/** Column from which values come. Null: the name is not one of a table's columns. */
export type SourceName = { readonly relation: string | null; readonly column: string };

/** Sources of a result column. */
export type ColumnSources = {
  readonly names: readonly SourceName[];
  /** Reason why `names` may be incomplete; null when it is complete. */
  readonly unknown: string | null;
};
