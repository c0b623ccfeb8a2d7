import { type Executor, isUniqueViolation, type Tx } from '../../platform/db/index.ts';
import { conflict, notFound } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import * as store from './store.ts';

/** The new content of a term, and the time of its last passed check. */
export type TermChange = { readonly content: store.TermContent; readonly checkedAt: Date | null };

type TermId = { readonly id: number; readonly projectId: number };

export type TermWrites = ReturnType<typeof createTermWrites>;

/** Writes terms and their audit events in the transaction of the caller, who has checked right and content. */
export function createTermWrites(audit: Audit) {
  const record = (tx: Tx, event: `glossary.${string}`, by: CallerActor, { id, projectId }: TermId) =>
    audit.record(tx, { event, by, subject: { kind: 'glossary_term', id }, projectId });

  return {
    insert: async (tx: Tx, by: CallerActor, projectId: number, change: TermChange): Promise<number> => {
      const origin = { projectId, userId: by.caller.userId, checkedAt: change.checkedAt };
      const id = await refuseTwin(store.insertTerm(tx, origin, change.content));
      if (id === undefined) throw notFound();
      await record(tx, 'glossary.term_created', by, { id, projectId });
      return id;
    },

    replace: async (tx: Tx, by: CallerActor, term: TermId, change: TermChange): Promise<void> => {
      await refuseTwin(store.replaceTerm(tx, term.id, change.content, change.checkedAt));
      await record(tx, 'glossary.term_changed', by, term);
    },

    delete: async (tx: Tx, by: CallerActor, term: TermId): Promise<void> => {
      await store.deleteTerm(tx, term.id);
      await record(tx, 'glossary.term_deleted', by, term);
    },
  };
}

/** @throws HttpProblem 404 for an unknown term. */
export async function requireTerm(
  executor: Executor,
  id: number,
  options: { readonly forUpdate?: boolean } = {},
): Promise<store.TermRow> {
  const term = await store.findTerm(executor, id, options);
  if (!term) throw notFound();
  return term;
}

const refuseTwin = async <T>(write: Promise<T>): Promise<T> =>
  write.catch((error: unknown) => {
    if (!isUniqueViolation(error, 'glossary_terms_term')) throw error;
    throw conflict('glossary-term-exists', 'The glossary of this project has this term.', [
      { path: '/term', message: 'is taken in this project' },
    ]);
  });
