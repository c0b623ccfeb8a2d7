/** Compiled functions of schemas, cached for the process. */
export type CompiledSchemas<F> = {
  readonly of: (schema: object) => F;
  /** Returns the number of compiled schemas so far. */
  readonly compiledCount: () => number;
};

/**
 * Compiles each schema once per process, so that another service in it starts without the compiler. The key is the
 * schema's complete text, and the compiler gets a fresh parse of this text. Shared functions thus cannot reference
 * objects of an instance. Functions must have no state between calls, except results that are read directly after a
 * call.
 *
 * Caches at most `entriesMax` functions and evicts the least recently used one. `onEvicted` lets the compiler
 * release the schema too.
 */
export function createCompiledSchemas<F>(options: {
  readonly compile: (schema: object) => F;
  readonly entriesMax: number;
  readonly onEvicted?: (schema: object) => void;
}): CompiledSchemas<F> {
  const entries = new Map<string, { readonly schema: object; readonly compiled: F }>();
  let count = 0;

  const add = (text: string): { readonly schema: object; readonly compiled: F } => {
    const schema = JSON.parse(text) as object;
    const entry = { schema, compiled: options.compile(schema) };
    count++;
    const [oldest] = entries;
    if (entries.size >= options.entriesMax && oldest) {
      entries.delete(oldest[0]);
      options.onEvicted?.(oldest[1].schema);
    }
    return entry;
  };

  return {
    of: (schema) => {
      const text = JSON.stringify(schema);
      const entry = entries.get(text) ?? add(text);
      // Delete and re-insert, so that the map's order is the order of use.
      entries.delete(text);
      entries.set(text, entry);
      return entry.compiled;
    },
    compiledCount: () => count,
  };
}
