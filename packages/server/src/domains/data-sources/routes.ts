import * as contract from '@svc/contract';
import { expectedVersion, type Route, readRoute, route, setVersionTag } from '../../platform/http/index.ts';
import type { MetadataService } from './metadata.ts';
import type { DataSourcesService } from './service.ts';

export function dataSourceRoutes(services: {
  readonly dataSources: DataSourcesService;
  readonly metadata: MetadataService;
}): Route[] {
  const { dataSources, metadata } = services;
  return [
    readRoute(contract.listDataSources, ({ caller, query }) => dataSources.list(caller, query)),
    route(contract.listDataSourceEngines, async () => ({ engines: dataSources.engines() })),
    route(contract.createDataSource, async (context) => {
      const { body, signal, reply } = context;
      const created = await dataSources.create(context, body, signal);
      reply.header('location', `/svc/api/data-sources/${created.id}`);
      setVersionTag(reply, created.version);
      return created;
    }),
    route(contract.getDataSource, async ({ caller, params, reply }) => {
      const source = await dataSources.get(caller, params.id);
      setVersionTag(reply, source.version);
      return source;
    }),
    route(contract.updateDataSource, async (context) => {
      const { params, body, signal, request, reply } = context;
      const changed = await dataSources.update(context, params.id, body, expectedVersion(request), signal);
      setVersionTag(reply, changed.version);
      return changed;
    }),
    route(contract.archiveDataSource, async (context) => {
      await dataSources.archive(context, context.params.id, expectedVersion(context.request));
      return undefined;
    }),
    route(contract.setMigrationWrites, async (context) => {
      await dataSources.setMigrationWrites(context, context.params.id, context.body.isAllowed);
      return undefined;
    }),
    route(contract.testDataSource, ({ caller, params, signal }) =>
      dataSources.test(caller, params.id, signal),
    ),
    route(contract.testConnection, ({ body, signal }) => dataSources.testUnsaved(body, signal)),
    route(contract.getDataSourceMetadata, ({ caller, params }) => metadata.get(caller, params.id)),
    route(contract.refreshDataSourceMetadata, ({ caller, params, reply }) =>
      metadata.refresh(caller, params.id, reply),
    ),
  ];
}
