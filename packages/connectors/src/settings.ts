import type Type from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import Value from 'typebox/value';
import { ConnectorError } from './error.ts';

/** How the settings of one engine's connections are described, parsed and told apart. */
export type SettingsForm<Connection> = {
  /** JSON Schema (2020-12) of the whole, for forms and documents. */
  readonly schema: Type.TSchema;
  /** Fields that are never shown again once saved. */
  readonly secretFields: readonly string[];
  /** Fields that hold a whole document (`contentMediaType` in the schema), which lists leave out. */
  readonly documentFields: readonly string[];
  /** Fills defaults in and checks; rejects unknown members. Throws `invalid-settings`. */
  readonly parse: (input: unknown) => Connection;
  /** The part that may be shown, e.g. in a list. */
  readonly publicPart: (connection: Connection) => Record<string, unknown>;
  readonly secretPart: (connection: Connection) => Record<string, unknown>;
};

export type SettingsFormOptions<Schema extends Type.TObject> = {
  readonly schema: Schema;
  readonly secretFields: readonly string[];
  /** Rules that span fields or say more than the schema; returns the message or nothing. */
  readonly check?: (connection: Type.Static<Schema>) => { field: string; message: string } | undefined;
};

/** Makes the form of an engine's settings from a schema. */
export function settingsForm<Schema extends Type.TObject>(
  options: SettingsFormOptions<Schema>,
): SettingsForm<Type.Static<Schema>> {
  const { schema, secretFields } = options;
  const parser: Parser<Schema> = { ...options, validator: undefined, isWhole: wholeness(schema) };
  const pick = (connection: Type.Static<Schema>, isSecret: boolean): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(connection as Record<string, unknown>).filter(
        ([name]) => secretFields.includes(name) === isSecret,
      ),
    );
  return {
    schema,
    secretFields,
    documentFields: Object.entries(schema.properties)
      .filter(([, field]) => 'contentMediaType' in field)
      .map(([name]) => name),
    parse: (input) => parse(parser, input),
    publicPart: (connection) => pick(connection, false),
    secretPart: (connection) => pick(connection, true),
  };
}

/** The form with its validator, which is compiled when it is first needed: a statement at a data source parses once. */
type Parser<Schema extends Type.TObject> = SettingsFormOptions<Schema> & {
  validator: Validator<Record<never, never>, Schema> | undefined;
  /** True for an input that no default is missing from, as all are that were parsed before they were stored. */
  readonly isWhole: (input: unknown) => boolean;
};

/** Where a default stands deeper than in the form's own fields, nothing counts as whole. */
function wholeness(schema: Type.TObject): (input: unknown) => boolean {
  const withDefault = Object.entries(schema.properties).filter(([, field]) => 'default' in field);
  const defaults = JSON.stringify(schema).match(/"default":/g)?.length ?? 0;
  if (defaults !== withDefault.length) return () => false;
  return (input) =>
    typeof input === 'object' &&
    input !== null &&
    withDefault.every(([name]) => Object.hasOwn(input, name) && input[name as never] !== undefined);
}

function parse<Schema extends Type.TObject>(parser: Parser<Schema>, input: unknown): Type.Static<Schema> {
  const { schema, check, isWhole } = parser;
  parser.validator ??= Compile(schema);
  const copy = copyOf(input);
  const filled = isWhole(copy) ? copy : Value.Default(schema, copy);
  if (!parser.validator.Check(filled)) {
    const fields = Value.Errors(schema, filled)
      .filter((error) => error.keyword !== 'boolean')
      .flatMap(fieldErrors);
    const said = fields.map(({ field, message }) => `${field} ${message}`).join('; ');
    throw new ConnectorError('invalid-settings', `The connection's settings are not valid: ${said}.`, {
      fields,
    });
  }
  const problem = check?.(filled);
  if (problem) {
    throw new ConnectorError(
      'invalid-settings',
      `The connection's settings are not valid: ${problem.field} ${problem.message}.`,
      { fields: [problem] },
    );
  }
  return filled;
}

/** A form without members of its own members is copied by way of nothing but them. */
function copyOf(input: unknown): unknown {
  const isFlat =
    typeof input === 'object' &&
    input !== null &&
    !Array.isArray(input) &&
    Object.values(input).every((value) => typeof value !== 'object' || value === null);
  return isFlat ? { ...input } : structuredClone(input);
}

type SchemaError = { keyword: string; instancePath: string; message: string; params: object };

function fieldErrors(error: SchemaError): { field: string; message: string }[] {
  const field = error.instancePath.replace(/^\//, '').replaceAll('/', '.');
  const names = Object.values(error.params)
    .flat()
    .filter((name) => typeof name === 'string');
  if (error.keyword === 'required') return names.map((name) => ({ field: name, message: 'is required' }));
  if (error.keyword === 'additionalProperties') {
    return names.map((name) => ({ field: name, message: 'is not a known setting' }));
  }
  return [{ field: field === '' ? 'settings' : field, message: error.message }];
}
