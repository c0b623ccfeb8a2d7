import type { Database } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { checkDocuments } from './given.ts';
import { readFolder } from './read-folder.ts';
import * as store from './store.ts';
import { documentOf } from './text.ts';
import type { DocumentSource, LeftOut, SourceDocument } from './types.ts';

export type ImportDeps = {
  readonly database: Database;
  readonly log: Logger;
  readonly sources: readonly DocumentSource[];
};

/** What an import came to, over all sources. */
export type ImportResult = { readonly imported: number; readonly archived: number; readonly leftOut: number };

type Read = { readonly documents: readonly SourceDocument[]; readonly leftOut: readonly LeftOut[] };

/**
 * Brings every source into its project. What did not change is not written, so that any number of processes may do
 * this at any time; a source that cannot be read leaves its documents as they are.
 */
export function createImport({ database, log, sources }: ImportDeps): () => Promise<ImportResult> {
  const projectOf = async ({ project, name }: DocumentSource): Promise<number | undefined> => {
    const found = await store.projectsNamed(database, project);
    if (found.length === 1) return found[0];
    const cause = found.length === 0 ? 'no live project is called that' : 'several projects are called that';
    log.warn({ project, source: name, cause }, 'documents were not imported');
    return undefined;
  };

  const readSource = async (source: DocumentSource): Promise<Read | undefined> => {
    try {
      const read =
        'folder' in source
          ? await readFolder(source.folder)
          : { documents: await source.read(), leftOut: [] };
      const checked = checkDocuments(read.documents);
      return { documents: checked.documents, leftOut: [...read.leftOut, ...checked.leftOut] };
    } catch (error) {
      log.warn({ err: error, source: source.name }, 'a source of documents could not be read');
      return undefined;
    }
  };

  return async () => {
    const given: { projectId: number; source: string }[] = [];
    const result = { imported: 0, archived: 0, leftOut: 0 };
    for (const source of sources) {
      const projectId = await projectOf(source);
      if (projectId === undefined) continue;
      given.push({ projectId, source: source.name });
      const read = await readSource(source);
      if (!read) continue;
      for (const { path, reason } of read.leftOut)
        log.warn({ path, reason, source: source.name }, 'a document was left out');
      const stored = await database.transaction(async (tx) => {
        await store.lockImports(tx);
        return store.storeSource(tx, projectId, source.name, read.documents.map(documentOf));
      });
      result.imported += stored.imported;
      result.archived += stored.archived;
      result.leftOut += read.leftOut.length;
    }
    result.archived += await database.transaction(async (tx) => {
      await store.lockImports(tx);
      return store.archiveOthers(tx, given);
    });
    if (result.imported + result.archived > 0) log.info(result, 'documents were imported');
    return result;
  };
}
