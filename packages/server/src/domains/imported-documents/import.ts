import type { Database } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { checkDocuments } from './check-documents.ts';
import { documentOf } from './content/text.ts';
import { readFolder } from './read-folder.ts';
import * as store from './store.ts';
import type { DocumentSource, LeftOut, SourceDocument } from './types.ts';

export type ImportDeps = {
  readonly database: Database;
  readonly log: Logger;
  readonly sources: readonly DocumentSource[];
};

/** Counts of an import over all sources. */
export type ImportResult = { readonly imported: number; readonly archived: number; readonly leftOut: number };

type Read = { readonly documents: readonly SourceDocument[]; readonly leftOut: readonly LeftOut[] };

export type DocumentImports = {
  /** Imports every source, and archives the documents of sources that are no longer configured. */
  readonly run: () => Promise<ImportResult>;
  /** Imports the sources of one project. Returns an empty list for a project without sources. */
  readonly runFor: (projectId: number) => Promise<readonly SourceImport[]>;
};

/** The result of one source. */
export type SourceImport = {
  readonly source: string;
  /** False: the source is unreadable, and its documents stay unchanged. */
  readonly isRead: boolean;
  /** True: a newer reading was stored first, so this import changed nothing. */
  readonly isSuperseded: boolean;
  readonly imported: number;
  readonly archived: number;
  readonly leftOut: readonly LeftOut[];
};

/**
 * Imports sources into their projects. Does not write unchanged documents, so that any number of processes may import at any
 * time. Documents of an unreadable source stay unchanged.
 */
export function createImports({ database, log, sources }: ImportDeps): DocumentImports {
  const projectOf = async ({ project, name }: DocumentSource): Promise<number | undefined> => {
    const projectIds = await store.projectsNamed(database, project);
    if (projectIds.length === 1) return projectIds[0];
    const cause =
      projectIds.length === 0 ? 'no live project is called that' : 'several projects are called that';
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

  /**
   * Reads and stores a source. A reading that began before a stored reading is discarded, so that older texts never replace
   * newer texts. The reading is outside the transaction, because a slow source would extend its locks.
   */
  const importSource = async (source: DocumentSource, projectId: number): Promise<SourceImport> => {
    const { name } = source;
    const reading = await store.startReading(database, projectId, name);
    const read = await readSource(source);
    if (!read)
      return { source: name, isRead: false, isSuperseded: false, imported: 0, archived: 0, leftOut: [] };
    for (const { path, reason } of read.leftOut)
      log.warn({ path, reason, source: name }, 'a document was left out');
    const stored = await database.transaction(async (tx) => {
      await store.lockImports(tx);
      if (await store.claimReading(tx, projectId, name, reading))
        return store.storeSource(tx, projectId, name, read.documents.map(documentOf));
      log.info({ project: projectId, source: name }, 'a newer reading of the documents is stored already');
      return undefined;
    });
    const counts = stored ?? { imported: 0, archived: 0 };
    return { source: name, isRead: true, isSuperseded: !stored, ...counts, leftOut: read.leftOut };
  };

  /** Archives the documents of sources that the import read as absent, unless a newer reading is stored. */
  const archiveAbsent = (absent: readonly store.AbsentSource[]): Promise<number> =>
    database.transaction(async (tx) => {
      await store.lockImports(tx);
      let archived = 0;
      for (const { projectId, source, reading } of absent)
        if (await store.claimReading(tx, projectId, source, reading))
          archived += await store.archiveSource(tx, projectId, source);
      return archived;
    });

  return {
    run: async () => {
      const validSources: { source: DocumentSource; projectId: number }[] = [];
      for (const source of sources) {
        const projectId = await projectOf(source);
        if (projectId !== undefined) validSources.push({ source, projectId });
      }
      const present = validSources.map(({ source, projectId }) => ({ projectId, source: source.name }));
      const absent = await database.transaction(async (tx) => {
        await store.lockImports(tx);
        return store.startAbsences(tx, present);
      });
      const result = { imported: 0, archived: 0, leftOut: 0 };
      for (const { source, projectId } of validSources) {
        const { imported, archived, leftOut } = await importSource(source, projectId);
        result.imported += imported;
        result.archived += archived;
        result.leftOut += leftOut.length;
      }
      result.archived += await archiveAbsent(absent);
      if (result.imported + result.archived > 0) log.info(result, 'documents were imported');
      return result;
    },

    runFor: async (projectId) => {
      const results: SourceImport[] = [];
      for (const source of sources)
        if ((await projectOf(source)) === projectId) results.push(await importSource(source, projectId));
      return results;
    },
  };
}
