import {
  createDataSourcesService,
  createLinkedSources,
  createLoginNotes,
  createMetadataService,
  createOpenDataSources,
  type DataSourcesService,
  dataSourceRoutes,
  type LinkedSources,
  type MetadataService,
} from '../domains/data-sources/index.ts';
import type { OpenDataSources } from '../domains/queries/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import type { RunSqlDoor } from './run-sql-door.ts';

export type DataSourcesPart = Part & {
  readonly dataSources: DataSourcesService;
  readonly linkedSources: LinkedSources;
  readonly openDataSources: OpenDataSources;
  readonly readMetadata: MetadataService['get'];
};

/** Data sources and what is known of their schemas. */
export function composeDataSources(ground: Ground, { connectors, runSql }: RunSqlDoor): DataSourcesPart {
  const { database, audit } = ground;
  const vault = { keys: ground.keys, random: ground.random };
  const logins = createLoginNotes({ database, log: ground.log });
  const dataSources = createDataSourcesService({ database, connectors, runSql, vault, audit, logins });
  const metadata = createMetadataService({ database, runSql, vault, logins });
  return {
    dataSources,
    linkedSources: createLinkedSources({ vault, logins }),
    openDataSources: createOpenDataSources({ vault, logins }),
    readMetadata: metadata.get,
    routes: dataSourceRoutes({ dataSources, metadata }),
    close: async () => {
      await metadata.close();
      await logins.settled();
    },
  };
}
