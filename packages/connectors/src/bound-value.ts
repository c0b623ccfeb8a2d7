/**
 * Value that is sent separately from the statement, never inside its text. `Number` is a decimal text (`-12.50`), so
 * that it stays exact. `DateTime` is ISO 8601 in UTC with `Z`. `Date` is `YYYY-MM-DD`.
 */
export type BoundValue =
  | { readonly type: 'Number' | 'DateTime' | 'Date' | 'String'; readonly value: string | null }
  | { readonly type: 'Boolean'; readonly value: boolean | null };
