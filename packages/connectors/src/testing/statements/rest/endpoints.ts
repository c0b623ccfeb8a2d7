/** Selected endpoints of the statements of this folder. */
export const restEndpoints = [
  '/orders',
  '/orders/{id}',
  '/orders/{id}/lines/{line}',
  '/people',
  '/reports/{name}.json',
];

/** Formats each step as the text of a statement. */
export const statementsOf = (steps: readonly unknown[]): string[] =>
  steps.map((step) => JSON.stringify(step));
