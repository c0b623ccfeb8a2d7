import { Ajv, type ValidateFunction } from 'ajv';
import type { Static, TSchema } from 'typebox';
import type { LlmSecrets } from './connection.ts';

/** What is shorter is found in answers by chance. */
const secretLengthMin = 8;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether an answer repeats a secret, in its text or behind the escapes of its JSON. */
export function repeatsSecret(text: string, secrets: LlmSecrets): boolean {
  const plain = JSON.stringify(parseJson(text)) ?? '';
  return Object.values(secrets).some(
    (secret) =>
      secret !== undefined &&
      secret.length >= secretLengthMin &&
      (text.includes(secret) || plain.includes(secret)),
  );
}

/** A value of its schema, in a box: a schema may allow null. */
export type Boxed<S extends TSchema> = { readonly value: Static<S> };

/** Reads values out of answers. */
export function createValueReader() {
  const ajv = new Ajv({ strict: false });
  // A schema is an object of the program, made once: it is compiled once.
  const validators = new WeakMap<TSchema, ValidateFunction>();

  const validatorOf = (schema: TSchema): ValidateFunction => {
    const validate = validators.get(schema) ?? ajv.compile(schema);
    validators.set(schema, validate);
    return validate;
  };

  /** The value that an answer holds; undefined where it is none of the schema, or repeats a secret. */
  return <S extends TSchema>(text: string, schema: S, secrets: LlmSecrets): Boxed<S> | undefined => {
    const value = parseJson(text);
    const isGood = value !== undefined && validatorOf(schema)(value) && !repeatsSecret(text, secrets);
    // The validator has just said that it is one.
    return isGood ? { value: value as Static<S> } : undefined;
  };
}
