import { badRequest } from '../../../../platform/http/index.ts';
import type { CallerActor } from '../../../audit/index.ts';
import { type DataSourcesService, defaultMetadataOptions } from '../../../data-sources/index.ts';
import type { Input, Target, Written } from '../kind.ts';
import { secretMissing } from '../secret-names.ts';
import { type DataSourceDefinition, type FormOf, isElsewhere, secretName } from './definition.ts';

type DataSourceWriteDeps = { readonly dataSources: DataSourcesService; readonly formOf: FormOf };

/** Returns the connection with the values of its secrets, without secrets that were not sent. */
const connectionOf = (
  formOf: FormOf,
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

/** Creates the data source of a definition. */
export const create = async (
  { dataSources, formOf }: DataSourceWriteDeps,
  by: CallerActor,
  { definition, secret, within }: Input<DataSourceDefinition>,
): Promise<Written> => {
  const { name, description = null, engine, metadataOptions } = definition;
  const connection = connectionOf(formOf, definition, secret, false);
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
};

/** Changes a data source. The connection is sent only when it differs. */
export const update = async (
  { dataSources, formOf }: DataSourceWriteDeps,
  by: CallerActor,
  { id, version }: Target,
  { definition, secret, members }: Input<DataSourceDefinition>,
): Promise<Written> => {
  const source = await dataSources.get(by.caller, id);
  if (source.engine !== definition.engine)
    throw badRequest('invalid-definition', 'The engine of a data source stays what it is.', [
      { path: '/engine', message: `must stay ${source.engine}` },
    ]);
  const { name, description = null, metadataOptions } = definition;
  // A member that the file omits is reset to its default.
  const cleared = [...Object.keys(source.connection ?? {}), ...source.savedSecrets].filter(
    (field) => !(field in definition.connection),
  );
  const connection = {
    ...Object.fromEntries(cleared.map((field) => [field, null])),
    ...connectionOf(formOf, definition, secret, true),
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
};
