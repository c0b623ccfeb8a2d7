/** A statement with the result columns that have to be masked, and those that may not be. */
export type LabelledStatement = {
  readonly sql: string;
  readonly masked: readonly string[];
  readonly clear: readonly string[];
};

/** Takes an expression over `p`, a row of `people`, into a column `x` next to a clear column `key`. */
export type Shape = (expression: string) => string;

/** Every expression in every shape. */
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

/** Names of columns are separated by blanks. */
export const labelled = (sql: string, masked: string, clear: string): LabelledStatement => ({
  sql,
  masked: masked.split(' ').filter((name) => name !== ''),
  clear: clear.split(' ').filter((name) => name !== ''),
});
