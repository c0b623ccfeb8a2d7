import type * as contract from '@svc/contract';
import type { Caller } from '../../../../platform/access/index.ts';
import type { DataSourcesService } from '../../../data-sources/index.ts';
import { everyPage } from '../canonical.ts';
import type { LiveRecord, SlugOf } from '../kind.ts';
import { secretNameOf } from '../secret-names.ts';
import { canonical, type DataSourceDefinition, type FormOf } from './definition.ts';

/** Returns null when the stored connection cannot be read. */
const fileOf = (formOf: FormOf, source: contract.DataSource, slug: string): DataSourceDefinition | null => {
  const { name, description, engine, connection, metadataOptions } = source;
  if (connection === null || source.needsConnection) return null;
  const secretRefs = Object.fromEntries(
    source.savedSecrets.map((field) => [field, { secret: secretNameOf(slug, field) }]),
  );
  return canonical(formOf, {
    name,
    description,
    engine,
    connection: { ...connection, ...secretRefs },
    metadataOptions,
  });
};

/** Reads the data sources that the caller sees, each with its definition. */
export const list = async (
  dataSources: DataSourcesService,
  formOf: FormOf,
  caller: Caller,
  slugOf: SlugOf,
): Promise<LiveRecord<DataSourceDefinition>[]> => {
  const ids = (await everyPage((page) => dataSources.list(caller, page))).map(({ id }) => id);
  const sources = await Promise.all(ids.map((id) => dataSources.get(caller, id)));
  return sources.map((source) => ({
    id: source.id,
    projectId: null,
    version: source.version,
    definition: fileOf(formOf, source, slugOf('DataSource', source.id)),
  }));
};
