import path from 'node:path';
import { createFilePolicy } from '@svc/connectors';
import { createDataFilesService, dataFileRoutes } from '../domains/data-files/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import { maskingOf } from './queries.ts';
import type { RunSqlDoor } from './run-sql-door.ts';

/** Composes the files that data sources may read: the list for users who connect them, and uploads. */
export function composeDataFiles(
  { database, audit, settings }: Ground,
  { connectors, runSql }: RunSqlDoor,
): Required<Pick<Part, 'routes'>> {
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
