/** Number of the evaluation at a position of the chart. */
export type At = { readonly at: number; readonly value: number };

/** Returns the consecutive numbers of a list. A null ends a stretch, and it has no number itself. */
export function stretchesOf(values: readonly (number | null)[]): readonly (readonly At[])[] {
  const stretches: At[][] = [];
  let open: At[] | undefined;
  for (const [at, value] of values.entries()) {
    if (value === null) {
      open = undefined;
      continue;
    }
    if (!open) {
      open = [];
      stretches.push(open);
    }
    open.push({ at, value });
  }
  return stretches;
}

/** Returns the corners of a line that has each number of a stretch over the whole width of its position. */
export const stepsOf = (stretch: readonly At[]): readonly At[] =>
  stretch.flatMap(({ at, value }) => [
    { at: at - 0.5, value },
    { at: at + 0.5, value },
  ]);
