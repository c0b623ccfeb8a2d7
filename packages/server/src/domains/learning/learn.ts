import type { SqlDialect } from '@svc/connectors';
import type { Database } from '../../platform/db/index.ts';
import { activeTerms } from '../glossary/index.ts';
import { confirmedKeys } from '../relationships/index.ts';
import { mine } from './mining/mine.ts';
import { isSupported, namesOf, type Pattern, patternNote } from './mining/pattern.ts';
import { terms } from './mining/terms.ts';
import { proposePatch } from './patch-store.ts';
import { type StandingPattern, savePatterns, standingPatterns, supersede } from './pattern-store.ts';
import { dropOldSignals, learnable, rightStatements, signalsOf, storedSchema } from './signal-store.ts';
import { type SchemaNames, schemaNames } from './statements/schema-names.ts';

export type LearnDeps = {
  readonly database: Database;
  readonly dialectOf: (engine: string) => SqlDialect;
  /** Returns true when the service may learn from the use of the project's data. */
  readonly learns: (projectId: number) => Promise<boolean>;
};

/**
 * Creates patterns from new signals, and documentation patches for undocumented tables.
 *
 * @param onlyProjectId  Null means every project.
 */
export const createLearn =
  ({ database, dialectOf, learns }: LearnDeps) =>
  async (signal: AbortSignal, onlyProjectId: number | null = null): Promise<void> => {
    await dropOldSignals(database);
    for (const { projectId, dataSourceId } of await learnable(database, onlyProjectId)) {
      signal.throwIfAborted();
      const schema = await storedSchema(database, dataSourceId);
      if (!schema || !(await learns(projectId))) continue;
      const names = schemaNames(schema.tables);
      const patterns = await foundIn(database, { projectId, dataSourceId }, names, dialectOf(schema.engine));
      await keep(database, { projectId, dataSourceId }, names, patterns);
    }
  };

type Place = { readonly projectId: number; readonly dataSourceId: number };

async function foundIn(
  database: Database,
  { projectId, dataSourceId }: Place,
  names: SchemaNames,
  dialect: SqlDialect,
): Promise<Pattern[]> {
  const signals = await signalsOf(database, projectId, dataSourceId);
  const keys = await confirmedKeys(database, dataSourceId);
  const glossary = await activeTerms(database, projectId, dataSourceId);
  const glossaryNames = new Set(glossary.flatMap(({ term, synonyms }) => [term, ...synonyms].map(lower)));
  const right = await rightStatements(database, projectId, dataSourceId);
  const said = terms(right, dialect, names).filter(
    ({ content }) => content.kind === 'BusinessTerm' && !glossaryNames.has(content.term),
  );
  return [...mine(signals, names, keys), ...said].filter(isSupported);
}

const lower = (text: string): string => text.toLowerCase();

/** Stores new patterns and supersedes patterns whose names the schema no longer contains. */
async function keep(
  database: Database,
  { projectId, dataSourceId }: Place,
  names: SchemaNames,
  patterns: readonly Pattern[],
): Promise<void> {
  await database.transaction(async (tx) => {
    // A signal may be older than the schema.
    const there = patterns.filter((pattern) => isThere(pattern, names));
    await savePatterns(tx, projectId, dataSourceId, there);
    const standing = await standingPatterns(tx, projectId, dataSourceId);
    const gone = standing.filter((pattern) => !isThere(pattern, names));
    if (gone.length > 0)
      await supersede(
        tx,
        gone.map(({ id }) => id),
      );
    for (const pattern of standing)
      if (pattern.kind === 'DocumentationGap' && !gone.includes(pattern))
        await proposePatch(tx, { projectId, patternId: pattern.id, content: patternNote(pattern) });
  });
}

const isThere = (pattern: Pick<StandingPattern, 'table' | 'content'>, names: SchemaNames): boolean =>
  namesOf(pattern).every(({ table, column }) => {
    const schemaTable = names.table(table);
    return schemaTable !== undefined && (column === null || schemaTable.columns.has(column.toLowerCase()));
  });
