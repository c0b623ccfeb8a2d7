/** A statement with the result columns that must be masked, and the columns that must not be masked. */
export type LabelledStatement = {
  readonly sql: string;
  readonly masked: readonly string[];
  readonly clear: readonly string[];
};

/** Builds a statement with an expression over `p`, a row of `people`, as column `x`, next to a clear column `key`. */
export type Shape = (expression: string) => string;

/** Combines every expression with every shape. */
export const generated = ({
  shapes,
  personal,
  clear,
}: {
  readonly shapes: readonly Shape[];
  readonly personal: readonly string[];
  readonly clear: readonly string[];
}): LabelledStatement[] =>
  shapes.flatMap((shape) => [
    ...personal.map((expression) => ({ sql: shape(expression), masked: ['x'], clear: ['key'] })),
    ...clear.map((expression) => ({ sql: shape(expression), masked: [], clear: ['key', 'x'] })),
  ]);

/** Creates a labelled statement. Column names are separated by blanks. */
export const labelled = (sql: string, masked: string, clear: string): LabelledStatement => ({
  sql,
  masked: masked.split(' ').filter((name) => name !== ''),
  clear: clear.split(' ').filter((name) => name !== ''),
});
