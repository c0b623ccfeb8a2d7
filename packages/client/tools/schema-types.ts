/** A schema of the OpenAPI document. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
};

/** Keywords that the printer reads, and keywords that it ignores because TypeScript cannot express them. */
const knownKeywords = new Set([
  '$ref',
  'type',
  'description',
  'properties',
  'required',
  'items',
  'additionalProperties',
  'anyOf',
  'enum',
  'const',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',

  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'propertyNames',
  'writeOnly',
  'contentType',
  'x-lists-members',
]);

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Returns a description as a comment for the following declaration; empty without a description. */
export const commentOf = (description: string | undefined): string =>
  description === undefined ? '' : `/** ${description.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n`;

/** Returns a member name in TypeScript syntax. */
export const memberName = (name: string): string =>
  /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);

/**
 * Returns a schema as a TypeScript type.
 *
 * @throws Error for an unknown keyword.
 */
export function typeOf(schema: Schema): string {
  const unknown = Object.keys(schema).filter((keyword) => !knownKeywords.has(keyword));
  if (unknown.length > 0) throw new Error(`Schemas with ${unknown.join(', ')} have no type here.`);
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'never';
  if (schema.anyOf) return union(schema.anyOf.map(typeOf));
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((word) => JSON.stringify(word)));
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return types.length === 0 ? 'unknown' : union(types.map((type) => typeOfKind(type, schema)));
}

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');

function typeOfKind(type: string, schema: Schema): string {
  if (type === 'array') return `readonly ${inBrackets(schema.items ? typeOf(schema.items) : 'unknown')}[]`;
  if (type === 'object') return typeOfObject(schema);
  const scalar = scalars[type];
  if (scalar === undefined) throw new Error(`Schemas of type ${type} have no type here.`);
  return scalar;
}

const inBrackets = (type: string): string => (/[|\s]/.test(type) ? `(${type})` : type);

function typeOfObject({ properties, required = [], additionalProperties }: Schema): string {
  if (!properties) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `{ readonly [name: string]: ${value} }`;
  }
  const members = Object.entries(properties).map(
    ([name, member]) =>
      `${commentOf(member.description)}readonly ${memberName(name)}${required.includes(name) ? '' : '?'}: ${typeOf(member)};`,
  );
  return members.length === 0 ? '{ readonly [name: string]: never }' : `{\n${members.join('\n')}\n}`;
}
