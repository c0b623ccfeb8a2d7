import type { GlossaryInput, GlossaryTerm, ListQuery, Page } from '@svc/contract';
import { type Database, type Executor, isUniqueViolation, type Tx } from '../../platform/db/index.ts';
import { brokenRule, conflict, notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { findMetadata } from '../data-sources/index.ts';
import { assertVersion, requireRight } from '../projects/index.ts';
import { presentTerm } from './present.ts';
import * as store from './store.ts';

export type GlossaryDeps = { readonly database: Database; readonly audit: Audit };

export type GlossaryService = ReturnType<typeof createGlossaryService>;

const found = async (
  executor: Executor,
  id: number,
  options: { readonly forUpdate?: boolean } = {},
): Promise<store.TermRow> => {
  const term = await store.findTerm(executor, id, options);
  if (!term) throw notFound();
  return term;
};

const refuseTwin = async <T>(change: Promise<T>): Promise<T> =>
  change.catch((error: unknown) => {
    if (!isUniqueViolation(error, 'glossary_terms_term')) throw error;
    throw conflict('glossary-term-exists', 'The glossary of this project has this term.', [
      { path: '/term', message: 'is taken in this project' },
    ]);
  });

/** Trimmed, and each synonym once, whatever its case. */
function contentOf(input: GlossaryInput): store.TermContent {
  const term = input.term.trim();
  const known = new Set([term.toLowerCase()]);
  const synonyms = (input.synonyms ?? [])
    .map((synonym) => synonym.trim())
    .filter((synonym) => !known.has(synonym.toLowerCase()) && known.add(synonym.toLowerCase()));
  return {
    ...{ term, synonyms, definition: input.definition.trim() },
    dataSourceId: input.dataSourceId ?? null,
    target: input.target ?? null,
    isActive: input.isActive ?? true,
  };
}

/** A term that points to nothing would mislead whoever looks for the data. */
async function assertTarget(tx: Tx, projectId: number, { dataSourceId, target }: store.TermContent) {
  const refuse = (path: string, message: string) =>
    brokenRule('invalid-glossary-target', `What the term stands for ${message}.`, [{ path, message }]);
  if (dataSourceId === null) {
    if (target) throw refuse('/dataSourceId', 'needs the data source that it is in');
    return;
  }
  if (!(await store.isLinked(tx, projectId, dataSourceId)))
    throw refuse('/dataSourceId', 'is not in a data source of the project');
  if (!target) return;
  const metadata = await findMetadata(tx, dataSourceId);
  const table = metadata?.snapshot.tables.find(
    ({ schema, name }) => schema === target.schema && name === target.table,
  );
  if (!table) throw refuse('/target/table', 'is not in the metadata of the data source; refresh it first');
  if (target.column !== null && !table.columns.some(({ name }) => name === target.column))
    throw refuse('/target/column', 'is no column of this table');
}

/** What words of the business mean, and which data they stand for. */
export function createGlossaryService({ database, audit }: GlossaryDeps) {
  const record = (tx: Tx, event: `glossary.${string}`, by: CallerActor, id: number, projectId: number) =>
    audit.record(tx, { event, by, subject: { kind: 'glossary_term', id }, projectId });

  return {
    list: async (
      query: ListQuery & {
        projectId?: number;
        dataSourceId?: number;
        search?: string;
        includeInactive?: boolean;
      },
    ): Promise<Page<GlossaryTerm>> => {
      const page = pageRequest(query, { sortable: store.termSortable, byDefault: 'term', unique: 'g.id' });
      const filter = {
        projectId: query.projectId ?? null,
        dataSourceId: query.dataSourceId ?? null,
        search: query.search || null,
        includeInactive: query.includeInactive ?? false,
      };
      const { rows, totalCount } = await store.listTerms(database, filter, page);
      return pageOf(rows.map(presentTerm), totalCount, page);
    },

    get: async (id: number): Promise<GlossaryTerm> => presentTerm(await found(database, id)),

    create: (by: CallerActor, input: GlossaryInput & { readonly projectId: number }): Promise<GlossaryTerm> =>
      database.transaction(async (tx) => {
        const { projectId } = input;
        await requireRight(tx, by.caller, projectId, 'Write');
        const content = contentOf(input);
        await assertTarget(tx, projectId, content);
        const id = await refuseTwin(store.insertTerm(tx, projectId, by.caller.userId, content));
        if (id === undefined) throw notFound();
        await record(tx, 'glossary.term_created', by, id, projectId);
        return presentTerm(await found(tx, id));
      }),

    replace: (
      by: CallerActor,
      id: number,
      input: GlossaryInput,
      expectedVersion: number | undefined,
    ): Promise<GlossaryTerm> =>
      database.transaction(async (tx) => {
        const before = await found(tx, id, { forUpdate: true });
        assertVersion(before.version, expectedVersion);
        const content = contentOf(input);
        await assertTarget(tx, before.projectId, content);
        await refuseTwin(store.replaceTerm(tx, id, content));
        await record(tx, 'glossary.term_changed', by, id, before.projectId);
        return presentTerm(await found(tx, id));
      }),

    delete: (by: CallerActor, id: number, expectedVersion: number | undefined): Promise<void> =>
      database.transaction(async (tx) => {
        const before = await found(tx, id, { forUpdate: true });
        assertVersion(before.version, expectedVersion);
        await store.deleteTerm(tx, id);
        await record(tx, 'glossary.term_deleted', by, id, before.projectId);
      }),
  };
}
