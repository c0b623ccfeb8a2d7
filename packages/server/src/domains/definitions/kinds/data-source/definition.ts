import * as contract from '@svc/contract';
import { type Static, Type } from 'typebox';
import { badRequest } from '../../../../platform/http/index.ts';
import { type DataSourcesService, defaultMetadataOptions } from '../../../data-sources/index.ts';
import { shortened } from '../canonical.ts';
import type { Change, SecretReference } from '../kind.ts';

const { name, description, engine, connection, metadataOptions } = contract.CreateDataSourceBody.properties;
export const properties = {
  name,
  description,
  engine,
  connection: {
    ...connection,
    description: 'As the form of the engine has it; a secret as `{ secret: NAME }`.',
  } as typeof connection,
  metadataOptions,
};
const Shape = Type.Object(properties);
export type DataSourceDefinition = Static<typeof Shape>;

type EngineForm = ReturnType<DataSourcesService['engines']>[number];

/** Returns the form of an engine by its name in any case. */
export type FormOf = (engine: string) => EngineForm;

/** @throws Refusal `unknown-engine` on use. */
export const createFormOf = (engines: readonly EngineForm[]): FormOf => {
  const forms = new Map(engines.map((form) => [form.engine.toLowerCase(), form]));
  return (name) => {
    const form = forms.get(name.trim().toLowerCase());
    if (form) return form;
    const message = `must be one of ${[...forms.values()].map((each) => each.engine).join(', ')}`;
    throw badRequest('unknown-engine', `The engine ${message}.`, [{ path: '/engine', message }]);
  };
};

/** Returns the name of the secret that a member of the connection refers to. */
export const secretName = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && 'secret' in value && typeof value.secret === 'string'
    ? value.secret
    : undefined;

const secretShape = /^[A-Z][A-Z0-9_]{0,99}$/;
const isSecretRef = (value: unknown): boolean => secretShape.test(secretName(value) ?? '');

/** Refuses a connection that contains a secret instead of its name. */
function assertNoOpenSecret({ connection }: DataSourceDefinition, secretFields: readonly string[]): void {
  const openFields = secretFields.filter(
    (field) => connection[field] !== undefined && !isSecretRef(connection[field]),
  );
  if (openFields.length === 0) return;
  throw badRequest(
    'invalid-definition',
    'A secret is never in a file.',
    openFields.map((field) => ({
      path: `/connection/${field}`,
      message: 'must name a secret, as { secret: NAME }',
    })),
  );
}

/** Removes defaults and orders the members: those of the engine's form first. */
export const canonical = (formOf: FormOf, source: DataSourceDefinition): DataSourceDefinition => {
  const { engine, settingsSchema, secretFields } = formOf(source.engine);
  assertNoOpenSecret(source, secretFields);
  const fields = settingsSchema['properties'] as Record<string, { default?: unknown }>;
  const schemaFields = Object.keys(fields).filter((field) => field in source.connection);
  const others = Object.keys(source.connection).filter((field) => !(field in fields));
  const defaults = Object.fromEntries(Object.entries(fields).map(([field, form]) => [field, form.default]));
  const connection = Object.fromEntries(
    [...schemaFields, ...others].map((field) => [field, source.connection[field]]),
  );
  return shortened(
    {
      name: source.name.trim(),
      description: source.description,
      engine,
      connection: shortened(connection, defaults),
      metadataOptions: shortened(
        { ...defaultMetadataOptions, ...source.metadataOptions },
        defaultMetadataOptions,
      ),
    } as DataSourceDefinition,
    { metadataOptions: {} as never },
  );
};

/** Returns true when a change may lead to another server, so that secrets must be sent again. */
export const isElsewhere = (members: readonly string[]): boolean =>
  members.some((each) => each.startsWith('/connection'));

export const secrets = (formOf: FormOf, { engine, connection }: DataSourceDefinition): SecretReference[] =>
  formOf(engine).secretFields.flatMap((field) => {
    const name = secretName(connection[field]);
    return name === undefined ? [] : [{ name, pointer: `/connection/${field}` }];
  });

/** Replaces the names of secrets. */
export const withSecretNames = (
  formOf: FormOf,
  definition: DataSourceDefinition,
  nameAt: (pointer: string) => string | undefined,
): DataSourceDefinition => {
  const renamed = secrets(formOf, definition).map(({ name, pointer }) => [
    pointer.slice('/connection/'.length),
    { secret: nameAt(pointer) ?? name },
  ]);
  return { ...definition, connection: { ...definition.connection, ...Object.fromEntries(renamed) } };
};

/** Returns secrets whose values the change requires: all of a new data source, and all for another place. */
export const neededSecrets = (
  formOf: FormOf,
  { before, after, members }: Change<DataSourceDefinition>,
): SecretReference[] =>
  after !== null && (before === null || isElsewhere(members)) ? secrets(formOf, after) : [];
