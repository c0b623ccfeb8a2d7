import { hmac, type KeyRing, verifyHmac } from '../../../platform/crypto/index.ts';
import type { JsonObject } from '../../../platform/yaml/index.ts';
import { stableText } from '../difference.ts';
import type { AnyKind } from '../kinds/kind.ts';
import type { ManagedRow } from '../store.ts';

const purpose = 'managed-object';
const memberParts = (name: string, definition: JsonObject) => ['member', name, stableText(definition[name])];
const secretParts = (value: string) => ['secret', value];

/** Returns HMACs of the applied members. They detect changes without storing the values. */
export const appliedOf = (keys: KeyRing, definition: JsonObject): ManagedRow['applied'] =>
  Object.fromEntries(
    Object.keys(definition).map((name) => [name, hmac(keys, purpose, memberParts(name, definition))]),
  );

/** Returns members that differ from their applied state. An HMAC of a removed key counts as equal. */
export const driftedMembers = (
  keys: KeyRing,
  applied: ManagedRow['applied'],
  definition: JsonObject,
): string[] =>
  [...new Set([...Object.keys(applied), ...Object.keys(definition)])].filter((name) => {
    const mac = applied[name];
    if (mac === undefined || !(name in definition)) return true;
    return verifyHmac(keys, purpose, memberParts(name, definition), mac) === 'Mismatch';
  });

/** Returns the secrets of a definition, with HMACs of values that were sent now or applied earlier. */
export const secretsOf = (
  keys: KeyRing,
  kind: AnyKind,
  definition: JsonObject,
  secret: (name: string) => string | undefined,
  before: ManagedRow['secrets'] = {},
): ManagedRow['secrets'] =>
  Object.fromEntries(
    kind.secrets(definition).map(({ name, pointer }) => {
      const value = secret(name);
      const mac = value === undefined ? before[pointer]?.mac : hmac(keys, purpose, secretParts(value));
      return [pointer, { name, ...(mac !== undefined && { mac }) }];
    }),
  );

/** Returns pointers of secrets whose sent value differs from the applied value. */
export const changedSecrets = (
  keys: KeyRing,
  kind: AnyKind,
  definition: JsonObject,
  secret: (name: string) => string | undefined,
  applied: ManagedRow['secrets'] = {},
): string[] =>
  kind.secrets(definition).flatMap(({ name, pointer }) => {
    const value = secret(name);
    if (value === undefined) return [];
    const verdict = verifyHmac(keys, purpose, secretParts(value), applied[pointer]?.mac ?? '');
    return verdict === 'Current' || verdict === 'Previous' ? [] : [pointer];
  });
