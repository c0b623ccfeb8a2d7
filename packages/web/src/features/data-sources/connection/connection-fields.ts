export type ConnectionValues = Readonly<{ [field: string]: unknown }>;

/** One setting of a connection, as a form shows it. */
export type FieldSchema = {
  readonly kind:
    | 'text'
    | 'path'
    | 'long'
    | 'document'
    | 'number'
    | 'choice'
    | 'files'
    | 'endpoints'
    | 'switch';
  readonly title: string;
  readonly description: string | undefined;
  readonly isRequired: boolean;
  readonly options: readonly string[];
  readonly initial: unknown;
  /** Schema of the entries of a list. */
  readonly items: unknown;
};

type JsonSchema = {
  readonly type?: unknown;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly maxLength?: number;
  readonly contentMediaType?: string;
  readonly 'x-server-path'?: boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly { readonly const?: unknown }[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<{ [name: string]: JsonSchema }>;
  readonly required?: readonly string[];
};

/** A text whose maximum length is greater than this number gets a multi-line field. */
const longTextFrom = 10_000;

function kindOf(schema: JsonSchema, options: readonly string[]): FieldSchema['kind'] {
  if (options.length > 0) return 'choice';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'boolean') return 'switch';
  if (schema.type === 'array') return schema.items?.type === 'string' ? 'endpoints' : 'files';
  if (schema.contentMediaType === 'application/json') return 'document';
  if (schema['x-server-path'] === true) return 'path';
  return (schema.maxLength ?? 0) > longTextFrom ? 'long' : 'text';
}

/** Returns the settings that an engine's JSON Schema describes, in its order. */
export function fieldsOf(schema: unknown): readonly (readonly [string, FieldSchema])[] {
  const { properties = {}, required = [] } = (schema ?? {}) as JsonSchema;
  return Object.entries(properties).map(([name, field]) => {
    const values = field.enum ?? field.anyOf?.map((choice) => choice.const) ?? [];
    const options = values.filter((value): value is string => typeof value === 'string');
    return [
      name,
      {
        kind: kindOf(field, options),
        title: field.title ?? name,
        description: field.description,
        isRequired: required.includes(name) && field.default !== '',
        options,
        initial: field.default,
        items: field.items,
      },
    ];
  });
}

/** Returns the initial values of the form. */
export const initialValues = (schema: unknown): ConnectionValues =>
  Object.fromEntries(
    fieldsOf(schema).flatMap(([name, field]) => (field.initial === undefined ? [] : [[name, field.initial]])),
  );

/** Returns an error message for each empty required field. */
export function missingFields(
  schema: unknown,
  values: ConnectionValues,
): Readonly<{ [field: string]: string }> {
  const missing = fieldsOf(schema).filter(([name, field]) => {
    const value = values[name];
    return (
      field.isRequired &&
      (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
    );
  });
  return Object.fromEntries(missing.map(([name]) => [name, 'Fill this in.']));
}
