import type { Route } from '../platform/http/index.ts';

/**
 * A piece of the service that has been put together: what it answers, what it does in the background, and how it
 * ends. What it offers to other parts stands beside these members, in the type of the part itself.
 */
export type Part = {
  readonly routes?: readonly Route[];
  /** Removes what has expired; called now and then. */
  readonly sweep?: () => Promise<unknown>;
  /** Begins background work; parts start in the order in which they were put together. */
  readonly start?: () => Promise<void> | void;
  /** Ends background work and lets go of connections; parts close in reverse. */
  readonly close?: () => Promise<void> | void;
};

/** The routes of all parts. */
export const routesOf = (parts: readonly Part[]): readonly Route[] =>
  parts.flatMap(({ routes = [] }) => routes);

/** What removes what has expired of all parts. */
export const sweepsOf = (parts: readonly Part[]): readonly (() => Promise<unknown>)[] =>
  parts.flatMap(({ sweep = [] }) => sweep);

/**
 * Starts the parts in their order; the first that cannot start ends this with its error.
 *
 * @param run  Runs the start of one part. It may run it again after a lost database session. Default: once.
 */
export async function startParts(
  parts: readonly Part[],
  run: (start: NonNullable<Part['start']>) => Promise<void> = async (start) => start(),
): Promise<void> {
  for (const { start } of parts) if (start) await run(start);
}

/**
 * Closes the parts in reverse, since a part may need those before it until its own end. A part that fails to close
 * keeps none of the others open.
 *
 * @throws The error of the part that failed; an AggregateError where several did.
 */
export async function closeParts(parts: readonly Part[]): Promise<void> {
  let errors: readonly unknown[] = [];
  for (const part of parts.toReversed()) {
    try {
      await part.close?.();
    } catch (error) {
      errors = [...errors, error];
    }
  }
  if (errors.length > 1)
    throw new AggregateError(errors, 'Several parts of the service could not be closed.');
  if (errors.length === 1) throw errors[0];
}
