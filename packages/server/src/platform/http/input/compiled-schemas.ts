/** Compiled functions of schemas, kept for the whole process. */
export type CompiledSchemas<F> = {
  readonly of: (schema: object) => F;
  /** How many schemas were compiled so far. */
  readonly compiledCount: () => number;
};

/**
 * Compiles each schema once per process, so that a further service in it starts without the compiler. The key is the
 * schema's whole text, and the compiler is given that text parsed anew: nothing outside the text, such as an instance's
 * own objects, can get into a function that instances share. Functions must keep no state between calls, apart from
 * what is read right after one.
 *
 * Holds at most `entriesMax` functions; the one used longest ago makes room. `onEvicted` lets the compiler forget
 * the schema too.
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
      // Taken out and put back, so that the map's order is the order of use.
      entries.delete(text);
      entries.set(text, entry);
      return entry.compiled;
    },
    compiledCount: () => count,
  };
}
