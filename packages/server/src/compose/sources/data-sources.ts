import type { Jobs } from '@svc/jobs';
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
  targetOf,
} from '../../domains/data-sources/index.ts';
import { createNoteSchema } from '../../domains/glossary/index.ts';
import { createNoteExamples } from '../../domains/golden-examples/index.ts';
import { projectRights } from '../../domains/projects/index.ts';
import type { OpenDataSources } from '../../domains/queries/index.ts';
import {
  checkRelationship,
  createRelationshipsService,
  type RelationshipsService,
  relationshipRoutes,
  syncRelationships,
} from '../../domains/relationships/index.ts';
import { brokenQueries, createNoteChanges } from '../../domains/schema-drift/index.ts';
import { notFound } from '../../platform/http/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import { composeDataFiles } from './data-files.ts';
import { maskingOf } from './queries.ts';
import type { RunSqlGateway } from './run-sql-gateway.ts';

export type DataSourcesModule = Module & {
  readonly dataSources: DataSourcesService;
  readonly linkedSources: LinkedSources;
  readonly openDataSources: OpenDataSources;
  readonly readMetadata: MetadataService['get'];
  readonly snapshotOf: MetadataService['snapshotOf'];
  readonly refreshDue: MetadataService['refreshDue'];
  readonly readUnread: MetadataService['readUnread'];
};

/** Composes data sources and their schema metadata. */
export function composeDataSources(
  infra: Infrastructure,
  gateway: RunSqlGateway,
  jobs: Jobs,
): DataSourcesModule {
  const { connectors, runSql } = gateway;
  const { database, audit } = infra;
  const vault = { keys: infra.keys, random: infra.random };
  const logins = createLoginNotes({ database, log: infra.log });
  const dataSources = createDataSourcesService({ database, connectors, runSql, vault, audit, logins });
  const [noteTerms, noteExamples] = [createNoteSchema(jobs), createNoteExamples(jobs)];
  const noteChanges = createNoteChanges(jobs, async (tx, dataSourceId) => {
    await noteTerms(tx, dataSourceId);
    await noteExamples(tx, dataSourceId);
  });
  const metadata = createMetadataService({
    database,
    runSql,
    vault,
    logins,
    onSnapshot: async (tx, dataSourceId, now, before) => {
      await syncRelationships(tx, dataSourceId, now);
      await noteChanges(tx, dataSourceId, now, before);
    },
  });
  const openDataSources = createOpenDataSources({ vault, logins });
  return {
    dataSources,
    linkedSources: createLinkedSources({ vault, logins }),
    openDataSources,
    readMetadata: metadata.get,
    snapshotOf: metadata.snapshotOf,
    refreshDue: metadata.refreshDue,
    readUnread: metadata.readUnread,
    routes: [
      ...dataSourceRoutes({ dataSources, metadata }),
      ...relationshipRoutes(composeRelationships(infra, gateway, openDataSources)),
      ...composeDataFiles(infra, gateway).routes,
    ],
    close: async () => {
      await metadata.close();
      await logins.settled();
    },
  };
}

/** Composes relationships between tables. Counts on a source use the run-SQL gateway. */
function composeRelationships(
  { database, audit, settings }: Infrastructure,
  { runSql, dialectOf }: RunSqlGateway,
  openDataSources: OpenDataSources,
): RelationshipsService {
  return createRelationshipsService({
    database,
    audit,
    brokenQueries: async (caller, dataSourceId, limit) =>
      brokenQueries(database, dataSourceId, await projectRights.readableIds(database, caller), limit),
    check: async (caller, dataSourceId, ends, signal) => {
      const [source] = await openDataSources(database, [dataSourceId]);
      if (!source) throw notFound();
      const dialect = dialectOf(source.engine);
      return checkRelationship(
        { runSql, masking: maskingOf(settings) },
        { target: targetOf(source), dialect },
        ends,
        { signal, callerId: `user ${caller.userId ?? caller.kind}` },
      );
    },
  });
}
