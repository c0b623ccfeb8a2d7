import type pg from 'pg';

/** Every connection keeps the plans of all named statements: beyond so many texts they run unnamed. */
const namesMax = 200;
const names = new Map<string, string>();

/**
 * A statement that each connection plans once: the same text has the same name. For texts of which there are few,
 * made by code alone.
 */
export function named(text: string, values: readonly unknown[]): pg.QueryConfig {
  let name = names.get(text);
  if (name === undefined && names.size < namesMax) {
    name = `named-${names.size}`;
    names.set(text, name);
  }
  return { ...(name !== undefined && { name }), text, values: [...values] };
}
