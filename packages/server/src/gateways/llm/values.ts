import { Ajv, type ValidateFunction } from 'ajv';
import type { Static, TSchema } from 'typebox';
import type { LlmSecrets } from './connection.ts';

/** Shorter secrets occur in answers by chance. */
const secretLengthMin = 8;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns true if an answer repeats a secret, in its raw text or in its unescaped JSON. */
export function repeatsSecret(text: string, secrets: LlmSecrets): boolean {
  const plain = JSON.stringify(parseJson(text)) ?? '';
  return Object.values(secrets).some(
    (secret) =>
      secret !== undefined &&
      secret.length >= secretLengthMin &&
      (text.includes(secret) || plain.includes(secret)),
  );
}

/** Wrapper that distinguishes the value null from no value. */
export type Boxed<S extends TSchema> = { readonly value: Static<S> };

/** Creates a reader that extracts values from answers. */
export function createValueReader() {
  const ajv = new Ajv({ strict: false });
  // Schemas are constants of the program, so each is compiled once.
  const validators = new WeakMap<TSchema, ValidateFunction>();

  const validatorOf = (schema: TSchema): ValidateFunction => {
    const validate = validators.get(schema) ?? ajv.compile(schema);
    validators.set(schema, validate);
    return validate;
  };

  /** Returns the value in an answer. Undefined if it does not match the schema, or repeats a secret. */
  return <S extends TSchema>(text: string, schema: S, secrets: LlmSecrets): Boxed<S> | undefined => {
    const value = parseJson(text);
    const isGood = value !== undefined && validatorOf(schema)(value) && !repeatsSecret(text, secrets);
    // The validator has checked the type.
    return isGood ? { value: value as Static<S> } : undefined;
  };
}
