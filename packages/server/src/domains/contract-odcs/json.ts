import type { Json, JsonObject } from '../../platform/yaml/index.ts';

export { isObject, type Json, type JsonObject } from '../../platform/yaml/index.ts';

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

export const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** Returns an object without the named members. */
export const without = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** Returns an object without its undefined members. */
export const compact = (members: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
