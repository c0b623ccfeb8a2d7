import type pg from 'pg';

/**
 * Maximum number of named texts; further texts run unnamed. Every connection stores the plans of all named
 * statements.
 */
const namesMax = 200;
const names = new Map<string, string>();

/**
 * Returns a statement that each connection plans once: the same text has the same name. Use it only for a small
 * number of texts from code.
 */
export function named(text: string, values: readonly unknown[]): pg.QueryConfig {
  let name = names.get(text);
  if (name === undefined && names.size < namesMax) {
    name = `named-${names.size}`;
    names.set(text, name);
  }
  return { ...(name !== undefined && { name }), text, values: [...values] };
}
