import type { TSchema } from 'typebox';
import Value from 'typebox/value';
import type { Errors } from './form.ts';
import { plural } from './format.ts';

type SchemaError = {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
};

function wordsOf(error: SchemaError, value: unknown): string {
  const params = error.params as { limit?: number; pattern?: unknown };
  if (error.keyword === 'required') return 'Fill this in.';
  if (error.keyword === 'minLength' && value === '') return 'Fill this in.';
  if (error.keyword === 'pattern' && String(params.pattern).includes('\\S')) return 'Fill this in.';
  if (error.keyword === 'minLength') return `At least ${plural(params.limit ?? 0, 'character')}.`;
  if (error.keyword === 'pattern' && String(params.pattern).startsWith('^[A-Za-z_]'))
    return 'Letters, digits and underscores, 63 at most, not beginning with a digit.';
  if (error.keyword === 'maxLength') return `At most ${plural(params.limit ?? 0, 'character')}.`;
  if (error.keyword === 'minItems') return 'Choose at least one.';
  if (error.keyword === 'minimum') return `At least ${params.limit}.`;
  if (error.keyword === 'maximum') return `At most ${params.limit}.`;
  if (error.keyword === 'enum' || error.keyword === 'type') return 'Choose or fill in a value.';
  return `This ${error.message}.`;
}

const at = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null)?.[key], value);

/** Returns the contract's errors of a form, by place: `name`, or `connection/host`. */
export function fieldErrors(schema: TSchema, value: unknown): Errors {
  const messages: Record<string, string> = {};
  for (const error of Value.Errors(schema, value) as readonly SchemaError[]) {
    const missing = (error.params as { requiredProperties?: readonly string[] }).requiredProperties ?? [];
    const places =
      missing.length > 0 ? missing.map((name) => `${error.instancePath}/${name}`) : [error.instancePath];
    for (const place of places) messages[place.slice(1)] ??= wordsOf(error, at(value, error.instancePath));
  }
  return messages;
}
