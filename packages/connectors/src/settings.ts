import type Type from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import Value from 'typebox/value';
import { ConnectorError } from './error.ts';

/** Description and parser of the settings of one engine's connections. */
export type SettingsForm<Connection> = {
  /** JSON Schema (2020-12) of all settings, for forms and documents. */
  readonly schema: Type.TSchema;
  /** Fields that are never shown after saving. */
  readonly secretFields: readonly string[];
  /** Fields that contain a whole document (`contentMediaType` in the schema), which lists leave out. */
  readonly documentFields: readonly string[];
  /** Adds defaults and validates; refuses unknown members. Throws `invalid-settings`. */
  readonly parse: (input: unknown) => Connection;
  /** Returns the settings that may be shown, e.g. in a list. */
  readonly publicPart: (connection: Connection) => Record<string, unknown>;
  readonly secretPart: (connection: Connection) => Record<string, unknown>;
};

export type SettingsFormOptions<Schema extends Type.TObject> = {
  readonly schema: Schema;
  readonly secretFields: readonly string[];
  /** Checks rules beyond the schema, such as rules across fields. Returns the fault, or undefined. */
  readonly check?: (connection: Type.Static<Schema>) => { field: string; message: string } | undefined;
};

/** Creates the form of an engine's settings from a schema. */
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

/** Options with the validator, which is compiled on its first use. Each statement at a data source parses once. */
type Parser<Schema extends Type.TObject> = SettingsFormOptions<Schema> & {
  validator: Validator<Record<never, never>, Schema> | undefined;
  /** True for an input with all defaults, such as stored settings, which were parsed before storing. */
  readonly isWhole: (input: unknown) => boolean;
};

/** Returns the test for inputs with all defaults. With a default in a nested field it returns false for every input. */
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
    const text = fields.map(({ field, message }) => `${field} ${message}`).join('; ');
    throw new ConnectorError('invalid-settings', `The connection's settings are not valid: ${text}.`, {
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

/** Copies an input. A spread suffices for an input without nested members, and is faster. */
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
