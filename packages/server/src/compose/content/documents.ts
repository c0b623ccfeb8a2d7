import { statSync } from 'node:fs';
import path from 'node:path';
import type { Jobs } from '@svc/jobs';
import {
  createDocumentUploads,
  createImportedDocumentsService,
  createImportJobs,
  createImportNow,
  createImports,
  type DocumentSource,
  importedDocumentRoutes,
} from '../../domains/imported-documents/index.ts';
import type { SvcOptions } from '../../svc.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';

/** Composes documents from the host: folders of the settings, and documents of the embedding application. */
export function composeDocuments(
  { audit, database, log, settings }: Infrastructure,
  { jobs, hostDocuments = [] }: { readonly jobs: Jobs; readonly hostDocuments: SvcOptions['documents'] },
): Module {
  const sources = [...foldersOf(settings.documents), ...hostDocuments];
  refuseMissing(sources);
  const { run, runFor } = createImports({ database, log, sources });
  const recurring = createImportJobs({ jobs, run });
  return {
    routes: importedDocumentRoutes({
      documents: createImportedDocumentsService({ database }),
      uploads: createDocumentUploads({ database, audit }),
      importNow: createImportNow({ database, audit, runFor }),
    }),
    start: async () => {
      await run();
      if (settings.process.runsJobs) await recurring.start();
    },
  };
}

const foldersOf = (documents: ReadonlyMap<string, string>): DocumentSource[] =>
  [...documents].map(([project, folder]) => ({
    project: /^\d{1,9}$/.test(project) ? Number(project) : project,
    name: 'settings',
    folder: path.resolve(folder),
  }));

/** @throws Error that names a missing folder. A mistyped path would otherwise archive the earlier imports. */
function refuseMissing(sources: readonly DocumentSource[]): void {
  for (const source of sources) {
    if (!('folder' in source)) continue;
    if (!statSync(source.folder, { throwIfNoEntry: false })?.isDirectory())
      throw new Error(
        `Documents of the project "${source.project}" are to come from ${source.folder}, which is no folder. ` +
          'Make it, or correct Svc:Documents.',
      );
  }
}
