import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../../platform/yaml/index.ts';

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Returns JSON pointers of differing members, recursively while both sides are objects or lists of equal length. */
export function differingMembers(before: Json | undefined, after: Json | undefined, at = ''): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isObject(before) && isObject(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      differingMembers(before[name], after[name], `${at}/${escaped(name)}`),
    );
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item: Json, index) =>
      differingMembers(item, after[index] as Json, `${at}/${index}`),
    );
  return [at];
}

/** Serialises a member. Equal values produce equal text, regardless of the order of object members. */
export const stableText = (value: Json | undefined): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    isObject(member as Json)
      ? Object.fromEntries(Object.entries(member as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  ) ?? '';
