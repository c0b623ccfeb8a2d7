import type { Route } from '../platform/http/index.ts';

/**
 * A composed module of the service: its routes, background work and shutdown. The module's own type adds the
 * services for other modules.
 */
export type Module = {
  readonly routes?: readonly Route[];
  /** Removes expired records. Called periodically. */
  readonly sweep?: () => Promise<unknown>;
  /** Starts background work. Modules start in composition order. */
  readonly start?: () => Promise<void> | void;
  /** Stops background work and closes connections. Modules close in reverse order. */
  readonly close?: () => Promise<void> | void;
};

/** Returns the routes of all modules. */
export const routesOf = (modules: readonly Module[]): readonly Route[] =>
  modules.flatMap(({ routes = [] }) => routes);

/** Returns the sweeps of all modules. */
export const sweepsOf = (modules: readonly Module[]): readonly (() => Promise<unknown>)[] =>
  modules.flatMap(({ sweep = [] }) => sweep);

/**
 * Starts the modules in order. The first failure ends the start with its error.
 *
 * @param run Runs the start of one module. It may run it again after a lost database session. Default: once.
 */
export async function startModules(
  modules: readonly Module[],
  run: (start: NonNullable<Module['start']>) => Promise<void> = async (start) => start(),
): Promise<void> {
  for (const { start } of modules) if (start) await run(start);
}

/**
 * Closes the modules in reverse order, because a module may need earlier ones until its own end. A failure does not
 * prevent the others from closing.
 *
 * @throws The error of the module that failed; an AggregateError for several failures.
 */
export async function closeModules(modules: readonly Module[]): Promise<void> {
  let errors: readonly unknown[] = [];
  for (const module of modules.toReversed()) {
    try {
      await module.close?.();
    } catch (error) {
      errors = [...errors, error];
    }
  }
  if (errors.length > 1)
    throw new AggregateError(errors, 'Several modules of the service could not be closed.');
  if (errors.length === 1) throw errors[0];
}
