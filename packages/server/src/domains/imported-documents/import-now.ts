import { type DocumentImport, leftOutShownMax } from '@svc/contract';
import type { Database } from '../../platform/db/index.ts';
import { conflict } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { requireRight } from '../projects/index.ts';
import type { DocumentImports, SourceImport } from './import.ts';

export type ImportNow = (by: CallerActor, projectId: number) => Promise<DocumentImport>;

/**
 * Imports the sources of a project for a project admin, and audits the sources with changes. A process runs one import of
 * a project at a time, because an import has the texts of a source in memory.
 */
export function createImportNow({
  database,
  audit,
  runFor,
}: {
  readonly database: Database;
  readonly audit: Audit;
  readonly runFor: DocumentImports['runFor'];
}): ImportNow {
  const running = new Set<number>();
  return async (by, projectId) => {
    await requireRight(database, by.caller, projectId, 'Manage');
    if (running.has(projectId))
      throw conflict('document-import-running', 'An import of the documents of this project is running.');
    running.add(projectId);
    try {
      const sources = (await runFor(projectId)).map(presentSource);
      if (sources.length === 0)
        throw conflict('no-document-source', 'The operator names no folder of documents for this project.');
      const changed = sources.filter(({ imported, archived }) => imported + archived > 0);
      if (changed.length > 0)
        await audit.record(database, {
          event: 'projects.documents_imported',
          by,
          projectId,
          subject: { kind: 'project', id: projectId },
          detail: {
            sources: changed.map(({ leftOut: _leftOut, isSuperseded: _isSuperseded, ...counts }) => counts),
          },
        });
      return { sources };
    } finally {
      running.delete(projectId);
    }
  };
}

const presentSource = ({ leftOut, ...source }: SourceImport): DocumentImport['sources'][number] => ({
  ...source,
  leftOut: leftOut.slice(0, leftOutShownMax).map(({ path, reason }) => ({ path, reason })),
  leftOutCount: leftOut.length,
});
