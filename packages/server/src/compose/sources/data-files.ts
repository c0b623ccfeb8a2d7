import path from 'node:path';
import { createFilePolicy } from '@svc/connectors';
import { createDataFilesService, dataFileRoutes } from '../../domains/data-files/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import { maskingOf } from './queries.ts';
import type { RunSqlGateway } from './run-sql-gateway.ts';

/** Composes the files that data sources may read: the list for users who connect them, and uploads. */
export function composeDataFiles(
  { database, audit, settings }: Infrastructure,
  { connectors, runSql }: RunSqlGateway,
): Required<Pick<Module, 'routes'>> {
  const { files, uploadBytesMax } = settings.queries;
  const service = createDataFilesService({
    database,
    audit,
    policy: createFilePolicy(files),
    folders: files.allowedFolders,
    ownFolder: path.join(files.dataDirectory, 'files'),
    uploadBytesMax,
    connectors,
    runSql,
    masking: maskingOf(settings),
  });
  return { routes: dataFileRoutes(service, uploadBytesMax) };
}
