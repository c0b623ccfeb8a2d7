import * as contract from '@svc/contract';
import { type Static, Type } from 'typebox';
import { badRequest } from '../../../platform/http/index.ts';
import { type DataSourcesService, defaultMetadataOptions } from '../../data-sources/index.ts';
import { everyPage, shortened } from './canonical.ts';
import { type Change, defineKind, type SecretReference } from './kind.ts';
import { secretMissing, secretNameOf } from './recipient.ts';
import { fileSchema } from './shapes.ts';

const { name, description, engine, connection, metadataOptions } = contract.CreateDataSourceBody.properties;
const properties = {
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
type DataSourceDefinition = Static<typeof Shape>;

const secretName = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && 'secret' in value && typeof value.secret === 'string'
    ? value.secret
    : undefined;

/** Returns true when a change may lead to another server, so that secrets must be sent again. */
const isElsewhere = (members: readonly string[]): boolean =>
  members.some((each) => each.startsWith('/connection'));

/** Creates the kind of connections to databases and files. Files contain names of secrets, never their values. */
export function dataSourceKind({ dataSources }: { readonly dataSources: DataSourcesService }) {
  const forms = new Map(dataSources.engines().map((form) => [form.engine.toLowerCase(), form]));

  const formOf = (name: string) => {
    const form = forms.get(name.trim().toLowerCase());
    if (form) return form;
    const message = `must be one of ${[...forms.values()].map((each) => each.engine).join(', ')}`;
    throw badRequest('unknown-engine', `The engine ${message}.`, [{ path: '/engine', message }]);
  };

  const secrets = ({ engine, connection }: DataSourceDefinition): SecretReference[] =>
    formOf(engine).secretFields.flatMap((field) => {
      const name = secretName(connection[field]);
      return name === undefined ? [] : [{ name, pointer: `/connection/${field}` }];
    });

  const canonical = (source: DataSourceDefinition): DataSourceDefinition => {
    const { engine, settingsSchema, secretFields } = formOf(source.engine);
    const fields = settingsSchema['properties'] as Record<string, { default?: unknown }>;
    const openly = secretFields.filter(
      (field) => source.connection[field] !== undefined && !isSecretRef(source.connection[field]),
    );
    if (openly.length > 0)
      throw badRequest(
        'invalid-definition',
        'A secret is never in a file.',
        openly.map((field) => ({
          path: `/connection/${field}`,
          message: 'must name a secret, as { secret: NAME }',
        })),
      );
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

  /** Returns the connection with the values of its secrets, without secrets that were not sent. */
  const connectionOf = (
    definition: DataSourceDefinition,
    secret: (name: string) => string | undefined,
    isStored: boolean,
  ): Record<string, unknown> => {
    const values = Object.entries(definition.connection).flatMap(([field, value]): [string, unknown][] => {
      const name = formOf(definition.engine).secretFields.includes(field) ? secretName(value) : undefined;
      if (name === undefined) return [[field, value]];
      const sent = secret(name);
      if (sent === undefined && !isStored) throw secretMissing(name, `/connection/${field}`);
      return sent === undefined ? [] : [[field, sent]];
    });
    return Object.fromEntries(values);
  };

  return defineKind<DataSourceDefinition>({
    name: 'DataSource',
    schema: fileSchema('DataSource', properties),
    isForKeys: false,
    canonical,
    references: () => [],
    secrets,
    withSecretNames: (definition, nameAt) => ({
      ...definition,
      connection: {
        ...definition.connection,
        ...Object.fromEntries(
          secrets(definition).map(({ name, pointer }) => [
            pointer.slice('/connection/'.length),
            { secret: nameAt(pointer) ?? name },
          ]),
        ),
      },
    }),

    list: async (caller, _projects, slugOf) => {
      const ids = (await everyPage((page) => dataSources.list(caller, page))).map(({ id }) => id);
      const sources = await Promise.all(ids.map((id) => dataSources.get(caller, id)));
      return sources.map((source) => {
        const { connection } = source;
        const prefix = slugOf('DataSource', source.id);
        const named = Object.fromEntries(
          source.savedSecrets.map((field) => [field, { secret: secretNameOf(prefix, field) }]),
        );
        return {
          id: source.id,
          projectId: null,
          version: source.version,
          definition:
            connection === null || source.needsConnection
              ? null
              : canonical({
                  name: source.name,
                  description: source.description,
                  engine: source.engine,
                  connection: { ...connection, ...named },
                  metadataOptions: source.metadataOptions,
                }),
        };
      });
    },

    endpoints: ({ before, after }) => [
      after === null
        ? contract.archiveDataSource
        : before === null
          ? contract.createDataSource
          : contract.updateDataSource,
    ],
    needsApproval: () => false,
    neededSecrets: ({ before, after, members }: Change<DataSourceDefinition>) =>
      after !== null && (before === null || isElsewhere(members)) ? secrets(after) : [],

    create: async (by, { definition, secret, within }) => {
      const { name, description = null, engine, metadataOptions } = definition;
      const connection = connectionOf(definition, secret, false);
      await dataSources.create(
        by,
        {
          name,
          description,
          engine,
          connection,
          metadataOptions: { ...defaultMetadataOptions, ...metadataOptions },
        },
        undefined,
        within,
      );
      return { isWaiting: false };
    },

    update: async (by, { id, version }, { definition, secret, members }) => {
      const present = await dataSources.get(by.caller, id);
      if (present.engine !== definition.engine)
        throw badRequest('invalid-definition', 'The engine of a data source stays what it is.', [
          { path: '/engine', message: `must stay ${present.engine}` },
        ]);
      const { name, description = null, metadataOptions } = definition;
      // A member that the file omits is reset to its default.
      const cleared = [...Object.keys(present.connection ?? {}), ...present.savedSecrets].filter(
        (field) => !(field in definition.connection),
      );
      const connection = {
        ...Object.fromEntries(cleared.map((field) => [field, null])),
        ...connectionOf(definition, secret, true),
      };
      await dataSources.update(
        by,
        id,
        {
          name,
          description,
          ...(isElsewhere(members) && { connection }),
          ...(members.some((each) => each.startsWith('/metadataOptions')) && {
            metadataOptions: { ...defaultMetadataOptions, ...metadataOptions },
          }),
        },
        version,
      );
      return { isWaiting: false };
    },

    remove: (by, { id, version }) => dataSources.archive(by, id, version),
  });
}

const secretShape = /^[A-Z][A-Z0-9_]{0,99}$/;
const isSecretRef = (value: unknown): boolean => secretShape.test(secretName(value) ?? '');
